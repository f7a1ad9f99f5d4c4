"""Small files made for the reader's tests."""

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

DATA = Path(__file__).resolve().parents[1] / "data"
PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
FILE_ID = b"0123456789abcdef"


def text_at(x: float, y: float, text: str, *, size: float = 12, before: str = "") -> str:
    return f"q {before} BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET Q\n"


def pdf(contents: Sequence[str], *, page: str = "/MediaBox [0 0 200 100]", images: Sequence[Image.Image] = ()) -> bytes:
    """Pages with Helvetica as /F1 and the pictures as /I0, /I1 …"""
    return assemble(*objects_of([c.encode("latin-1") for c in contents], page, images))


def shift_letters(lines: Sequence[str], shift: int) -> bytes:
    """A page that shows the lines, and whose font gives its letters out as those that stand so much further on."""
    content = "".join(text_at(30, 250 - 30 * at, line, size=14) for at, line in enumerate(lines))
    objects, trailer = objects_of([content.encode()], "/MediaBox [0 0 400 300]", ())
    objects[2] = objects[2].replace(b" >>", b" /ToUnicode %d 0 R >>" % (len(objects) + 1))
    codes = [(code, code + shift if chr(code).isalnum() else code) for code in range(32, 127)]
    table = b"".join(b"<%02x> <%04x>\n" % pair for pair in codes)
    space = b"1 begincodespacerange <00> <ff> endcodespacerange"
    cmap = b"begincmap %b %d beginbfchar\n%bendbfchar endcmap" % (space, len(codes), table)
    return assemble([*objects, b"<< /Length %d >> stream\n%b\nendstream" % (len(cmap), cmap)], trailer)


def encrypt_pdf(content: str, password: str) -> bytes:
    """RC4 with 40 bits, revision 2 (ISO 32000-1, 7.6.3): the oldest scheme and the shortest to write."""
    owner, key = make_keys(password)
    # The first content stream is object 4.
    objects, _ = objects_of([encrypt_object(key, 4, content.encode())], "/MediaBox [0 0 200 100]", ())
    user = rc4(key, PADDING)
    objects.append(
        b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (owner.hex().encode(), user.hex().encode())
    )
    identity = FILE_ID.hex().encode()
    return assemble(objects, b"/Encrypt %d 0 R /ID [<%s> <%s>]" % (len(objects), identity, identity))


def make_keys(password: str) -> tuple[bytes, bytes]:
    """The entry of the owner, and the key of the file."""
    padded = (password.encode() + PADDING)[:32]
    owner = rc4(hashlib.md5(padded).digest()[:5], padded)
    permissions = -4
    return owner, hashlib.md5(padded + owner + permissions.to_bytes(4, "little", signed=True) + FILE_ID).digest()[:5]


def encrypt_object(key: bytes, number: int, data: bytes) -> bytes:
    return rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)


def objects_of(contents: Sequence[bytes], page: str, images: Sequence[Image.Image]) -> tuple[list[bytes], bytes]:
    """Objects 1 catalog, 2 pages, 3 font, then a stream and a page for each content, then the pictures."""
    first_image = 4 + 2 * len(contents)
    pictures = " ".join(f"/I{i} {first_image + i} 0 R" for i in range(len(images)))
    kids = " ".join(f"{5 + 2 * i} 0 R" for i in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for index, content in enumerate(contents):
        objects.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(content), content))
        resources = f"/Resources << /Font << /F1 3 0 R >> /XObject << {pictures} >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {page} {resources} /Contents {4 + 2 * index} 0 R >>".encode())
    return objects + [image_object(image) for image in images], b""


def image_object(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.convert("L").save(data, "JPEG", quality=90)
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} /ColorSpace /DeviceGray"
        f" /BitsPerComponent 8 /Filter /DCTDecode /Length {len(data.getvalue())} >> stream\n"
    )
    return head.encode() + data.getvalue() + b"\nendstream"


def assemble(objects: list[bytes], trailer: bytes) -> bytes:
    file, places = bytearray(b"%PDF-1.7\n"), list[int]()
    for number, body in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    ending = b"trailer << /Root 1 0 R /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (count, trailer, len(file))
    return bytes(file) + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + ending


def rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    result, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        result.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(result)
