"""Numbers without digits: one thousand nine hundred and two · eintausendzwei · 壹仟柒佰叁拾肆元伍角 · 3億5,000万."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from printed.folding import fold_letters
from printed.language import Language
from printed.languages import LANGUAGES
from printed.units import SCALES

MAX_LETTERS = 120
# Abbreviations of scales stand behind digits; this one is a word.
SHORT = ("mil",)
_FORMS = ("〇零", "一壹壱", "二贰貳弐两兩", "三叁參参", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
_DIGITS = {char: number for number, chars in enumerate(_FORMS) for char in chars}
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
SIGNS = "".join([*_DIGITS, *_TENS])
_SIGN_NUMBER = re.compile(
    rf"""(?P<whole>(?:\d[\d,.]*+[{"".join(_MYRIADS)}]|[{SIGNS}{"".join(_MYRIADS)}])++(?:(?<=[{"".join(_MYRIADS)}])\d[\d,]*+)?)
    (?:(?P<money>[元圆圓円圎])(?:(?P<tenths>[{SIGNS}])[角毛])?零?(?:(?P<cents>[{SIGNS}])分)?)?""",
    re.VERBOSE,
)
_TOKEN = re.compile(r"\d[\d,.]*|\D")


class WordedNumber(NamedTuple):
    start: int
    end: int
    value: Decimal


def find_worded_numbers(text: str) -> Iterator[WordedNumber]:
    """`text` as `read_digits` gives it."""
    if not text.isascii():
        yield from _find_in_signs(text)
    low = fold_letters(text)
    for words in _LANGUAGES:
        yield from _find_in_words(low, words)


def _find_in_signs(text: str) -> Iterator[WordedNumber]:
    for match in _SIGN_NUMBER.finditer(text):
        whole = parse_signs(match["whole"])
        # A single sign is part of a word as often as a number.
        if whole is not None and (len(match["whole"]) > 1 or match["money"]):
            tenths, cents = (_DIGITS.get(match[name] or "零", 0) for name in ("tenths", "cents"))
            yield WordedNumber(*match.span(), whole + Decimal(10 * tenths + cents) / 100)


def parse_signs(signs: str) -> Decimal | None:
    """The number that these signs are; nothing where their order is none of a number."""
    if len(signs) > MAX_LETTERS:
        return None
    if all(sign in _DIGITS for sign in signs):
        return Decimal("".join(str(_DIGITS[sign]) for sign in signs))
    total = section = Decimal(0)
    digit: Decimal | None = None
    tens, myriads = 10**4, 10**16
    for token in _TOKEN.findall(signs):
        if token in _MYRIADS:
            section += digit or 0
            if _MYRIADS[token] >= myriads or not section:
                return None
            total, myriads = total + section * _MYRIADS[token], _MYRIADS[token]
            section, digit, tens = Decimal(0), None, 10**4
        elif token in _TENS:
            if _TENS[token] >= tens:
                return None
            section, tens = section + (digit or 1) * _TENS[token], _TENS[token]
            digit = None
        elif digit:
            return None
        else:
            digit = _read_digit(token)
            if digit is None:
                return None
    return total + section + (digit or 0)


def _read_digit(token: str) -> Decimal | None:
    if token in _DIGITS:
        return Decimal(_DIGITS[token])
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?", token)
    return Decimal(token.replace(",", "")) if grouped else None


class _Words(NamedTuple):
    run: re.Pattern[str]
    word: re.Pattern[str]
    numbers: dict[str, int]
    scales: dict[str, int]
    joiners: frozenset[str]
    cents: re.Pattern[str]


def _list_words(language: Language) -> _Words:
    numbers = {word: int(number) for number, *words in _split_table(language.numbers) for word in words}
    scales = {
        word: SCALES[scale]
        for scale, *words in _split_table(language.scales)
        for word in words
        if len(word) > 3 or word in SHORT
    }
    joiners = frozenset(language.number_joiners.split())
    each = "|".join(map(re.escape, sorted({*numbers, *scales, *joiners}, key=len, reverse=True)))
    minus = rf"(?:{'|'.join(language.minus.split())})"
    units = "|".join(word for _, *words in _split_table(language.currencies) for word in words) or "euro"
    joiner, minor = "|".join(joiners), "|".join(fold_letters(language.minor_units).split()) or "cents"
    # Possessive: letters that are no number are not taken apart in every way.
    run = re.compile(
        rf"(?P<minus>{minus} )?(?<!\w)(?P<words>(?:{each})(?:[ -]?(?:{each}))*+)(?!\w)(?: (?P<cents>\d\d)/100(?!\d))?"
    )
    cents = re.compile(
        rf" (?:(?:us |u\.s\. )?(?:{units}) )?(?:(?:{joiner}) )?"
        rf"(?P<words>(?:{each})(?:[ -]?(?:{each}))*+) (?:{minor})(?!\w)"
    )
    return _Words(run, re.compile(each), numbers, scales, joiners, cents)


def _split_table(table: str) -> list[list[str]]:
    return [fold_letters(phrase.replace("_", "-")).split() for phrase in table.split(",") if phrase]


_LANGUAGES = [_list_words(language) for language in LANGUAGES if language.number_joiners]


def _find_in_words(low: str, words: _Words) -> Iterator[WordedNumber]:
    start = 0
    while run := words.run.search(low, start):
        start = run.end()
        tokens = _split_words(low, run.span("words"), words)
        while tokens and tokens[-1][0] in words.joiners:
            tokens.pop()
        value = _add_words(tokens, words)
        if value is None and tokens and words.numbers.get(tokens[0][0]) == 1:  # an article: a two hundred euro note
            value = _add_words(tokens[1:], words)
        if value is not None:
            value += Decimal(run["cents"] or 0) / 100
            end = run.end() if run["cents"] else tokens[-1].end()
            if not run["cents"] and (behind := words.cents.match(low, end)):
                cents = _add_words(_split_words(low, behind.span("words"), words), words, minimum=1)
                value, start = value + (cents or Decimal(0)) / 100, behind.end()
                end = behind.end() if cents else end
            yield WordedNumber(run.start(), end, -value if run["minus"] else value)


def _split_words(low: str, span: tuple[int, int], words: _Words) -> list[re.Match[str]]:
    return list(words.word.finditer(low, *span)) if span[1] - span[0] <= MAX_LETTERS else []


def _add_words(tokens: Sequence[re.Match[str]], words: _Words, *, minimum: int = 2) -> Decimal | None:
    """None where their order is none of a number, or there are fewer of them."""
    if len(tokens) < minimum or not tokens or tokens[0][0] in words.joiners:
        return None
    total = group = 0
    limit, joined_at, end = 10**12, -1, -1
    for token in tokens:
        word = token[0]
        is_glued, end = token.start() == end, token.end()
        if word in words.joiners:
            joined_at = end if is_glued else -1
            continue
        if word in words.scales:
            if words.scales[word] >= limit:
                return None
            limit = words.scales[word]
            total, group = total + max(group, 1) * limit, 0
        elif words.numbers[word] == 100:
            if group > 99 or (group > 9 and group % 10 == 0):
                return None
            group = max(group, 1) * 100
        elif _may_follow(group, words.numbers[word], is_joined=joined_at == token.start()):
            group += words.numbers[word]
        else:
            return None
    return Decimal(total + group)


def _may_follow(group: int, number: int, *, is_joined: bool) -> bool:
    """Twenty-two, zweiundzwanzig and soixante-dix, but not two three and not twenty thirty."""
    if number > 100:
        return not group
    last = group % 100
    if not last:
        return True
    if number < 10:
        return last >= 20 and last % 10 == 0
    if number < 20:
        return last in (60, 80)
    return is_joined and last < 10 and number % 10 == 0
