"""Tells the name of somebody or something from a heading, a button and a word of the trade."""

from __future__ import annotations

from collections.abc import Sequence

from agent.citations.statements.words.ordinary_words import is_ordinary
from printed.folding import fold
from printed.languages import list_words
from printed.stopwords import NO, STOPWORDS, YES

# Any answer may speak of these: kinds of files and codes, and this product.
_GENERAL_WORDS = (
    "docrouter pdf json csv tsv xml html docx doc xlsx xls pptx eml txt png jpg jpeg tiff zip excel word markdown utf"
    " unicode iban bic swift vat gst ocr api mcp url uri id ids utc iso sepa ai llm ok faq sql yaml regex n/a tbd"
    " dr mr mrs ms prof"
)
# No dictionary of word forms lists the small words.
_GENERAL = frozenset(map(fold, [*_GENERAL_WORDS.split(), *STOPWORDS, *YES, *NO]))
_COMPANY = frozenset(list_words(lambda language: language.company_forms))


def is_proper(name: str, languages: Sequence[str]) -> bool:
    """Whether it is the name of somebody or something, and no heading, button or word of the trade. A company's words
    may all be ordinary ones."""
    words = [word.strip(".") for word in fold(name).split()]
    if _COMPANY & set(words[1:]):
        return True
    others = [word for word in name.split() if fold(word).strip(".") not in _GENERAL]
    return not all(is_ordinary(word, languages or ["en"]) for word in others)
