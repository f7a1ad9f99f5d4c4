"""The parts that a picture file consists of, counted before a decoder keeps each of them."""

from typing import BinaryIO

from reader.failures import OverLimit
from reader.kinds import Kind

# A picture of 50 MB in the usual chunks of 8 kB has 6,400; 100,000 take a decoder a third of a second.
MAX_CHUNKS = 100_000
# Segments of a JPEG before its first line: profiles and thumbnails come in some hundred.
MAX_SEGMENTS = 10_000
START_OF_SCAN = 0xDA


def check_parts(file: BinaryIO, kind: Kind) -> None:
    """Raises OverLimit for more than an honest picture has. What is broken is left for the decoder to say."""
    if kind == "png":
        check_chunks(file)
    elif kind == "jpeg":
        check_segments(file)
    file.seek(0)


def check_chunks(file: BinaryIO) -> None:
    file.seek(8)
    for _ in range(MAX_CHUNKS):
        head = file.read(8)
        if len(head) < 8 or head[4:] == b"IEND":
            return
        file.seek(int.from_bytes(head[:4], "big") + 4, 1)
    raise OverLimit(f"The picture consists of more than {MAX_CHUNKS:,} chunks.")


def check_segments(file: BinaryIO) -> None:
    """Bytes that only fill count as well: a decoder reads them one by one."""
    file.seek(2)
    for _ in range(MAX_SEGMENTS):
        head = file.read(2)
        if len(head) < 2 or head[1] == START_OF_SCAN:
            return
        if head[0] != 0xFF or head[1] in (0, 0xFF):
            file.seek(-1, 1)
        elif not 0xD0 <= head[1] <= 0xD9:
            length = file.read(2)
            file.seek(max(0, int.from_bytes(length, "big") - 2), 1)
    raise OverLimit(f"The picture has more than {MAX_SEGMENTS:,} segments before its first line.")
