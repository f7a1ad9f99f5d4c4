"""The parts of an office file, which is a ZIP archive of XML: each within bounds, none of them written anywhere."""

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from reader.failures import OverLimit, Unreadable, make_damage_error
from reader.layout.blocks import Note, Picture
from reader.markup.plain_lines import read_bytes
from reader.markup.safe_xml import Node, parse_xml

MAX_PARTS = 20_000
# Unpacked. As a tree it takes up to ten times as much.
MAX_PART_BYTES = 40_000_000
# They are kept as long as the file is read page by page.
MAX_PICTURE_BYTES = 40_000_000
# As they are drawn now, and as old programs wrote them: what names the part with the picture.
PICTURES = {"blip": "embed", "imagedata": "id"}


class Package:
    def __init__(self, file: BinaryIO) -> None:
        try:
            self.archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise make_damage_error("its ZIP archive is broken or cut short") from error
        self.room_for_pictures, self.lost_pictures = MAX_PICTURE_BYTES, 0
        self.names = frozenset(self.archive.namelist())
        if len(self.names) > MAX_PARTS:
            raise OverLimit(f"The file consists of more than {MAX_PARTS:,} parts.")

    def read(self, name: str) -> bytes:
        """A part unpacked. Raises Unreadable where it is broken, locked or too large."""
        try:
            with self.archive.open(name) as part:
                data = part.read(MAX_PART_BYTES + 1)
        except KeyError:
            raise make_damage_error(f"its part {name[:100]} is missing") from None
        except RuntimeError:
            raise Unreadable("The file is locked with a password. Save it without one, then upload it.") from None
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
            raise make_damage_error(f"its part {name[:100]} cannot be unpacked") from error
        if len(data) > MAX_PART_BYTES:
            raise OverLimit(f"A part of the file has more than {MAX_PART_BYTES // 1_000_000} MB unpacked.")
        return data

    def read_picture(self, name: str) -> Picture | Note:
        """Only a note where it is not there or too large; all pictures of a file together are bounded."""
        size = self.archive.getinfo(name).file_size if name in self.names else 0
        if not 0 < size <= self.room_for_pictures:
            self.lost_pictures += 1
            return Note("[picture]")
        self.room_for_pictures -= size
        return Picture(self.read(name))

    def list_pictures(self, folder: str) -> Iterator[Picture | Note]:
        return (self.read_picture(name) for name in sorted(self.names) if name.startswith(folder))

    def parse(self, name: str, skipped: frozenset[str] = frozenset()) -> Node:
        return parse_xml(self.read(name), skipped)

    def parse_if_there(self, name: str, skipped: frozenset[str] = frozenset()) -> Node | None:
        return self.parse(name, skipped) if name in self.names else None

    def list_relations(self, name: str) -> dict[str, tuple[str, str]]:
        """List by id the kind and the name of each part that a part of Office Open XML refers to."""
        folder, own = posixpath.split(name)
        relations = self.parse_if_there(posixpath.join(folder, "_rels", f"{own}.rels"))
        return {
            relation.get("Id"): (
                relation.get("Type").rpartition("/")[2],
                posixpath.normpath(posixpath.join(folder, relation.get("Target"))).lstrip("/"),
            )
            for relation in (relations.elements if relations else ())
            # Never ask for what lies elsewhere, such as a template on a server.
            if relation.get("TargetMode") != "External"
        }

    def find_main_part(self, default: str) -> str:
        return next((part for kind, part in self.list_relations("").values() if kind == "officeDocument"), default)


class FlatPackage:
    """OpenDocument in one XML file: each of its parts is that file, and pictures stand in it themselves."""

    def __init__(self, data: bytes, skipped: frozenset[str]) -> None:
        self.names: frozenset[str] = frozenset()
        self.lost_pictures = 0
        self.root = parse_xml(data, skipped)

    def parse(self, name: str, skipped: frozenset[str] = frozenset()) -> Node:
        return self.root

    parse_if_there = parse

    def read_picture(self, name: str) -> Picture | Note:
        return Note("[picture]")

    def list_pictures(self, folder: str) -> Iterator[Picture | Note]:
        return iter(())

    def read(self, name: str) -> bytes:
        return b""


def open_package(file: BinaryIO, skipped: frozenset[str]) -> Package | FlatPackage:
    """OpenDocument as an archive or as one file."""
    is_archive = file.read(2) == b"PK"
    file.seek(0)
    return Package(file) if is_archive else FlatPackage(read_bytes(file), skipped)


class PartPictures:
    """Pictures that a part of Office Open XML shows, by what it refers to."""

    def __init__(self, package: Package, part: str) -> None:
        self.package = package
        self.relations = package.list_relations(part)

    def list_shown(self, node: Node) -> Iterator[Picture | Note]:
        """Below the node, but for boxes, which are gone through by themselves."""
        for child in node.elements:
            if child.kind in PICTURES:
                _, part = self.relations.get(child.get(PICTURES[child.kind]), ("", ""))
                yield self.package.read_picture(part)
            elif child.kind != "txbxContent":
                yield from self.list_shown(child)
