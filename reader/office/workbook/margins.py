"""Headers and footers of sheets (ECMA-376 part 1, 18.3.1.46): what they say, without their codes."""

import re

CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d{1,3}|([&A-Za-z+-]))', re.S)
PART = re.compile(r"&[LCR]")
# Pages, days and times differ wherever it is printed: "Page &P of &N" says nothing of the sheet.
CHANGING = re.compile(r"&[PNDT]")
MIN_WORDS = 3


def read_margin(text: str, sheet: str) -> str:
    doubled = text.replace("&&", "\0")
    return "  ".join(filter(None, (read_part(part, sheet) for part in PART.split(doubled))))


def read_part(part: str, sheet: str) -> str:
    text = CODE.sub(lambda match: sheet if match[1] == "A" else "", part)
    words = text.replace("\0", "&").split()
    return "" if CHANGING.search(part) and len(words) < MIN_WORDS else " ".join(words)
