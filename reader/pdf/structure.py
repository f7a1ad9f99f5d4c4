"""The objects of a PDF, found from its start to its end where its own table of them, or its tree of pages, is broken.

ISO 32000-1, 7.3.10 (objects), 7.5 (file structure), 7.5.7 (object streams).
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})[ \r\n\t]+([0-9]{1,5})[ \r\n\t]+obj(?![a-z])")
END = re.compile(rb"endobj|stream\r?\n")
PAGE, PAGES = re.compile(rb"/Type\s*/Page(?![A-Za-z])"), re.compile(rb"/Type\s*/Pages(?![A-Za-z])")
OBJECT_STREAM = re.compile(rb"/Type\s*/ObjStm(?![A-Za-z])")
KIDS, CONTENTS = (
    re.compile(rb"/Kids\s*\[([^\]]*)\]"),
    re.compile(rb"/Contents\s*(?:\[([^\]]*)\]|([0-9]+\s+[0-9]+\s+R))"),
)
REFERENCE = re.compile(rb"([0-9]{1,8})\s+[0-9]{1,5}\s+R")
FLATE = re.compile(rb"/Filter\s*(?:/(?:FlateDecode|Fl)(?![A-Za-z])|\[\s*/(?:FlateDecode|Fl)\s*\])")
FIRST, COUNT = re.compile(rb"/First\s+([0-9]{1,8})"), re.compile(rb"/N\s+([0-9]{1,6})")
MAX_OBJECTS = 300_000
# A dictionary describes an object; pictures and fonts stand behind it.
MAX_DICTIONARY = 1_000_000
# Bounds all object streams, and one page's contents.
MAX_UNPACKED = 40_000_000
MAX_DEPTH = 50
TYPED, FORM = re.compile(rb"/Type(?![A-Za-z0-9])"), re.compile(rb"/Subtype\s*/Form(?![A-Za-z])")
# Levels and parts of one page: resources, lists of what is in them, and forms.
CONTENTS_DEPTH, MAX_CONTENTS = 3, 1000
ZLIB_HEAD = 2


@dataclass(frozen=True)
class PlacedObject:
    """Where it stands, and what describes it. An object of an object stream stands nowhere by itself."""

    number: int
    generation: int
    offset: int | None
    dictionary: bytes
    stream: int | None = None


@dataclass
class Structure:
    data: bytes
    objects: dict[int, PlacedObject] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The last of several objects with one number holds."""
        room = MAX_UNPACKED
        for item in self.list_plain_objects():
            self.objects.pop(item.number, None)
            self.objects[item.number] = item
            if OBJECT_STREAM.search(item.dictionary) and not self.is_encrypted:
                unpacked, _ = self.unpack(item, room)
                room -= len(unpacked)
                for inner in list_inner_objects(item.dictionary, unpacked):
                    self.objects[inner.number] = inner

    def list_plain_objects(self) -> Iterator[PlacedObject]:
        starts = list(islice(OBJECT.finditer(self.data), MAX_OBJECTS))
        limits = [*(match.start() for match in starts[1:]), len(self.data)][: len(starts)]
        for match, limit in zip(starts, limits, strict=True):
            end = END.search(self.data, match.end(), min(limit, match.end() + MAX_DICTIONARY))
            dictionary = self.data[match.end() : end.start() if end else match.end()]
            stream = end.end() if end and end[0] != b"endobj" else None
            yield PlacedObject(int(match[1]), int(match[2]), match.start(), dictionary, stream)

    @cached_property
    def is_encrypted(self) -> bool:
        return b"/Encrypt" in self.data

    @cached_property
    def pages(self) -> list[int]:
        """Numbers of the pages' objects: as the tree of pages has them, then those that it has lost."""
        everything = {number for number, item in self.objects.items() if PAGE.search(item.dictionary)}
        trees = [number for number, item in self.objects.items() if PAGES.search(item.dictionary)]
        children = {kid for number in trees for kid in list_kids(self.objects[number].dictionary)}
        listed: dict[int, None] = {}
        for root in (number for number in trees if number not in children):
            self.walk(root, listed, MAX_DEPTH)
        return [number for number in dict.fromkeys([*listed, *self.objects]) if number in everything]

    def walk(self, number: int, listed: dict[int, None], depth: int) -> None:
        """Notes what stands below, in order."""
        for kid in list_kids(self.objects[number].dictionary):
            if kid in self.objects and kid not in listed:
                listed[kid] = None
                if depth:
                    self.walk(kid, listed, depth - 1)

    def is_damaged(self, page: int) -> bool:
        """Something of what the page shows is not there, or cannot be decoded to its end."""
        match = CONTENTS.search(self.objects[page].dictionary)
        parts = [int(number) for number in REFERENCE.findall(match[1] or match[2])] if match else []
        return any(self.is_broken_stream(number) for number in parts)

    def is_broken_stream(self, number: int) -> bool:
        stream = self.objects.get(number)
        if stream is None or stream.offset is None:
            return True
        if stream.stream is None:
            # An array of parts may stand in an object of its own.
            return not REFERENCE.search(stream.dictionary)
        if not self.is_encrypted and FLATE.search(stream.dictionary):
            return not self.unpack(stream, MAX_UNPACKED)[1]
        return self.data.find(b"endstream", stream.stream, stream.stream + MAX_UNPACKED) < 0

    def is_cut_short(self, page: int) -> bool:
        """One of its contents or forms stops before its end, whatever of it can be shown."""
        room = MAX_UNPACKED
        for number in self.list_contents(page):
            size, is_whole = self.measure_stream(number, room)
            room -= size
            if not is_whole or room <= 0:
                return not is_whole
        return False

    def list_contents(self, page: int) -> Iterator[int]:
        """Numbers of the streams that its drawing is in: its contents, and the forms of its resources."""
        waiting, seen = [(page, 0)], {page}
        while waiting:
            parent, depth = waiting.pop()
            for number in map(int, REFERENCE.findall(self.objects[parent].dictionary)):
                item = self.objects.get(number)
                if item is None or number in seen or len(seen) >= MAX_CONTENTS:
                    continue
                seen.add(number)
                if item.stream is not None and (not TYPED.search(item.dictionary) or FORM.search(item.dictionary)):
                    yield number
                if not TYPED.search(item.dictionary) and item.stream is None and depth < CONTENTS_DEPTH:
                    waiting.append((number, depth + 1))

    def measure_stream(self, number: int, room: int) -> tuple[int, bool]:
        """Measure compressed data, and whether to its end; its checksum is ignored: some programs write none."""
        item = self.objects[number]
        if item.stream is None or self.is_encrypted or not FLATE.search(item.dictionary):
            return 0, True
        end = self.data.find(b"endstream", item.stream, item.stream + MAX_UNPACKED)
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            size = len(inflater.decompress(memoryview(self.data)[item.stream + ZLIB_HEAD : end], room))
        except zlib.error:
            return 0, False
        return size, inflater.eof or size >= room

    def unpack(self, stream: PlacedObject, room: int) -> tuple[bytes, bool]:
        """Unpack the stream, and tell whether that goes to its end."""
        inflater = zlib.decompressobj()
        if stream.stream is None:
            return b"", False
        try:
            data = inflater.decompress(memoryview(self.data)[stream.stream :], max(1, room))
        except zlib.error:
            return b"", False
        return data, inflater.eof or len(data) >= room


