"""Small files that would take a reader without limits to gigabytes or minutes. Each is made in well under a second."""

import io
import struct
import zipfile
import zlib

from PIL import Image

from tests.documents.reader_files import assemble, pdf

PAGE = b"/MediaBox [0 0 595 842]"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def stream(content: bytes, head: bytes = b"") -> bytes:
    packed = zlib.compress(content, 1)
    return b"<< %s /Filter /FlateDecode /Length %d >> stream\n%s\nendstream" % (head, len(packed), packed)


def pack_again_and_again(block: bytes, times: int, head: bytes = b"") -> bytes:
    """The head, then the block so many times, packed without going through all of it; the checksum is missing."""
    packer = zlib.compressobj(9)
    start = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + packed * times


def one_page(content: bytes, *others: bytes, resources: bytes = b"/Font << /F1 5 0 R >>", page: bytes = PAGE) -> bytes:
    """A PDF whose page is object 3, its content object 4, its font object 5; `others` follow from 6 on."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R %s /Resources << %s >> /Contents 4 0 R >>" % (page, resources),
        content,
        FONT,
        *others,
    ]
    return assemble(objects, b"")


def csv_of_columns(columns: int = 300_000) -> bytes:
    return ",".join(f"c{number}" for number in range(columns)).encode()


def mail_of_parts(parts: int = 1500) -> bytes:
    """It starts as no mail does, so it is read as text."""
    part = '--b\nContent-Type: text/plain; name="a{0}.txt"\nContent-Disposition: attachment\n\npart {0} says nothing\n'
    return ("a mail\nSubject: parts\n\n" + "".join(part.format(number) * 2 for number in range(parts))).encode()


def endless_line(length: int = 3_000_000) -> bytes:
    return b'{"a":"' + b"x" * length + b'"}'


def empty_lines(count: int = 20_000_000) -> bytes:
    return b"a\n" + b"\n" * count


def content_bomb(megabytes: int = 1000) -> bytes:
    """Page content that is packed twice: three kilobytes become a gigabyte of empty saves and restores."""
    twice = zlib.compress(pack_again_and_again(b"q Q " * (1024 * 1024 // 4), megabytes))
    return one_page(b"<< /Filter [/FlateDecode /FlateDecode] /Length %d >> stream\n%s\nendstream" % (len(twice), twice))


def huge_page(side: int = 10_000_000) -> bytes:
    content = b"BT /F1 400000 Tf 100000 5000000 Td (Total 12.50) Tj ET"
    return one_page(stream(content), page=b"/MediaBox [0 0 %d %d]" % (side, side))


def make_nested_forms(levels: int = 8, width: int = 12) -> bytes:
    """Each form draws the next one twelve times: 430 million objects in three kilobytes."""
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>"
    forms = [
        b"<< %s /Length %d >> stream\n%s\nendstream" % (head % (7 + level), 5 * width, b"/X Do" * width)
        for level in range(levels)
    ]
    last = stream(b"0 0 1 1 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 595 842]")
    return one_page(stream(b"/X Do"), *forms, last, resources=b"/XObject << /X 6 0 R >>")


def page_of_words(words: int = 600_000) -> bytes:
    lines = (b"1 0 0 1 %d %d Tm (w%d) Tj" % (number % 90 * 6, number // 90 % 800, number) for number in range(words))
    return one_page(stream(b"BT /F1 4 Tf " + b"\n".join(lines) + b" ET"))


def one_long_text(characters: int = 600_000) -> bytes:
    """Few objects, and all the words in them."""
    line = b"(%s) Tj 0 -1 Td " % (b"word " * 2000)
    return one_page(stream(b"BT /F1 1 Tf 10 800 Td " + line * (characters // 10_000) + b"ET"))


def make_tiling_pattern(depth: int = 6) -> bytes:
    """A pattern of small cells whose cell is filled with the next pattern, and so on."""
    head = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 50 50] /XStep 1 /YStep 1 "
    fill = b"/Pattern cs /P scn 0 0 50 50 re f"
    patterns = [
        stream(fill, head + b"/Resources << /Pattern << /P %d 0 R >> >>" % (7 + level)) for level in range(depth)
    ]
    last = stream(b"1 0 0 rg " + b"0 0 49 49 re f " * 500, head + b"/Resources << >>")
    page = b"/Pattern cs /P scn 0 0 595 842 re f"
    return one_page(stream(page), *patterns, last, resources=b"/Pattern << /P 6 0 R >>")


def make_clipped_paths(count: int = 400_000) -> bytes:
    return one_page(stream(b"0 0 595 842 re W n 10 10 500 800 re 20 20 m 300 900 l 500 3 l f* " * count))


def page_tree(depth: int = 20_000) -> bytes:
    """A page at the end of a chain of nodes that have one child each."""
    nodes = [b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (number + 1) for number in range(2, 2 + depth)]
    page = b"<< /Type /Page /Parent %d 0 R %s >>" % (1 + depth, PAGE)
    return assemble([b"<< /Type /Catalog /Pages 2 0 R >>", *nodes, page], b"")


def many_pages(count: int = 100_000) -> bytes:
    """One page named again and again."""
    kids = b"3 0 R " * count
    return assemble(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
            b"<< /Type /Page /Parent 2 0 R %s >>" % PAGE,
        ],
        b"",
    )


def table_loop() -> bytes:
    """The cross-reference table names itself as the one before it."""
    data = pdf(["BT /F1 12 Tf 20 70 Td (Nothing out of the ordinary) Tj ET"])
    start = data.index(b"xref\n")
    return data.replace(b"/Root 1 0 R", b"/Prev %d /Root 1 0 R" % start)


def many_annotations(count: int = 50_000) -> bytes:
    note = b"<< /Type /Annot /Subtype /Square /Rect [10 10 500 800] /F 4 /AP << /N 6 0 R >> >>"
    looks = stream(b"0 0 100 100 re f " * 50, b"/Type /XObject /Subtype /Form /BBox [0 0 100 100]")
    return one_page(stream(b""), looks, page=PAGE + b" /Annots [" + note * count + b"]")


def huge_font(megabytes: int = 400) -> bytes:
    """An embedded font that is nothing but zeros, hundreds of megabytes of them."""
    head = b"\0\1\0\0" + struct.pack(">HHHH", 1, 16, 0, 0) + b"glyf" + struct.pack(">III", 0, 28, megabytes << 20)
    packed = pack_again_and_again(bytes(1 << 20), megabytes, head)
    file = b"<< /Filter /FlateDecode /Length %d >> stream\n%s\nendstream" % (len(packed), packed)
    font = b"<< /Type /Font /Subtype /TrueType /BaseFont /Big /FirstChar 32 /LastChar 32 /Widths [500]"
    font += b" /FontDescriptor 7 0 R >>"
    descriptor = b"<< /Type /FontDescriptor /FontName /Big /Flags 4 /FontFile2 8 0 R >>"
    text = stream(b"BT /F2 12 Tf 20 700 Td (Nothing here is out of the ordinary) Tj ET")
    return one_page(text, font, descriptor, file, resources=b"/Font << /F1 5 0 R /F2 6 0 R >>")


def huge_unicode_map(entries: int = 2_000_000) -> bytes:
    block = b"100 beginbfrange\n" + b"<0000> <ffff> <0041>\n" * 100 + b"endbfrange\n"
    font = FONT.replace(b">>", b"/ToUnicode 7 0 R >>")
    text = stream(b"BT /F2 12 Tf 20 700 Td (Nothing here is out of the ordinary) Tj ET")
    return one_page(text, font, stream(block * (entries // 100)), resources=b"/Font << /F1 5 0 R /F2 6 0 R >>")


def large_picture(side: int = 6300) -> bytes:
    """Not hostile: white, in the kind that takes most memory, and nearly as large as may be."""
    return encode(Image.new("RGB", (side, side), "white"), "WEBP", method=0)


def larger_picture() -> bytes:
    return large_picture(6500)


def make_looped_tiff() -> bytes:
    """Its only directory names itself as the next one."""
    data = bytearray(encode(Image.new("L", (100, 100), 255), "TIFF"))
    [start] = struct.unpack_from("<I", data, 4)
    [count] = struct.unpack_from("<H", data, start)
    struct.pack_into("<I", data, start + 2 + 12 * count, start)
    return bytes(data)


def chunk_bomb(megabytes: int = 300) -> bytes:
    """A small PNG with packed text chunks that unpack to hundreds of megabytes."""
    data = encode(Image.new("L", (10, 10), 255), "PNG")
    body = b"Comment\0\0" + pack_again_and_again(bytes(1 << 20), megabytes)
    text = struct.pack(">I", len(body)) + b"zTXt" + body + struct.pack(">I", zlib.crc32(b"zTXt" + body))
    return data[:33] + text + data[33:]


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def many_chunks(count: int = 2_000_000) -> bytes:
    """A small PNG with two million texts before its pixels."""
    data = encode(Image.new("L", (10, 10), 255), "PNG")
    return data[:33] + chunk(b"tEXt", b"a\0b") * count + data[33:]


def many_late_chunks(count: int = 2_000_000) -> bytes:
    """The same behind the pixels, with chunks that nobody knows."""
    data = encode(Image.new("L", (10, 10), 255), "PNG")
    return data[:-12] + chunk(b"prVt") * count + data[-12:]


def many_segments(count: int = 5_000_000) -> bytes:
    """A small JPEG with millions of comments."""
    data = encode(Image.new("RGB", (10, 10)), "JPEG")
    return data[:2] + b"\xff\xfe\0\x04ab" * count + data[2:]


def make_filled_jpeg(count: int = 40_000_000) -> bytes:
    """Nothing but bytes that fill the room between two segments."""
    data = encode(Image.new("RGB", (10, 10)), "JPEG")
    return data[:2] + b"\xff" * count + data[2:]


def archive_of_members(count: int = 50_000) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for number in range(count):
            archive.writestr(str(number), b"")
    return data.getvalue()


def entities(levels: int = 12) -> bytes:
    """XML whose entities name each other ten times; it is read as the text that it is."""
    names = "abcdefghijklmnop"
    inner = "".join(f'<!ENTITY {names[at + 1]} "{f"&{names[at]};" * 10}">' for at in range(levels))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{inner}]><x>&{names[levels]};</x>'.encode()


def encode(picture: Image.Image, kind: str, **options: object) -> bytes:
    data = io.BytesIO()
    picture.save(data, kind, **options)
    return data.getvalue()


def lost_objects(count: int = 20_000) -> bytes:
    """No table of them, no catalog, and nodes that name each other."""
    node = b"%d 0 obj\n<< /Type /Pages /Kids [%d 0 R %d 0 R] >>\nendobj\n"
    nodes = b"".join(node % (number, number + 1, number // 2) for number in range(1, count))
    return b"%%PDF-1.4\n%b%d 0 obj << /Type /Page >> endobj" % (nodes, count)
