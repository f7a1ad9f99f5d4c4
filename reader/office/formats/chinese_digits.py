"""Numbers in the signs of China and Japan, which the `[DBNum1]` of a number format asks for."""

import re

from reader.office.formats.names import HEXADECIMAL, find_names

DIGITS = "〇一二三四五六七八九"
PLACES = ("", "十", "百", "千")
# Groups of four places: in Japan, in China, and with traditional signs.
GROUPS = {"ja": ("", "万", "億", "兆"), "zh": ("", "万", "亿", "兆"), "Hant": ("", "萬", "億", "兆")}
TRADITIONAL = (0x0404, 0x0C04, 0x1404)
TRADITIONAL_TAG = re.compile(r"zh.*(TW|HK|MO|Hant)", re.IGNORECASE)
PLAIN = re.compile(r"(-?)(\d{1,16})(\.\d+)?")
SIGNS = str.maketrans("0123456789", DIGITS)


def find_script(locale: str) -> str:
    """As `GROUPS` names it; empty for a language that has digits of its own."""
    language = find_names(locale).language
    code = int(locale, 16) & 0xFFFF if HEXADECIMAL.fullmatch(locale) else 0
    if language == "zh":
        return "Hant" if code in TRADITIONAL or TRADITIONAL_TAG.match(locale) else "zh"
    return language if language in GROUPS else ""


def replace_digits(text: str) -> str:
    """One by one, as in 二〇二六."""
    return text.translate(SIGNS)


def spell_number(text: str, script: str) -> str:
    """Write a plain number as it is said; any other text stays as it is."""
    match = PLAIN.fullmatch(text)
    if match is None:
        return text
    return f"{match[1]}{spell_whole(int(match[2]), script)}{replace_digits(match[3] or '')}"


def spell_whole(number: int, script: str) -> str:
    text, is_gap = "", False
    for at in reversed(range(len(GROUPS[script]))):
        group = number // 10 ** (4 * at) % 10_000
        if group and text and (is_gap or group < 1000) and script != "ja":
            text += DIGITS[0]
        is_gap = not group
        text += spell_group(group, script) + GROUPS[script][at] if group else ""
    return text or DIGITS[0]


def spell_group(group: int, script: str) -> str:
    """In Japan no one stands before ten, hundred and thousand."""
    text, is_gap = "", False
    for at in reversed(range(len(PLACES))):
        digit = group // 10**at % 10
        if digit:
            text += DIGITS[0] if is_gap and text and script != "ja" else ""
            text += ("" if script == "ja" and digit == 1 and at else DIGITS[digit]) + PLACES[at]
        is_gap = not digit
    return text
