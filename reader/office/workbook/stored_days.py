"""Days that a cell stores as ISO 8601 writes them, as Strict Open XML does."""

import datetime

from reader.office.formats.dates import FIRST_1900, FIRST_1904
from reader.office.formats.values import count_days


def read_stored_day(text: str, *, from_1904: bool) -> float | str:
    """The count of days; the text itself where it is no day."""
    stored = text.strip().removesuffix("Z")
    try:
        if "T" not in stored and ":" in stored:
            return count_days(datetime.time.fromisoformat(stored))
        days = count_days(datetime.datetime.fromisoformat(stored))
    except ValueError:
        return text
    return days - (FIRST_1904 - FIRST_1900).days if from_1904 else days
