"""Numbers in the signs of China and Japan, which `[DBNum1]` and `[DBNum2]` of a number format ask for."""

import re
from typing import NamedTuple

from reader.office.formats.names import HEXADECIMAL, find_names


class Script(NamedTuple):
    """`places` of one group, `groups` of four places. omits_one: before ten, hundred and thousand, as in Japan."""

    digits: str
    places: tuple[str, ...]
    groups: tuple[str, ...]
    omits_one: bool = False
    names_gaps: bool = True


EVERYDAY, PLACES = "〇一二三四五六七八九", ("", "十", "百", "千")
FINANCIAL_PLACES = ("", "拾", "佰", "仟")
# By DBNum1, as people write them, and by DBNum2, as they stand on cheques, where no stroke can be added.
SCRIPTS = {
    "ja1": Script(EVERYDAY, PLACES, ("", "万", "億", "兆"), omits_one=True, names_gaps=False),
    "zh1": Script(EVERYDAY, PLACES, ("", "万", "亿", "兆")),
    "Hant1": Script(EVERYDAY, PLACES, ("", "萬", "億", "兆")),
    "ja2": Script("〇壱弐参四伍六七八九", ("", "拾", "百", "阡"), ("", "萬", "億", "兆"), names_gaps=False),
    "zh2": Script("零壹贰叁肆伍陆柒捌玖", FINANCIAL_PLACES, ("", "万", "亿", "兆")),
    "Hant2": Script("零壹貳參肆伍陸柒捌玖", FINANCIAL_PLACES, ("", "萬", "億", "兆")),
}
FORM = re.compile(r"DBNUM([12])", re.IGNORECASE)
TRADITIONAL = (0x0404, 0x0C04, 0x1404)
TRADITIONAL_TAG = re.compile(r"zh.*(TW|HK|MO|Hant)", re.IGNORECASE)
PLAIN = re.compile(r"(-?)(\d{1,16})(\.\d+)?")


def find_script(locale: str, form: str) -> str:
    """As `SCRIPTS` names it; empty for a language that has digits of its own. form: 1 or 2 of DBNum."""
    language = find_names(locale).language
    code = int(locale, 16) & 0xFFFF if HEXADECIMAL.fullmatch(locale) else 0
    if language == "zh" and (code in TRADITIONAL or TRADITIONAL_TAG.match(locale)):
        language = "Hant"
    return f"{language}{form}" if f"{language}{form}" in SCRIPTS else ""


def replace_digits(text: str, script: str) -> str:
    """One by one, as in 二〇二六."""
    return text.translate(str.maketrans("0123456789", SCRIPTS[script].digits))


def spell_number(text: str, name: str) -> str:
    """Write a plain number as it is said; any other text stays as it is. name: of the script."""
    match = PLAIN.fullmatch(text)
    if match is None:
        return text
    return f"{match[1]}{spell_whole(int(match[2]), SCRIPTS[name])}{replace_digits(match[3] or '', name)}"


def spell_whole(number: int, script: Script) -> str:
    text, is_gap = "", False
    for at in reversed(range(len(script.groups))):
        group = number // 10 ** (4 * at) % 10_000
        if group and text and (is_gap or group < 1000) and script.names_gaps:
            text += script.digits[0]
        is_gap = not group
        text += spell_group(group, script) + script.groups[at] if group else ""
    return text or script.digits[0]


def spell_group(group: int, script: Script) -> str:
    text, is_gap = "", False
    for at in reversed(range(len(script.places))):
        digit = group // 10**at % 10
        if digit:
            text += script.digits[0] if is_gap and text and script.names_gaps else ""
            text += ("" if script.omits_one and digit == 1 and at else script.digits[digit]) + script.places[at]
        is_gap = not digit
    return text
