"""Mails whose files are wrapped: packed by Outlook, signed, encrypted, cut short, named by nobody."""

import base64
import struct

HEAD = b"From: Ada <a@b.example>\nTo: c@d.example\nSubject: Papers\nMIME-Version: 1.0\n"


def make_mail_of(*parts: tuple[str, bytes]) -> bytes:
    """Each with its headers."""
    body = b"".join(b"--B\n" + headers.encode() + b"\n" + content + b"\n" for headers, content in parts)
    return HEAD + b'Content-Type: multipart/mixed; boundary="B"\n\n' + body + b"--B--\n"


def encode(headers: str, data: bytes, *, cut: int = 0) -> tuple[str, bytes]:
    text = base64.encodebytes(data).rstrip()
    return f"{headers}\nContent-Transfer-Encoding: base64\n", text[: len(text) - cut]


def attribute(level: int, name: int, data: bytes) -> bytes:
    return struct.pack("<BHHI", level, name, 0, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def properties(*values: tuple[int, int, bytes]) -> bytes:
    """Type, number and bytes, each of one value with a length."""
    packed = struct.pack("<I", len(values))
    for kind, number, value in values:
        packed += struct.pack("<HHII", kind, number, 1, len(value)) + value.ljust(-(-len(value) // 4) * 4, b"\0")
    return packed


def make_tnef(*files: tuple[str, bytes], text: bytes = b"", rtf: bytes = b"") -> bytes:
    packed = b"\x78\x9f\x3e\x22\x01\x00"
    if text:
        packed += attribute(1, 0x800C, text + b"\0")
    if rtf:
        packed += attribute(1, 0x9003, properties((0x102, 0x1009, rtf)))
    for name, data in files:
        packed += attribute(2, 0x9002, bytes(14)) + attribute(2, 0x8010, b"SHORT~1.PDF\0") + attribute(2, 0x800F, data)
        packed += attribute(2, 0x9005, properties((0x1F, 0x3707, f"{name}\0".encode("utf-16-le"))))
    return packed


def element(tag: int, content: bytes, *, is_open: bool = False) -> bytes:
    if is_open:
        return bytes([tag, 0x80]) + content + b"\0\0"
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x84]) + struct.pack(">I", size)
    return bytes([tag]) + length + content


def sign(content: bytes, *, is_open: bool = False) -> bytes:
    """Signed data without signers; `is_open`: with lengths left open, and its octets in pieces."""
    middle = len(content) // 2
    octets = element(0x04, content[:middle]) + element(0x04, content[middle:])
    inner = element(0x24, octets, is_open=True) if is_open else element(0x04, content)
    wrapped = element(0x06, bytes.fromhex("2a864886f70d010701")) + element(0xA0, inner, is_open=is_open)
    body = element(0x02, b"\x01") + element(0x31, b"") + element(0x30, wrapped, is_open=is_open) + element(0x31, b"")
    signed = element(0xA0, element(0x30, body, is_open=is_open), is_open=is_open)
    return element(0x30, element(0x06, bytes.fromhex("2a864886f70d010702")) + signed, is_open=is_open)


def encrypt(content: bytes) -> bytes:
    return element(0x30, element(0x06, bytes.fromhex("2a864886f70d010703")) + element(0xA0, element(0x30, content)))
