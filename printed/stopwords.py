"""Words that make sentences and questions and tell nothing of what they are about."""

from __future__ import annotations

from printed.folding import fold
from printed.languages import list_words

STOPWORDS = frozenset(list_words(lambda language: language.stopwords))
HOMOGRAPHS = frozenset(list_words(lambda language: language.homographs))
"""Words of one language that another has as stopwords, or months: hat, son, may."""
FILLERS = frozenset(map(fold, STOPWORDS - HOMOGRAPHS))
"""The stopwords, folded, that are left out of a question or a label whatever its language is.

How few pages have a word says how much it tells, but not of these: invoices have no "what", so the one letter that has
it would be the answer to every question.
"""
YES = frozenset(list_words(lambda language: language.yes))
NO = frozenset(list_words(lambda language: language.no))
