"""Numbers by a section of a number format: places, groups of thousands, scales, powers of ten and fractions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile

from reader.office.formats.sections import Section, Token

# As many digits as a sheet keeps of a number.
DIGITS = Context(prec=15, rounding=ROUND_HALF_UP)
ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)
MAX_PLACES = 30
MAX_DENOMINATOR = 99_999


@dataclass(frozen=True)
class Places:
    """`whole` and `decimals`: tokens with what stands between them; `thousands`: how often it is divided by 1,000."""

    whole: Sequence[Token]
    decimals: Sequence[Token]
    power: Sequence[Token] = field(default_factory=tuple)
    has_groups: bool = False
    has_point: bool = False
    thousands: int = 0
    percents: int = 0


def format_plain(value: float) -> str:
    """As a cell without a format shows it."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.11g}".upper()


def format_number(value: float, section: Section) -> str | None:
    """`value`: without its sign, where the section brings one. None for a section that is not understood."""
    if any(token.kind in ("date", "elapsed") and token.text[0] in "ymdhs" for token in section.tokens):
        return None
    if (slash := find_slash(section.tokens)) is not None:
        return format_fraction(value, section.tokens, slash)
    places = read_places(section.tokens)
    if places is None:
        return None
    number = DIGITS.create_decimal(repr(abs(float(value)))).scaleb(2 * places.percents - 3 * places.thousands)
    if places.power:
        text, is_zero = format_power(number, places), not number
    else:
        rounded = round_to(number, count_places(places.decimals))
        text, is_zero = write_places(rounded, places), not rounded
    return f"-{text}" if value < 0 and not is_zero else text


def round_to(number: Decimal, decimals: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-decimals), context=ROUNDING)


def count_places(tokens: Sequence[Token]) -> int:
    return sum(token.kind == "place" for token in tokens)


@lru_cache(maxsize=1000)
def read_places(tokens: tuple[Token, ...]) -> Places | None:
    """None where it has more places than a number, or a second point."""
    power_at = next((at for at, token in enumerate(tokens) if token.kind == "power"), len(tokens))
    mantissa, power = tokens[:power_at], tokens[power_at:]
    points = [at for at, token in enumerate(mantissa) if token == ("sign", ".")]
    last_place = max((at for at, token in enumerate(mantissa) if token.kind == "place"), default=-1)
    if count_places(tokens) > MAX_PLACES or len(points) > 1:
        return None
    point = points[0] if points else len(mantissa) if not power else last_place + 1
    commas = [at for at, token in enumerate(mantissa) if token == ("sign", ",")]
    groups = [at for at in commas if is_between_places(mantissa[:point], at)]
    scales = [at for at in commas if at not in groups and follows_place(mantissa, at)]
    kept = [
        Token("literal", token.text) if token.kind == "sign" and token.text != "." and at not in scales else token
        for at, token in enumerate(mantissa)
    ]
    dropped = {*groups, *scales, *points}
    return Places(
        whole=[token for at, token in enumerate(kept[:point]) if at not in dropped],
        decimals=[token for at, token in enumerate(kept[point:], point) if at not in dropped],
        power=power,
        has_groups=bool(groups),
        has_point=bool(points),
        thousands=len(scales),
        percents=sum(token == ("sign", "%") for token in tokens),
    )


def is_between_places(whole: Sequence[Token], at: int) -> bool:
    return count_places(whole[:at]) > 0 and count_places(whole[at:]) > 0


def follows_place(tokens: Sequence[Token], at: int) -> bool:
    """Over other commas: each divides once more."""
    before = next((token for token in reversed(tokens[:at]) if token != ("sign", ",")), None)
    return before is not None and before.kind == "place"


def write_places(number: Decimal, places: Places) -> str:
    whole, _, decimals = f"{number:f}".partition(".")
    digits = whole.lstrip("0")
    texts = [*write_whole(digits, places), *write_decimals(decimals, places)]
    return "".join(texts)


