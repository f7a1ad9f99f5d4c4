"""Bytes as text: by a mark, by what the file says where that can be true, else by the letters that come out.

Browsers read iso-8859-1 as windows-1252, and so do we (https://encoding.spec.whatwg.org, 4.2).
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from reader.alphabets import DOUBLE, SINGLE, rate
from reader.gaps import Gap

BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# By Python's names. These a person may choose; the names are what the page calls them.
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "cp1252": "Western European (Windows-1252)",
    "iso8859-15": "Western European (Latin-9)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (Latin-2)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-u": "Cyrillic (KOI8)",
    "cp866": "Cyrillic (DOS 866)",
    "iso8859-5": "Cyrillic (ISO 8859-5)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp1257": "Baltic (Windows-1257)",
    "cp874": "Thai (Windows-874)",
    "cp850": "Western European (DOS 850)",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
    "gb18030": "GB18030",
    "big5hkscs": "Big5",
    "cp949": "EUC-KR",
}
# Programs write these into a file without looking at its letters.
EMPTY_CLAIMS = frozenset(("ascii", "iso8859-1", "cp1252", "iso8859-15"))
SAMPLE = 4_000
# A letter that fits at its best counts 1. Below this they fit as well as any.
PLAUSIBLE = 0.5
# No other encoding is rated higher.
BEST = 1.0
IMPOSSIBLE = -9.0
WITHOUT_CONTROLS = bytes(each for each in range(256) if each >= 32 or each in b"\t\n\v\f\r\x1b\x1a")
# Beside these letters and signs, what is read as UTF-16 is something else.
STRANGE = re.compile(
    "[^\t\n\v\f\r -~\xa0-\u024f\u0370-\u052f\u0590-\u06ff\u0e00-\u0e7f\u2000-\u2044\u20a0-\u20bf\u2100-\u2122"
    "\u2460-\u2473\u3000-\u30ff\u3200-\u33ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]"
)
# Add this for encodings that are met more often, or less often, than others.
HEAD_STARTS = {"cp1252": 0.15, "cp850": -0.15, "iso8859-5": -0.05, "cp866": -0.05, "iso8859-2": -0.05}
# DOS ends a text with it.
END_OF_FILE = "\x1a"
# A byte of a character may be cut at the end of what was read, or of the file.
CUT = 3
# A share of the lines beside ASCII: by chance few lines of another encoding are valid UTF-8.
MAX_ODD_LINES = 0.7
CUT_REASONS = ("unexpected end of data", "incomplete multibyte sequence")


class DecodedText(NamedTuple):
    """`guess`: the encoding that nothing in the file says."""

    text: str
    encoding: str
    guess: str = ""

    def list_gaps(self, part: str = "") -> Iterator[Gap]:
        if self.guess:
            yield Gap("encoding", describe_guess(self.guess), None, part)


@dataclass(frozen=True)
class Candidate:
    encoding: str
    score: float


def describe_guess(encoding: str) -> str:
    name = ENCODINGS.get(encoding, encoding)
    return f"Read as {name}: nothing in the file says so. If letters are wrong, choose another encoding."


def decode_text(data: bytes, *, chosen: str = "", declared: str = "") -> DecodedText:
    """chosen: by a person, and so no guess. NUL, which PostgreSQL keeps in no text, becomes a space."""
    text, encoding, guess = _decode(data, chosen, find_name(declared))
    return DecodedText(text.rstrip(END_OF_FILE).replace("\0", " "), encoding, guess)


def _decode(data: bytes, chosen: str, declared: str) -> DecodedText:
    if chosen:
        return DecodedText(data.decode(chosen, "replace").lstrip("\ufeff"), chosen)
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return decode_marked(data, encoding) or decode_unmarked(data[len(mark) :], declared)
    if declared and declared not in EMPTY_CLAIMS and (text := decode_strictly(data, declared)) is not None:
        return DecodedText(text, declared)
    if wide := find_wide(data):
        return DecodedText(data.decode(wide, "replace"), wide, wide)
    if b"\x1b$" in data and (text := decode_strictly(data, "iso2022_jp")) is not None:
        return DecodedText(text, "iso2022_jp")
    if (text := decode_strictly(data, "utf-8")) is not None:
        return DecodedText(text, "utf-8")
    return _guess(data, declared)


def decode_marked(data: bytes, encoding: str) -> DecodedText | None:
    """None where what follows the mark is no text in its encoding."""
    if encoding == "utf-8-sig":
        is_true = decode_strictly(data, encoding) is not None or is_mostly_utf8(data)
    else:
        text = data.decode(encoding, "replace")
        is_true = is_of_letters(text[:SAMPLE]) or not is_of_letters(data[:SAMPLE].decode("latin-1"))
    return DecodedText(data.decode(encoding, "replace"), encoding) if is_true else None


def decode_unmarked(data: bytes, declared: str) -> DecodedText:
    """A text whose mark is not true."""
    decoded = _guess(data, declared)
    return decoded._replace(guess=decoded.guess or decoded.encoding)


def decode_mixed(data: bytes, declared: str) -> DecodedText | None:
    """A text whose lines programs wrote in UTF-8 and in another encoding; None of one that is in one alone."""
    lines = data.splitlines(keepends=True)
    others = [line for line in lines if not line.isascii()]
    odd = [line for line in others if decode_strictly(line, "utf-8") is None]
    if not odd or len(odd) > MAX_ODD_LINES * len(others):
        return None
    rest = _guess(b"".join(odd), declared)
    texts = (decode_strictly(line, "utf-8") or line.decode(rest.encoding, "replace") for line in lines)
    return DecodedText("".join(texts), "utf-8", "utf-8")


def _guess(data: bytes, declared: str) -> DecodedText:
    if is_mostly_utf8(data):
        return DecodedText(data.decode("utf-8", "replace"), "utf-8", "utf-8")
    if mixed := decode_mixed(data, declared):
        return mixed
    ranked = rank_encodings(take_sample(data))
    for candidate in ranked:
        text = decode_strictly(data, candidate.encoding)
        if text is None:
            continue
        if candidate.encoding == "cp1252" and "¤" in text and "€" not in text:
            return DecodedText(text.translate(LATIN_9), "iso8859-15", "" if declared == "iso8859-15" else "iso8859-15")
        is_sure = candidate.encoding == "cp1252" and (declared in EMPTY_CLAIMS or fits_best(candidate, ranked))
        return DecodedText(text, candidate.encoding, "" if is_sure else candidate.encoding)
    return DecodedText(data.decode("cp1252", "replace"), "cp1252", "cp1252")


def fits_best(candidate: Candidate, ranked: list[Candidate]) -> bool:
    """Without what is added because it is met more often."""
    return candidate.score >= max(PLAUSIBLE, *(each.score for each in ranked))


# Where Latin-9 differs from Windows-1252 (ISO/IEC 8859-15).
LATIN_9 = str.maketrans("¤¦¨´¸¼½¾", "€ŠšŽžŒœŸ")


def find_name(declared: str) -> str:
    """Python's name of an encoding, windows-1252 for iso-8859-1 and ASCII; empty for none that it knows."""
    try:
        codec = codecs.lookup(declared.strip()).name if declared.strip() else ""
        "".encode(codec or "ascii")
    except (LookupError, ValueError):
        return ""
    return "cp1252" if codec in ("ascii", "iso8859-1") else codec


