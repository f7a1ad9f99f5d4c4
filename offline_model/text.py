"""Letters, words and names, without regard to case, accents and the usual slips of OCR."""

import re
from functools import lru_cache

from printed.folding import fold_letters

NO_AMOUNT = r"\d(?![\d.,]*[.,]\d\d(?!\d))"
OCR_TWINS = {"o": "[o0]", "i": "[i1l]", "l": "[l1i]", "s": "[s5]"}


def split_words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", fold_letters(text))


def to_snake_case(text: str) -> str:
    name = "_".join(split_words(text))[:60].strip("_")
    return f"field_{name}" if name[:1].isdigit() else name


def to_readable(name: str) -> str:
    """`invoice_number` → `invoice number`; also takes camelCase apart."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ").strip()


def shorten(text: str, limit: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def join_names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}" if names else "nothing"


def _loosen(label: str) -> str:
    letters = "".join(OCR_TWINS.get(letter, re.escape(letter)) for letter in label.replace(" ", "\0"))
    return letters.replace(re.escape("\0"), r"[\W_]*").replace("\0", r"[\W_]*")


@lru_cache(maxsize=4096)
def compile_labels(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches any of the labels in folded text, the longest first; group `l` + n is `labels[n]`.

    Labels are grouped by their first letters: most places of a text are passed over without trying each of hundreds.
    """
    by_letter: dict[str, list[str]] = {}
    for n in sorted(range(len(labels)), key=lambda n: -len(labels[n])):
        words = " ".join(split_words(labels[n]))
        by_letter.setdefault(words[:1], []).append(f"(?P<l{n}>{_loosen(words[1:])}{_end_pattern(labels[n])})")
    choices = "|".join(f"{_loosen(first)}(?:{'|'.join(rest)})" for first, rest in by_letter.items())
    return re.compile(rf"(?<![a-z0-9])(?:{choices})")


def _end_pattern(label: str) -> str:
    # A digit may follow a word that is glued to its value, but `PO755269` is a value, not a label; `TAX86.29` is both.
    return rf"(?![a-z]|{NO_AMOUNT})" if len("".join(split_words(label))) <= 3 else r"(?![a-z])"
