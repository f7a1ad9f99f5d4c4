"""The same for files that name what lies elsewhere, hold other files, or are two kinds at once."""

import struct
import zlib

from tests.documents.mails import OleFile, make_archive, make_message
from tests.documents.office_files import CONTENT_TYPES, open_document, pack, paragraph, relations
from tests.documents.reader_files import pdf, text_at

PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def xls_of_far_cells(sheets: int = 8) -> bytes:
    """Sheets of two cells, the first and the last that there is ([MS-XLS])."""
    begin, end = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0)), record(0x000A)
    cells = (record(0x0203, struct.pack("<HHHd", *at, 0, 1.0)) for at in ((0, 0), (65_535, 255)))
    sheet = begin + b"".join(cells) + end
    book = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0))
    about = len(record(0x0085, bytes(8) + b"S0"))
    start = len(book) + sheets * about + len(end)
    named = (struct.pack("<IHBB", start + at * len(sheet), 0, 2, 0) + b"S%d" % at for at in range(sheets))
    stream = book + b"".join(record(0x0085, data) for data in named) + end + sheet * sheets
    ole = OleFile()
    ole.add_entry("Root Entry", 5, child=1)
    ole.add_entry("Workbook", 2, data=stream)
    return ole.pack()


def message_in_a_loop() -> bytes:
    """Each sector of its streams names itself as the next one, and each stream is two gigabytes long."""
    data = bytearray(make_message("Loop", "text", ("a.txt", b"x")))
    sectors = (len(data) - 512) // 512
    table = sectors - 1 - sectors // 128
    for at in range(table):
        struct.pack_into("<I", data, 512 + table * 512 + 4 * at, at)
    return bytes(data).replace(struct.pack("<Q", 4096), struct.pack("<Q", 0x7FFFFFFF))


def message_that_holds_itself() -> bytes:
    """The folder of its attachment is the root of the message."""
    data = make_message("Self", "text", ("a.txt", b"x"))
    name = "__attach_version1.0_#00000000".encode("utf-16-le")
    at = data.index(name) + 76  # the child of this entry
    return data[:at] + struct.pack("<I", 0) + data[at + 4 :]


def rtf_of_cells() -> bytes:
    return b"{\\rtf1 " + b"\\trowd\\cellx1\\intbl a\\cell" * 300_000 + b"\\row}"


def docx_of_remote_parts(elsewhere: str) -> bytes:
    """A template, a picture, a part and macros that Word would fetch or run."""
    kinds = ("attachedTemplate", "image", "aFChunk", "frame")
    named = "".join(
        f'<Relationship Id="x{at}" Type="{OFFICE}/{kind}" Target="{elsewhere}.dotm" TargetMode="External"/>'
        for at, kind in enumerate(kinds)
    )
    relations = f'<Relationships xmlns="{PACKAGE}">{named}</Relationships>'
    field = (
        "<w:fldSimple w:instr='DDEAUTO c:\\\\windows\\\\cmd.exe \"/k calc\"'><w:r><w:t>field</w:t></w:r></w:fldSimple>"
    )
    body = f"{paragraph('Total 12.50')}<w:p>{field}</w:p><w:altChunk r:id='x2'/>"
    parts = {"word/_rels/document.xml.rels": relations, "word/_rels/settings.xml.rels": relations}
    document = f"<w:document><w:body>{body}</w:body></w:document>"
    settings = '<w:settings><w:attachedTemplate r:id="x0"/></w:settings>'
    macros = {"word/document.xml": document, "word/settings.xml": settings, "word/vbaProject.bin": b"Attribute VB_Name"}
    return pack({"[Content_Types].xml": "<Types/>", **parts, **macros})


def odt_that_asks_elsewhere(elsewhere: str) -> bytes:
    frame = f'<draw:frame><draw:image xlink:href="{elsewhere}"/><draw:object xlink:href="{elsewhere}"/></draw:frame>'
    return open_document("text", f"<text:p>Total 12.50</text:p><text:p>{frame}</text:p>")


def html_that_asks_elsewhere(elsewhere: str) -> bytes:
    names = ("img src", "link rel=stylesheet href", "iframe src", "object data", "base href", "video src")
    asks = "".join(f"<{name}='{elsewhere}'>" for name in names)
    scripts = f"<script src='{elsewhere}'></script><script>while(1);</script>"
    return f"<html><body onload=x()><p>Total 12.50</p>{asks}</body>{scripts}".encode()


def svg_with_scripts(elsewhere: str) -> bytes:
    page = f"<foreignObject width='9' height='9'><iframe xmlns='http://www.w3.org/1999/xhtml' src='{elsewhere}'/></foreignObject>"
    style = f"<style>@import url({elsewhere}); rect {{ fill: url({elsewhere}#a) }}</style>"
    script = "<script>while (true) {}</script><rect width='9' height='9' onload='while(1){}'/>"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' onload='x()'>{style}{script}{page}</svg>".encode()
    )


def nested_xml() -> bytes:
    return b"<?xml version='1.0'?>" + b"<a>" * 1_000_000


def archive_in_archives(depth: int = 20) -> bytes:
    content = make_archive(("deepest.txt", b"x"))
    for _ in range(depth):
        content = make_archive(("a.zip", content))
    return content


def mail_in_mails(depth: int = 300) -> bytes:
    head = "From: a@b.c\nMIME-Version: 1.0\nMessage-ID: <1>\nContent-Type: {}\n\n"
    return (head.format("message/rfc822") * depth + head.format("text/plain") + "deepest").encode()


def archive_of_path_names() -> bytes:
    names = ("../../etc/passwd.txt", "/etc/shadow.txt", "C:\\Windows\\a.txt", "a/" * 3000 + "b.txt", "\n.txt", "..")
    return pack(dict.fromkeys(names, b"x"))


def pdf_and_archive() -> bytes:
    return pdf([text_at(20, 50, "Total 12.50 of the PDF")]) + make_archive(("a.txt", b"of the archive"))


def picture_and_page() -> bytes:
    return b"GIF89a/*<html><script>alert(1)</script><p>Total 12.50</p>*/" + bytes(100)


def archive_of_flat_text(megabytes: int = 900) -> bytes:
    """A file that unpacks to far more than an upload may have, and says that it is small."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = bytes(1 << 20)
    packed = b"".join(packer.compress(block) for _ in range(megabytes)) + packer.flush()
    head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, 0, len(packed), 1000, 5, 0)
    entry = struct.pack("<4sH", b"PK\1\2", 20) + head + struct.pack("<HHHII", 0, 0, 0, 0, 0) + b"a.txt"
    local = b"PK\3\4" + head + b"a.txt" + packed
    return local + entry + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)


def docx_of_pictures(count: int = 600, side: int = 7700) -> bytes:
    """One picture of 59 megapixels again and again, each of them a few bytes."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes((side // 8 + 2) * side), 9)),
        (b"IEND", b""),
    )
    packed = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    shown = '<w:p><w:r><a:blip r:embed="r0"/></w:r></w:p>' * count
    parts = {"word/document.xml": f"<w:document><w:body>{shown}</w:body></w:document>"}
    named = {"word/_rels/document.xml.rels": relations(("image", "media/a.png"))}
    return pack(CONTENT_TYPES | parts | named | {"word/media/a.png": b"\x89PNG\r\n\x1a\n" + b"".join(packed)})
