"""Values of cells as a sheet shows them: enough of its number formats for amounts, percentages and dates.

ECMA-376 part 1, 18.8.31; colours, conditions and fractions are left out, and months have their English names.
"""

import datetime
import re
from functools import lru_cache
from typing import NamedTuple

IGNORED = re.compile(r"\[(?!\$)[^\]]*\]|_.|\*.")
CURRENCY = re.compile(r"\[\$([^\]-]*)[^\]]*\]")
LITERAL = re.compile(r'"([^"]*)"|\\(.)')
PLACES = re.compile(r"[#0?][#0?,. ]*")
DATE_PART = re.compile(r'"[^"]*"|\\.|y+|m+|d+|h+|s+|AM/PM|.', re.I | re.S)
DATE_CODES = {"yyyy": "%Y", "yy": "%y", "mmmm": "%B", "mmm": "%b", "mm": "%m", "dddd": "%A", "ddd": "%a", "dd": "%d"}
# Number 14, which each program shows as its country writes dates: only the year first is unmistakable.
SHORT_DATE = "mm-dd-yy"
CLOCK_CODES = {"hh": "%H", "ss": "%S", "mm": "%M"}


class NumberFormat(NamedTuple):
    prefix: str
    suffix: str
    decimals: int
    fewest_digits: int
    has_thousands: bool
    is_percent: bool


def format_value(value: object, number_format: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return format_date(value, number_format)
    if isinstance(value, int | float):
        return format_number(value, number_format)
    return str(value)


def format_number(value: float, number_format: str) -> str:
    sections = number_format.split(";")
    if number_format in ("General", "@", "") or value != value or abs(value) > 1e300:
        return f"{value:.11g}"
    has_own_section = value < 0 and len(sections) > 1
    chosen = read_section(sections[1] if has_own_section else sections[0])
    if chosen is None:
        return f"{value:.11g}"
    number = abs(value) * 100 if chosen.is_percent else abs(value)
    digits = f"{number:{',' if chosen.has_thousands else ''}.{chosen.decimals}f}"
    whole, point, rest = digits.partition(".")
    sign = "-" if value < 0 and not has_own_section else ""
    return f"{sign}{chosen.prefix}{whole.zfill(chosen.fewest_digits)}{point}{rest}{chosen.suffix}"


@lru_cache(maxsize=1000)
def read_section(section: str) -> NumberFormat | None:
    """None for what is no plain number: fractions, powers of ten, text."""
    plain = CURRENCY.sub(lambda match: f'"{match[1]}"', IGNORED.sub("", section))
    unquoted = LITERAL.sub(lambda match: "\0" * len(match[0]), plain)
    places = PLACES.search(unquoted)
    if places is None or re.search(r"[/eE?]", unquoted):
        return None
    digits = places[0].rstrip()
    whole, _, decimals = digits.partition(".")
    before, after = plain[: places.start()], plain[places.start() + len(digits) :]
    return NumberFormat(
        prefix=strip_quotes(before),
        suffix=strip_quotes(after),
        decimals=sum(sign in "0#" for sign in decimals),
        fewest_digits=whole.count("0"),
        has_thousands="," in whole.rstrip(","),
        is_percent="%" in unquoted,
    )


def strip_quotes(text: str) -> str:
    return LITERAL.sub(lambda match: match[1] or match[2] or "", text)


def format_date(value: datetime.date | datetime.time, number_format: str) -> str:
    codes = list_date_codes(number_format.split(";")[0]) if number_format != SHORT_DATE else ()
    if number_format == SHORT_DATE and isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if not codes or (isinstance(value, datetime.time) and any("%Y" in code for code in codes)):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    return "".join(value.strftime(code) if code.startswith("%") else format_plain(value, code) for code in codes)


@lru_cache(maxsize=1000)
def list_date_codes(section: str) -> tuple[str, ...]:
    """Codes of strftime, short ones by their letters, and what stands between them. `m` by an hour is a minute."""
    parts: list[str] = [part[0] for part in DATE_PART.finditer(IGNORED.sub("", section))]
    letters = [part.lower()[0] if part.lower().strip("ymdhs") == "" else "" for part in parts]
    codes: list[str] = []
    for at, part in enumerate(parts):
        before = next((letter for letter in reversed(letters[:at]) if letter), "")
        after = next((letter for letter in letters[at + 1 :] if letter), "")
        is_minute = letters[at] == "m" and len(part) < 3 and (before == "h" or after == "s")
        codes.append(make_date_code(part, is_minute))
    return tuple(codes) if any(letters) else ()


def make_date_code(part: str, is_minute: bool) -> str:
    low = part.lower()
    if low == "am/pm":
        return "%p"
    if is_minute or (low[0] in "hs" and low.strip("hs") == ""):
        return CLOCK_CODES.get(low, f"\0{'n' if is_minute else low[0]}")
    if low.strip("ymd") == "":
        return DATE_CODES.get(low) or ("%Y" if low[0] == "y" else f"\0{low[0]}")
    return strip_quotes(part)


def format_plain(value: datetime.date | datetime.time, code: str) -> str:
    """A number without a leading zero, or the text between two of them."""
    names = {"\0m": "month", "\0d": "day", "\0h": "hour", "\0n": "minute", "\0s": "second"}
    return str(getattr(value, names[code], "")) if code in names else code
