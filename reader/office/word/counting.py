"""Counts as lists write them: letters, Roman numbers, words and signs (ECMA-376 part 1, 17.18.59)."""

ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
ROMAN_ENDS = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
LATIN = "abcdefghijklmnopqrstuvwxyz"
RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
DIGITS = "〇一二三四五六七八九"
CHINESE = ("chineseCounting", "chineseCountingThousand", "ideographDigital", "japaneseCounting", "taiwaneseCounting")
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ONES += ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
ORDINALS |= {"twelve": "twelfth"}
FOOTNOTE_SIGNS = "*†‡§"
MAX_ROMAN, MAX_REPEATED = 4000, 20


def write_count(number: int, form: str) -> str:
    """A form that is not known is written in digits, which at least say the right count."""
    lower = form.removeprefix("upper").removeprefix("lower").removeprefix("russian").lower()
    text = str(number)
    if number < 1:
        return "" if form == "none" else text
    if lower in ("letter", "roman", "lower", "upper") and form not in ("lower", "upper"):
        alphabet = RUSSIAN if form.startswith("russian") else LATIN
        text = write_roman(number) if lower == "roman" else write_letters(number, alphabet)
        return text.upper() if form.startswith("upper") or form.endswith("Upper") else text
    if form in CHINESE:
        return write_chinese(number)
    return write_other(number, form)


def write_other(number: int, form: str) -> str:
    match form:
        case "none":
            return ""
        case "decimalZero":
            return f"{number:02}"
        case "ordinal":
            return f"{number}{find_suffix(number)}"
        case "cardinalText":
            return write_words(number).capitalize()
        case "ordinalText":
            return write_ordinal(number).capitalize()
        case "hex":
            return f"{number:X}"
        case "numberInDash":
            return f"- {number} -"
        case "chicago":
            return FOOTNOTE_SIGNS[(number - 1) % 4] * min((number - 1) // 4 + 1, MAX_REPEATED)
        case "decimalEnclosedCircle" if number <= 20:
            return chr(0x2460 + number - 1)
        case "decimalEnclosedParen":
            return f"({number})"
        case "decimalEnclosedFullstop":
            return f"{number}."
    return str(number)


def write_letters(number: int, alphabet: str) -> str:
    """Behind z comes aa, then bb."""
    repeats, at = divmod(number - 1, len(alphabet))
    return alphabet[at] * min(repeats + 1, MAX_REPEATED)


def write_roman(number: int) -> str:
    if number >= MAX_ROMAN:
        return str(number)
    text = ""
    for value, letters in (*ROMAN, *ROMAN_ENDS):
        count, number = divmod(number, value)
        text += letters * count
    return text


def write_chinese(number: int) -> str:
    if number >= 100:
        return "".join(DIGITS[int(digit)] for digit in str(number))
    tens, ones = divmod(number, 10)
    return f"{(DIGITS[tens] if tens > 1 else '') + '十' if tens else ''}{DIGITS[ones] if ones else ''}"


def find_suffix(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def write_words(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number >= 100:
        return str(number)
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


def write_ordinal(number: int) -> str:
    if number >= 100:
        return f"{number}{find_suffix(number)}"
    before, dash, last = write_words(number).rpartition("-")
    last = ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{before}{dash}{last}"
