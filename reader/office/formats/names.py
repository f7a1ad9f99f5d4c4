"""Names of months and days in the language that a number format asks for, and the years of its calendar."""

from functools import lru_cache
from typing import NamedTuple

from babel.core import Locale, UnknownLocaleError

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
    """months, days: by number, Monday being 0. The bare ones stand without a day of the month."""

    language: str
    months: dict[int, str]
    bare_months: dict[int, str]
    short_months: dict[int, str]
    days: dict[int, str]
    short_days: dict[int, str]
    is_buddhist: bool = False


@lru_cache(maxsize=100)
def find_names(tag: str) -> DateNames:
    """`407`, `107041E` or `de-DE`; English for what is not known, and where the system's own is asked for."""
    number = int(tag, 16) if len(tag) <= 8 and all(sign in "0123456789abcdefABCDEF" for sign in tag) and tag else 0
    code = number & 0xFFFF
    name = COUNTRIES.get(code) or LANGUAGES.get(code & 0x3FF, "en") if number else tag.partition(",")[0]
    try:
        locale = Locale.parse(name.replace("-", "_")) if name else Locale("en")
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    months, days = locale.months, locale.days
    return DateNames(
        locale.language,
        months=dict(months["format"]["wide"]),
        bare_months=dict(months["stand-alone"]["wide"]),
        short_months={at: name.rstrip(".") for at, name in months["stand-alone"]["abbreviated"].items()},
        days=dict(days["format"]["wide"]),
        short_days={at: name.rstrip(".") for at, name in days["format"]["abbreviated"].items()},
        is_buddhist=number >> 16 & 0xFF == BUDDHIST,
    )


def find_era(language: str, day: tuple[int, int, int]) -> Era | None:
    """Only where years are counted so."""
    if language == "zh":
        return Era(("民國", "民國", "中華民國"), day[0] - 1911) if day[0] > 1911 else None
    for first, name, letter in ERAS if language == "ja" else ():
        if day >= first:
            return Era((letter, name[0], name), day[0] - first[0] + 1)
    return None
