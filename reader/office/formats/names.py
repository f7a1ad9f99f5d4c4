"""Names of months and days in the language that a number format asks for, and the years of its calendar."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

# [MS-LCID]: the lower ten bits name the language, the others the country.
_LANGUAGES = (
    "01:ar 02:bg 03:ca 04:zh 05:cs 06:da 07:de 08:el 09:en 0A:es 0B:fi 0C:fr 0D:he 0E:hu 0F:is 10:it 11:ja 12:ko "
    "13:nl 14:nb 15:pl 16:pt 18:ro 19:ru 1A:hr 1B:sk 1C:sq 1D:sv 1E:th 1F:tr 20:ur 21:id 22:uk 23:be 24:sl 25:et "
    "26:lv 27:lt 29:fa 2A:vi 2B:hy 2C:az 2D:eu 2F:mk 36:af 37:ka 38:fo 39:hi 3C:ga 3E:ms 3F:kk 45:bn 49:ta 4E:mr "
    "52:cy 56:gl "
)
_COUNTRIES = (
    "0404:zh_Hant_TW 0C04:zh_Hant_HK 0C07:de_AT 0814:nn 0816:pt_PT 080C:fr_BE 0C0C:fr_CA 081A:sr_Latn 0C1A:sr "
    "241A:sr_Latn 281A:sr "
)


def read_codes(text: str) -> dict[int, str]:
    """`07:de` gives 7 and de."""
    return {int(number, 16): name for number, _, name in (pair.partition(":") for pair in text.split())}


LANGUAGES, COUNTRIES = read_codes(_LANGUAGES), read_codes(_COUNTRIES)
BUDDHIST = 7
HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,8}")
FILE = Path(__file__).with_name("date_names.json")
# From when on; https://www.ndl.go.jp and the Gregorian year before the first of each.
ERAS = (
    ((2019, 5, 1), "令和", "R"),
    ((1989, 1, 8), "平成", "H"),
    ((1926, 12, 25), "昭和", "S"),
    ((1912, 7, 30), "大正", "T"),
    ((1868, 1, 25), "明治", "M"),
)


class Era(NamedTuple):
    """names: from the shortest to the longest."""

    names: tuple[str, str, str]
    year: int


class DateNames(NamedTuple):
    """months: from January on; days: from Monday on. The bare ones stand without a day of the month."""

    language: str
    months: list[str]
    bare_months: list[str]
    short_months: list[str]
    days: list[str]
    short_days: list[str]
    is_buddhist: bool = False


@lru_cache(maxsize=100)
def find_names(tag: str) -> DateNames:
    """`407`, `107041E` or `de-DE`; English for what is not known, and where the system's own is asked for."""
    number = int(tag, 16) if HEXADECIMAL.fullmatch(tag) else 0
    code = number & 0xFFFF
    known = load_names()
    name = COUNTRIES.get(code) or LANGUAGES.get(code & 0x3FF, "en") if number else tag.partition(",")[0]
    name = name.replace("-", "_")
    name = name if name in known else name.partition("_")[0].lower()
    names = known.get(name, known["en"])
    return DateNames(
        name.partition("_")[0],
        months=names["months"],
        bare_months=names.get("bare_months", names["months"]),
        short_months=names["short_months"],
        days=names["days"],
        short_days=names["short_days"],
        is_buddhist=number >> 16 & 0xFF == BUDDHIST,
    )


@lru_cache(maxsize=1)
def load_names() -> dict[str, dict[str, list[str]]]:
    """Load them by their languages, from the Unicode CLDR."""
    names: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return names


def find_era(language: str, day: tuple[int, int, int]) -> Era | None:
    """Only where years are counted so."""
    if language == "zh":
        return Era(("民國", "民國", "中華民國"), day[0] - 1911) if day[0] > 1911 else None
    for first, name, letter in ERAS if language == "ja" else ():
        if day >= first:
            return Era((letter, name[0], name), day[0] - first[0] + 1)
    return None
