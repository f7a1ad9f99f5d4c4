"""Things that an office file shows and that are not read, whatever their program is."""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from reader.gaps import Gap
from reader.layout.blocks import Note

# By the last word of the kind of a relation (ECMA-376, part 1, 15; [MS-PPTX], [MS-XLSX]).
KINDS = {
    "video": "The file has a film, which is not read.",
    "audio": "The file has a sound, which is not read.",
    "model3d": "The file has a drawing in three dimensions, which is not read: only its picture is.",
    "subDocument": "A part of this document is kept in another file and is not read. Upload that file too.",
    "frame": "A part of this document is kept in another file and is not read. Upload that file too.",
    "control": "The file has a control of a program (ActiveX), which is not read: only its picture is.",
    "ctrlProp": "A sheet has check boxes, lists or buttons, which are not read.",
}
KIND = re.compile(rb"/relationships/(%s)[\"']" % "|".join(KINDS).encode())
PICTURE = "{} not in the file, or too large to be read: only {} place is said."


class OfficeParts(Protocol):
    """The parts of a file; `lost_pictures`: how many that it shows were not to be had."""

    names: frozenset[str]
    lost_pictures: int

    def read(self, name: str) -> bytes: ...


def list_unread(package: OfficeParts) -> Iterator[Note | Gap]:
    """Macros are never run, whatever the file is called."""
    if any(name.endswith("vbaProject.bin") or name.startswith("Basic/") for name in package.names):
        yield Note("[macros in the file are not run]")
    relations = (package.read(name) for name in package.names if name.endswith(".rels"))
    yield from (Gap("embedded", KINDS[kind]) for kind in find_kinds(relations))
    if count := package.lost_pictures:
        pictures, their = ("1 picture is", "its") if count == 1 else (f"{count:,} pictures are", "their")
        yield Gap("embedded", PICTURE.format(pictures, their))


def find_kinds(relations: Iterable[bytes]) -> list[str]:
    met = {kind.decode() for each in relations for kind in KIND.findall(each)}
    return [kind for kind in KINDS if kind in met]
