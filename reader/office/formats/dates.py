"""Days and times by a section of a number format. A sheet keeps them as a count of days."""

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from reader.office.formats.chinese_digits import replace_digits, spell_number
from reader.office.formats.names import DateNames, find_era, find_names
from reader.office.formats.sections import Section, Token

DAY_SECONDS = 86_400
LAST_DAY = 2_958_466
# Files of the 1900 system count a 29th of February that this year did not have.
FIRST_1900, FIRST_1904 = datetime.date(1899, 12, 30), datetime.date(1904, 1, 1)
LEAP_1900 = 60


class Moment(NamedTuple):
    """thousandths: of a second, since the day began. total: of all days."""

    year: int
    month: int
    day: int
    weekday: int
    thousandths: int
    total: int


def find_moment(value: float, precision: int, *, from_1904: bool) -> Moment | None:
    """None for what is no day. precision: how many thousandths of a second are the smallest thing that is shown."""
    if not 0 <= value < LAST_DAY:
        return None
    total = int(value * DAY_SECONDS * 1000 / precision + 0.5) * precision
    days, thousandths = divmod(total, DAY_SECONDS * 1000)
    if not from_1904 and days == LEAP_1900:
        return Moment(1900, 2, 29, 2, thousandths, total)
    first = FIRST_1904 if from_1904 else FIRST_1900
    shift = 1 if not from_1904 and 0 < days < LEAP_1900 else 0
    date = first + datetime.timedelta(days=min(days, LAST_DAY) + shift)
    return Moment(date.year, date.month, date.day, date.weekday(), thousandths, total)


def format_date(value: float, section: Section, *, from_1904: bool) -> str | None:
    """None for a section that is not understood, and for what is no day."""
    tokens = join_parts_of_seconds(section.tokens)
    is_elapsed = any(token.kind == "elapsed" for token in tokens)
    if any(token.kind in ("place", "power", "general") or is_stray_letter(token) for token in tokens):
        return None
    moment = find_moment(abs(value) if is_elapsed else value, measure_precision(tokens), from_1904=from_1904)
    if moment is None:
        return None
    writer = DateWriter(tokens, moment, find_names(section.locale), section.script)
    text = "".join(writer.write(at) for at in range(len(tokens)))
    return f"-{text}" if value < 0 and is_elapsed else text


def is_stray_letter(token: Token) -> bool:
    """No program writes a word into a date without quotes."""
    return token.kind == "literal" and len(token.text) == 1 and token.text.isascii() and token.text.isalpha()


def join_parts_of_seconds(tokens: Sequence[Token]) -> list[Token]:
    """The zeros behind the point of seconds, as one sign."""
    joined: list[Token] = []
    for token in tokens:
        if token == ("place", "0") and joined and joined[-1].kind == "sign" and joined[-1].text.startswith("."):
            joined[-1] = Token("sign", f"{joined[-1].text}0")
        else:
            joined.append(token)
    return joined


def measure_precision(tokens: Sequence[Token]) -> int:
    zeros = max((token.text.count("0") for token in tokens if token.kind == "sign"), default=0)
    return int(10 ** (3 - min(zeros, 3)))


class DateWriter:
    """script: of the digits, where they are not Latin."""

    def __init__(self, tokens: Sequence[Token], moment: Moment, names: DateNames, script: str) -> None:
        self.tokens, self.moment, self.names, self.script = tokens, moment, names, script
        self.era = find_era(names.language, moment[:3])
        self.is_half = any(token.kind == "half" for token in tokens)
        self.has_day = any(token.kind == "date" and token.text in ("d", "dd") for token in tokens)

    def write(self, at: int) -> str:
        token = self.tokens[at]
        if token.kind == "date":
            is_minutes = self.is_minutes(at)
            text = self.write_minutes(len(token.text)) if is_minutes else self.write_part(token.text)
            return self.convert_digits(text, token) if self.script and text.isdecimal() else text
        if token.kind == "elapsed":
            unit = {"h": 3_600_000, "m": 60_000, "s": 1000}[token.text[0]]
            return str(self.moment.total // unit).zfill(len(token.text))
        if token.kind == "half":
            mark = "PM" if self.moment.thousandths >= DAY_SECONDS * 500 else "AM"
            return mark if token.text == "AM/PM" else mark[0]
        if token.kind == "sign" and "0" in token.text:
            return f".{self.moment.thousandths % 1000:03}"[: len(token.text)].ljust(len(token.text), "0")
        return token.text

    def convert_digits(self, text: str, token: Token) -> str:
        """Years of our calendar digit by digit, all others as they are said: 二〇二六年三月十四日."""
        if token.text[0] in "yb":
            return replace_digits(text, self.script)
        return spell_number(text, "ja1" if self.script.endswith("1") else self.script)

    def is_minutes(self, at: int) -> bool:
        """`m` behind hours or before seconds."""
        if self.tokens[at].text[0] != "m" or len(self.tokens[at].text) > 2:
            return False
        timed = ("date", "elapsed")
        before = next((token.text[0] for token in reversed(self.tokens[:at]) if token.kind in timed), "")
        after = next((token.text[0] for token in self.tokens[at + 1 :] if token.kind in timed), "")
        return before == "h" or after == "s"

    def write_minutes(self, width: int) -> str:
        return str(self.moment.thousandths // 60_000 % 60).zfill(width)

    def write_part(self, text: str) -> str:
        width, moment = len(text), self.moment
        match text[0]:
            case "y" | "b" | "e":
                return self.write_year(text)
            case "m":
                return self.write_month(width)
            case "d":
                names = self.names.short_days if width == 3 else self.names.days
                return names[moment.weekday] if width > 2 else str(moment.day).zfill(width)
            case "h":
                hours = moment.thousandths // 3_600_000
                return str(hours % 12 or 12 if self.is_half else hours).zfill(min(width, 2))
            case "s":
                return str(moment.thousandths // 1000 % 60).zfill(min(width, 2))
            case "g":
                return self.era.names[min(width, 3) - 1] if self.era else ""
        return (self.names.short_days if width == 3 else self.names.days)[moment.weekday]

    def write_year(self, text: str) -> str:
        if text[0] == "e" and self.era:
            return str(self.era.year).zfill(min(len(text), 2))
        year = self.moment.year + (543 if text[0] == "b" or self.names.is_buddhist else 0)
        return f"{year % 100:02}" if len(text) < 3 and text[0] != "e" else f"{year:04}"

    def write_month(self, width: int) -> str:
        if width < 3:
            return str(self.moment.month).zfill(width)
        names = self.names.months if self.has_day else self.names.bare_months
        name = self.names.short_months[self.moment.month - 1] if width == 3 else names[self.moment.month - 1]
        return name[0] if width == 5 else name
