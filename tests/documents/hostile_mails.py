"""Wrappings that grow, nest or repeat themselves, and letters of no encoding."""

import random
import struct
import zlib

from tests.documents.wrapped_mails import HEAD, attribute, element, encode, make_mail_of, make_tnef, properties, sign


def tnef_of_files(count: int = 100_000) -> bytes:
    return b"\x78\x9f\x3e\x22\x01\x00" + attribute(2, 0x9002, bytes(14)) * count


def tnef_of_values() -> bytes:
    """A property says that four thousand million values follow, and so does its list."""
    packed = struct.pack("<IHHI", 0xFFFFFFFF, 0x1102, 0x3701, 0xFFFFFFFF) + bytes(2_000_000)
    return make_tnef(("a.txt", b"x")) + attribute(2, 0x9005, packed) * 4


def tnef_of_repeats(megabytes: int = 6) -> bytes:
    """A compressed text that repeats one letter, 17 times with each two bytes."""
    head = struct.pack("<II4sI", 0, 0, b"LZFu", 0)
    body = b"\x00abcdefgh" + (b"\xff" + struct.pack(">H", (210 << 4) | 15) * 8) * (megabytes * 60_000)
    return make_tnef() + attribute(1, 0x9003, properties((0x102, 0x1009, head + body)))


def signed_in_signed(depth: int = 12) -> bytes:
    mail = HEAD + b"Content-Type: text/plain\n\nhello"
    for _ in range(depth):
        headers, content = encode('Content-Type: application/pkcs7-mime; name="smime.p7m"', sign(mail))
        mail = HEAD + headers.encode() + b"\n" + content
    return mail


def open_lengths(depth: int = 1_000_000) -> bytes:
    return element(0x30, element(0x06, bytes.fromhex("2a864886f70d010702")) + b"\xa0\x80" * depth, is_open=True)


def compressed_zeros(megabytes: int = 500) -> bytes:
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1_000_000)) for _ in range(megabytes)) + packer.flush()
    inner = element(0x30, element(0x06, bytes.fromhex("2a864886f70d010701")) + element(0xA0, element(0x04, packed)))
    content = element(0xA0, element(0x30, element(0x02, b"\0") + element(0x30, b"") + inner))
    return element(0x30, element(0x06, bytes.fromhex("2a864886f70d0109100109")) + content)


def letters_of_no_encoding(count: int = 400_000) -> bytes:
    letters = random.Random(1).choices(range(0x81, 0xFF), k=count)
    return make_mail_of(
        (
            "Content-Type: text/plain; charset=us-ascii\n",
            b"\n".join(bytes(letters[at : at + 80]) for at in range(0, count, 80)),
        )
    )
