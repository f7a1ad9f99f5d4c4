"""Tell the kind of an office file by its container: a ZIP archive by its parts, an OLE file by its streams."""

from typing import BinaryIO

import olefile

from reader.failures import Unreadable, make_damage_error
from reader.kinds import Kind
from reader.office.package import Package

FOLDERS: dict[str, Kind] = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
# By the beginning of what a part named so holds. Templates and drawings begin as their documents do.
OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
OLD = "It is an old {} file ({}) under another name. Give it its own, or save it as {}, then upload that."
BINARY_BOOK = "xl/workbook.bin"
XLSB = "Binary Excel files (XLSB) are not read. Save it as XLSX, then upload that."
STREAMS = {
    "EncryptedPackage": "The file is locked with a password. Save it without one, then upload it.",
    "WordDocument": OLD.format("Word", "DOC", "DOCX"),
    "PowerPoint Document": OLD.format("PowerPoint", "PPT", "PPTX"),
}


def find_kind(file: BinaryIO, kind: Kind) -> Kind:
    """Raises Unreadable for what is not read."""
    if kind == "zip":
        return find_kind_of_archive(Package(file))
    return find_kind_of_ole(file) if kind == "ole" else kind


def find_kind_of_archive(package: Package) -> Kind:
    if "mimetype" in package.names:
        media_type = package.read("mimetype").decode("ascii", "replace").strip()
        if media_type.startswith(OPEN_DOCUMENT):
            return "ods" if "spreadsheet" in media_type else "odf"
    if BINARY_BOOK in package.names:
        raise Unreadable(XLSB)
    if "[Content_Types].xml" in package.names:
        for folder, kind in FOLDERS.items():
            if any(name.startswith(folder) for name in package.names):
                return kind
    return "zip"


def find_kind_of_ole(file: BinaryIO) -> Kind:
    try:
        with olefile.OleFileIO(file) as ole:
            for stream, sentence in STREAMS.items():
                if ole.exists(stream):
                    raise Unreadable(sentence)
            if ole.exists("__properties_version1.0"):
                return "msg"
            if ole.exists("Workbook") or ole.exists("Book"):
                return "xls"
    except (OSError, ValueError, IndexError, TypeError) as error:
        raise make_damage_error("it begins like an old Office file, but is none") from error
    raise Unreadable("The file is of a kind that is not read: neither PDF, nor picture, nor text.")
