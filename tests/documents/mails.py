"""Mails and archives with files in them."""

import struct
from email.message import EmailMessage

from tests.documents.office_files import pack

NOSTREAM, END_OF_CHAIN, FREE, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
SECTOR = 512


def make_mail(*attachments: tuple[str, bytes], subject: str = "Rechnung für Mai", text: str = "Total 12.50") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Müller <m@example.com>", "ap@example.org", subject
    mail["Message-ID"] = "<1@example.com>"
    mail.set_content(text)
    mail.add_alternative(f"<h1>Invoice</h1><p>{text}</p><img src='cid:logo'>", subtype="html")
    for name, data in attachments:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return mail.as_bytes()


def make_archive(*files: tuple[str, bytes]) -> bytes:
    return pack(dict(files))


class OleFile:
    """A compound file of version 3 whose streams all have sectors of their own ([MS-CFB])."""

    def __init__(self) -> None:
        self.sectors: list[bytes] = []
        self.chain: list[int] = []
        self.entries: list[bytes] = []

    def add_stream(self, data: bytes) -> int:
        data = data.ljust(4096, b"\0")
        first = len(self.sectors)
        parts = [data[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(data), SECTOR)]
        self.sectors += parts
        self.chain += [first + at + 1 for at in range(len(parts) - 1)] + [END_OF_CHAIN]
        return first

    def add_entry(
        self, name: str, kind: int, *, right: int = NOSTREAM, child: int = NOSTREAM, data: bytes = b""
    ) -> None:
        encoded = name.encode("utf-16-le") + b"\0\0"
        start = self.add_stream(data) if kind == 2 else END_OF_CHAIN
        head = encoded.ljust(64, b"\0") + struct.pack("<HBB", len(encoded), kind, 1)
        links = struct.pack("<III", NOSTREAM, right, child)
        self.entries.append(head + links + bytes(36) + struct.pack("<IQ", start, max(4096, len(data)) * (kind == 2)))

    def pack(self) -> bytes:
        directory = b"".join(self.entries)
        first = self.add_stream(directory.ljust(-(-len(directory) // SECTOR) * SECTOR, b"\0"))
        fat_sectors = 1 + len(self.sectors) // 127
        table = [*self.chain, *[FAT] * fat_sectors]
        places = [len(self.chain) + at for at in range(fat_sectors)]
        table += [FREE] * (128 * fat_sectors - len(table))
        head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(6)
        head += struct.pack("<IIIIIIIII", 0, fat_sectors, first, 0, 4096, END_OF_CHAIN, 0, END_OF_CHAIN, 0)
        head += b"".join(struct.pack("<I", place) for place in [*places, *[FREE] * (109 - len(places))])
        return head + b"".join(self.sectors) + struct.pack(f"<{len(table)}I", *table)


def make_message(
    subject: str,
    text: str,
    attachment: tuple[str, bytes],
    *,
    place: str = "",
    body: tuple[str, bytes] | None = None,
    code_page: int = 0,
) -> bytes:
    """As Outlook stores it; each stream's text ends with what its sectors are filled with. With a place an invitation.

    body: number and bytes of another form of the text.
    """
    ole = OleFile()
    streams = {"0037001F": subject, "0C1A001F": "Ada", "0E04001F": "ap@example.org", "1000001F": text}
    ole.add_entry("Root Entry", 5, child=1)
    encoded = {number: value.encode("utf-16-le") for number, value in streams.items()}
    sent = struct.pack("<IIQ", 0x00390040, 6, 134170416000000000)
    sent += struct.pack("<IIQ", 0x3FFD0003, 6, code_page) if code_page else b""
    if body:
        del encoded["1000001F"]
        encoded[body[0]] = body[1]
    if place:
        # The file's second own number is that of the place, its third that of the begin.
        encoded["001A001F"], encoded["8001001F"] = (
            "IPM.Schedule.Meeting.Request".encode("utf-16-le"),
            place.encode("utf-16-le"),
        )
        sent += struct.pack("<IIQ", 0x80020040, 6, 134171316000000000)
        sent += struct.pack("<IIQ", 0x00610040, 6, 134171352000000000)
    ole.add_entry("__properties_version1.0", 2, right=2, data=bytes(32) + sent)
    for at, (number, value) in enumerate(encoded.items(), start=2):
        ole.add_entry(f"__substg1.0_{number}", 2, right=at + 1, data=value)
    first = len(ole.entries) + 1
    ole.add_entry("__attach_version1.0_#00000000", 1, child=first, right=first + 2 if place else NOSTREAM)
    ole.add_entry("__substg1.0_3707001F", 2, right=len(ole.entries) + 1, data=attachment[0].encode("utf-16-le"))
    ole.add_entry("__substg1.0_37010102", 2, data=attachment[1])
    if place:
        names = b"".join(struct.pack("<IHH", *entry) for entry in [(0x10, 1, 0), (0x8208, 2, 1), (0x820D, 2, 2)])
        ole.add_entry("__nameid_version1.0", 1, child=len(ole.entries) + 1)
        ole.add_entry("__substg1.0_00030102", 2, data=names)
    return ole.pack()