def write_whole(digits: str, places: Places) -> Iterator[str]:
    left = count_places(places.whole)
    if not left and places.has_point:
        yield from [*(token.text for token in places.whole), digits]
        return
    is_first = True
    for token in places.whole:
        if token.kind != "place":
            yield token.text
            continue
        left -= 1
        highest = max(left, len(digits) - 1) if is_first else left
        is_first = False
        for position in range(highest, left - 1, -1):
            sign = digits[-1 - position] if position < len(digits) else {"0": "0", "?": " "}.get(token.text, "")
            yield sign + ("," if places.has_groups and position and position % 3 == 0 and sign.strip() else "")


def write_decimals(decimals: str, places: Places) -> Iterator[str]:
    kept = len(decimals.rstrip("0"))
    signs = []
    at = 0
    for token in places.decimals:
        if token.kind == "place":
            digit = decimals[at] if at < len(decimals) else "0"
            signs.append((digit if at < kept or token.text == "0" else " " if token.text == "?" else "", True))
            at += 1
        else:
            signs.append((token.text, False))
    has_digits = any(text.strip() for text, is_digit in signs if is_digit)
    yield "." if places.has_point and has_digits else ""
    yield from (text for text, _ in signs)


def format_power(number: Decimal, places: Places) -> str:
    """The exponent goes in steps of as many as there are places before the point."""
    step = max(1, count_places(places.whole))
    exponent = number.adjusted() // step * step if number else 0
    decimals = count_places(places.decimals)
    mantissa = round_to(number.scaleb(-exponent), decimals)
    if mantissa >= Decimal(10) ** step:
        exponent += step
        mantissa = round_to(number.scaleb(-exponent), decimals)
    sign = "-" if exponent < 0 else "+" if places.power[0].text.endswith("+") else ""
    rest = places.power[1:]
    width = len(list(takewhile(lambda token: token.kind == "place", rest)))
    suffix = "".join(token.text for token in rest[width:])
    return f"{write_places(mantissa, places)}E{sign}{str(abs(exponent)).zfill(width)}{suffix}"


def find_slash(tokens: Sequence[Token]) -> int | None:
    for at, token in enumerate(tokens):
        if token == ("sign", "/") and any(before.kind == "place" for before in tokens[:at]):
            return at
    return None


def format_fraction(value: float, tokens: Sequence[Token], slash: int) -> str | None:
    """`# ?/?`, `# ??/16`, `?/?`."""
    before, after = list(tokens[:slash]), list(tokens[slash + 1 :])
    width = len(list(takewhile(is_of_denominator, after)))
    denominator = read_denominator("".join(token.text for token in after[:width]))
    numerator = len(list(takewhile(lambda token: token.kind == "place", reversed(before))))
    front = before[: len(before) - numerator]
    places = [at for at, token in enumerate(front) if token.kind == "place"]
    if not numerator or denominator is None or abs(value) > 1e15:
        return None
    number = Fraction(repr(abs(float(value))))
    whole = int(number) if places else 0
    above, below = approximate(number - whole, *denominator)
    if above >= below and places:
        whole, above = whole + above // below, above % below
    text = write_fraction(whole, above, below, has_whole=bool(places))
    prefix = "".join(token.text for token in front[: places[0]]) if places else "".join(token.text for token in front)
    suffix = "".join(token.text for token in after[width:])
    return f"{'-' if value < 0 and (whole or above) else ''}{prefix}{text}{suffix}"


def is_of_denominator(token: Token) -> bool:
    return token.kind == "place" or (token.kind == "literal" and token.text.isdecimal())


def read_denominator(text: str) -> tuple[int, bool] | None:
    """(the largest one, or the one that stands there; whether it is that one)."""
    if text.isdecimal() and text.strip("0"):
        return (int(text), True) if len(text) < 6 else None
    return (min(10 ** len(text) - 1, MAX_DENOMINATOR), False) if text else None


def approximate(number: Fraction, denominator: int, is_fixed: bool) -> tuple[int, int]:
    if is_fixed:
        return int(number * denominator + Fraction(1, 2)), denominator
    near = number.limit_denominator(denominator)
    return near.numerator, near.denominator


def write_fraction(whole: int, above: int, below: int, *, has_whole: bool) -> str:
    if not has_whole:
        return f"{above}/{below}"
    if not above:
        return str(whole)
    return f"{whole} {above}/{below}" if whole else f"{above}/{below}"
