"""A disk that is full, told apart from every other failure of the system."""

from __future__ import annotations

import errno


def is_disk_full(error: OSError) -> bool:
    """Also where it is only the user's share of it."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
