"""The parts of an office file, which is a ZIP archive of XML: each within bounds, none of them written anywhere."""

import posixpath
import zipfile
import zlib
from typing import BinaryIO

from documents.backends.reader.failures import OverLimit, Unreadable, make_damage_error
from documents.backends.reader.markup.safe_xml import Node, parse_xml

MAX_PARTS = 20_000
# Unpacked. As a tree it takes up to ten times as much.
MAX_PART_BYTES = 40_000_000


class Package:
    def __init__(self, file: BinaryIO) -> None:
        try:
            self.archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise make_damage_error("its ZIP archive is broken or cut short") from error
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

    def parse(self, name: str, skipped: frozenset[str] = frozenset()) -> Node:
        return parse_xml(self.read(name), skipped)

    def parse_if_there(self, name: str, skipped: frozenset[str] = frozenset()) -> Node | None:
        return self.parse(name, skipped) if name in self.names else None

    def list_relations(self, name: str) -> dict[str, tuple[str, str]]:
        """Of a part of Office Open XML: by id, the kind and the name of each part that it refers to."""
        folder, own = posixpath.split(name)
        relations = self.parse_if_there(posixpath.join(folder, "_rels", f"{own}.rels"))
        return {
            relation.get("Id"): (
                relation.get("Type").rpartition("/")[2],
                posixpath.normpath(posixpath.join(folder, relation.get("Target"))).lstrip("/"),
            )
            for relation in (relations.elements if relations else ())
            # What lies elsewhere, such as a template on a server, is never asked for.
            if relation.get("TargetMode") != "External"
        }

    def find_main_part(self, default: str) -> str:
        return next((part for kind, part in self.list_relations("").values() if kind == "officeDocument"), default)
