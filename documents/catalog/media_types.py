"""Which files are taken in, by their extensions, and which of them contain their text."""

from __future__ import annotations

from documents.models import Document

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "webp": "image/webp",
    "gif": "image/gif",
    "bmp": "image/bmp",
    "heic": "image/heic",
    "heif": "image/heif",
    "avif": "image/avif",
    "jp2": "image/jp2",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "xml": "application/xml",
    "html": "text/html",
    "htm": "text/html",
    "rtf": "application/rtf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "doc": "application/msword",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xls": "application/vnd.ms-excel",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "docm": "application/vnd.ms-word.document.macroenabled.12",
    "dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "dotm": "application/vnd.ms-word.template.macroenabled.12",
    "xlsm": "application/vnd.ms-excel.sheet.macroenabled.12",
    "xltx": "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
    "xltm": "application/vnd.ms-excel.template.macroenabled.12",
    "pptm": "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    "ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    "ppsm": "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    "potx": "application/vnd.openxmlformats-officedocument.presentationml.template",
    "potm": "application/vnd.ms-powerpoint.template.macroenabled.12",
    "ott": "application/vnd.oasis.opendocument.text-template",
    "ots": "application/vnd.oasis.opendocument.spreadsheet-template",
    "otp": "application/vnd.oasis.opendocument.presentation-template",
    "fodt": "application/vnd.oasis.opendocument.text-flat-xml",
    "fods": "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
    "fodp": "application/vnd.oasis.opendocument.presentation-flat-xml",
    "eml": "message/rfc822",
    "mhtml": "multipart/related",
    "mht": "multipart/related",
    "ics": "text/calendar",
    "p7m": "application/pkcs7-mime",
    "dat": "application/ms-tnef",
    "msg": "application/vnd.ms-outlook",
    "zip": "application/zip",
}
TAKEN_IN = "Upload a PDF, a picture, a Word, Excel, PowerPoint or OpenDocument file, a text, a mail or a ZIP file."
"""In words, for whoever sent something else."""
# Kinds that are not read, and the way out. XLSB: pyxlsb is of 2022 and knows neither number formats nor formulas, and
# calamine gives the plain values alone: 1,734,560 where the sheet shows 1,735k.
INSTEAD = {"xlsb": "Save it as XLSX, then upload that."}
# Kinds whose text stands in the file: there is nothing to recognize.
_TEXT_TYPES = frozenset(
    media_type
    for extension, media_type in MEDIA_TYPES.items()
    if not media_type.startswith("image/") and extension not in ("pdf", "docx", "docm", "dotx", "dotm", "doc", "ppt")
)


def needs_ocr(document: Document) -> bool:
    """By what it was uploaded as: a new name changes nothing."""
    return document.media_type not in _TEXT_TYPES


def get_extension(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""
