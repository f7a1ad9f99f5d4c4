"""Whatever is seen in a file and not read. Silence means that everything was read."""

from collections.abc import Iterable
from itertools import islice
from typing import Literal, NamedTuple

# attachment: a file in it. encoding: a guess, which the text rests on. embedded: an object of another program.
# form: drawn by another program alone. formula: cells without a stored value. hidden: what a style hides.
# encrypted: what only its receiver can open. empty: ink without a word. format: a number shown without its format.
# computed: values that the file does not store. cover: a page in front of files, which are documents of their own.
GapKind = Literal[
    "attachment",
    "computed",
    "cover",
    "embedded",
    "empty",
    "encoding",
    "encrypted",
    "form",
    "format",
    "formula",
    "hidden",
]
# Kinds that are said although nothing is missing of what a person sees in the file.
NOTES = frozenset({"computed", "cover", "hidden"})
# In one file; a reader stops at them, and says so.
MAX_GAPS = 50
MAX_REASON, MAX_PART = 300, 120


class Gap(NamedTuple):
    """`reason`: a sentence for people that names the thing and what to do about it.

    `page` is counted from 1, None for the file as a whole. `part`: what in the file, such as the name of a sheet.
    """

    kind: GapKind
    reason: str
    page: int | None = None
    part: str = ""


def limit_gaps(gaps: Iterable[Gap]) -> list[Gap]:
    """Each once, cut to what a row may hold."""
    cut = (Gap(kind, reason[:MAX_REASON], page, part[:MAX_PART]) for kind, reason, page, part in gaps)
    return list(islice(dict.fromkeys(cut), MAX_GAPS))
