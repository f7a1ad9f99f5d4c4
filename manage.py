#!/usr/bin/env python
from docrouter.command_line import main

if __name__ == "__main__":
    main()