def list_inner_objects(dictionary: bytes, unpacked: bytes) -> Iterator[PlacedObject]:
    """List the objects of an object stream: at its start stand numbers and places."""
    first, count = FIRST.search(dictionary), COUNT.search(dictionary)
    if not first or not count:
        return
    start = int(first[1])
    head = [int(part) for part in unpacked[:start].split()[: 2 * int(count[1])] if part.isdigit()]
    places = [*head[1::2], len(unpacked) - start]
    for at, number in enumerate(head[: 2 * (len(places) - 1) : 2]):
        yield PlacedObject(number, 0, None, unpacked[start + places[at] : start + places[at + 1]])


def list_kids(dictionary: bytes) -> list[int]:
    match = KIDS.search(dictionary)
    return [int(number) for number in REFERENCE.findall(match[1])] if match else []


def rebuild(structure: Structure) -> bytes:
    """The file with a new tree of its pages and a new table of its objects behind it; empty where it has no pages.

    What is encrypted stays out: without its trailer nobody knows how.
    """
    pages = structure.pages
    if not pages or structure.is_encrypted:
        return b""
    written = bytearray(structure.data)
    written += b"\n"
    places = {item.number: (item.offset, item.generation) for item in structure.objects.values()}
    for item in structure.objects.values():
        if item.offset is None:
            places[item.number] = (write_object(written, item.number, item.dictionary), 0)
    root = max(places) + 1
    kids = b" ".join(b"%d %d R" % (number, places[number][1]) for number in pages)
    tree = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(pages), kids)
    places[root] = (write_object(written, root, b"<< /Type /Catalog /Pages %d 0 R >>" % (root + 1)), 0)
    places[root + 1] = (write_object(written, root + 1, tree), 0)
    start = len(written)
    written += b"xref\n0 1\n0000000000 65535 f \n"
    for number, (offset, generation) in sorted(places.items()):
        written += b"%d 1\n%010d %05d n \n" % (number, offset or 0, generation)
    written += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (root + 2, root, start)
    return bytes(written)


def write_object(written: bytearray, number: int, content: bytes) -> int:
    """Where it begins."""
    offset = len(written)
    written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    return offset
