"""Scope profiles: `python -m benchmarks.scope [--data FOLDER] [--show] [--times N]`.

`FOLDER` has profiles.jsonl, requests.jsonl and results.jsonl. They are judged by patterns and rules alone; the rules'
author's own cases in `tests/data/scope` are printed apart. Unsure is no answer: its share is printed beside what was
decided. Then comes what the checks add to a turn, with a scripted classifier, and the size of tool definitions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.scope import definitions, turns
from benchmarks.scope.cases import OWN, print_requests, print_results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--times", type=int, default=40, help="turns of each kind; 0: none")
    options = parser.parse_args()
    for title, folder in (("given cases", options.data), ("the author's own cases", OWN)):
        if folder:
            print(f"{title}, by patterns and rules alone")
            print_requests(folder, show=options.show)
            print_results(folder, show=options.show)
            print()
    if options.times:
        turns.print_added_cost(options.times)
        definitions.print_tokens()


if __name__ == "__main__":
    main()