def decode_strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        is_cut = len(data) - error.start <= CUT and error.reason in CUT_REASONS
        if not is_cut or data[: error.start].isascii():
            return None
        return data[: error.start].decode(encoding, "replace") + "\ufffd"
    except (LookupError, UnicodeError):
        return None


def find_wide(data: bytes) -> str:
    """UTF-16 without a mark: one of its orders gives letters of the world alone, and its bytes are no other text."""
    head = data[: min(len(data), 4096) // 2 * 2]
    controls = count_controls(head)
    if not controls or (controls < len(head) * 0.25 and decode_strictly(head, "utf-8") is not None):
        return ""
    texts = {encoding: decode_strictly(head, encoding) for encoding in ("utf-16-le", "utf-16-be")}
    fitting = [
        (sum(map(str.isascii, text)), encoding) for encoding, text in texts.items() if text and is_of_letters(text)
    ]
    return max(fitting)[1] if fitting else ""


def count_controls(data: bytes) -> int:
    return len(data.translate(None, WITHOUT_CONTROLS))


def is_of_letters(text: str) -> bool:
    return len(STRANGE.sub("", text)) >= 0.98 * len(text)


def is_mostly_utf8(data: bytes) -> bool:
    sample = take_sample(data).decode("utf-8", "replace")
    others = sum(each > "\x7f" for each in sample)
    return others > 0 and sample.count("\ufffd") < others * 0.1


def take_sample(data: bytes) -> bytes:
    """The lines with letters beside ASCII."""
    sample = bytearray()
    for line in data[:2_000_000].split(b"\n"):
        if not line.isascii():
            sample += line[:2000] + b"\n"
        if len(sample) > SAMPLE:
            break
    return bytes(sample) or data[:SAMPLE]


@lru_cache(maxsize=4)
def rank_encodings(sample: bytes) -> list[Candidate]:
    """The best first; of equals the one that is met more often."""
    commonest = Candidate("cp1252", rate_reading(sample, "cp1252"))
    if commonest.score >= BEST:
        return [commonest]
    candidates = [Candidate(encoding, rate_reading(sample, encoding)) for encoding in (*SINGLE, *DOUBLE)]
    return sorted(candidates, key=lambda candidate: -(candidate.score + HEAD_STARTS.get(candidate.encoding, 0)))


def rate_reading(sample: bytes, encoding: str) -> float:
    text = decode_strictly(sample, encoding)
    return IMPOSSIBLE if text is None else rate(text, encoding)
