"""Finds what keeps its lines from proving a sentence although all its facts stand there.

A sentence is proven by lines that have its words too, do it to whom it says, and deny what it denies. Where the rules
cannot tell that, it is cited and not checked: it may be true, and nobody has seen that it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from agent.citations.statements.entailment.roles import find_exchanged
from agent.citations.statements.facts import QUOTATION, Facts
from agent.citations.statements.negations import denies
from agent.citations.statements.proofs import Proof
from agent.citations.statements.words.content_words import WORD, list_content_words, says_word
from agent.citations.statements.words.ordinary_words import list_languages
from printed.folding import compact_text, fold
from printed.language import Language
from printed.languages import LANGUAGES, list_words
from printed.quantities import find_periods

NOTHING = "it says nothing that can be looked for"
NO_WORDS = "no line that it names has {words}"
DENIED = "it denies what no line that it names denies"
DENIES = "a line that it names denies something of it"
TURNED = "“{word}” stands in no line that it names"
CONDITION = "a line that it names has a condition, “{word}”"
MAX_WORDS, ROOT = 5, 5
_CLAUSE = re.compile(r"[.,;:|()\n–—]+(?=\s|$)")
_MARKUP = re.compile(r"[*`~_|#>]+")


def _fold_words(pick: Callable[[Language], str]) -> frozenset[str]:
    return frozenset(map(fold, list_words(pick)))


_BEFORE, _AFTER = _fold_words(lambda each: each.before), _fold_words(lambda each: each.after)
_UNIVERSALS, _EACH = _fold_words(lambda each: each.universals), _fold_words(lambda each: each.each)
_PERMITS, _OBLIGES = _fold_words(lambda each: each.permits), _fold_words(lambda each: each.obliges)
_CONDITIONS = {each.code: frozenset(map(fold, each.conditions.split())) for each in LANGUAGES}


def find_gap(statement: str, facts: Facts, proofs: Sequence[Proof]) -> str:
    """The reason; empty where the lines prove it. All its facts have been found in them."""
    words = list(list_content_words(_cut_facts(statement, facts)))
    if not (words or facts.count or facts.quantities):
        return NOTHING
    languages = tuple(list_languages(statement))
    printed = frozenset[str]().union(*(proof.meanings for proof in proofs))
    missing = list(dict.fromkeys(word for word in words if not says_word(word, languages, printed)))
    is_repeated = _is_repeated(statement, proofs)
    if missing and not is_repeated:
        return NO_WORDS.format(words=", ".join(f"“{word}”" for word in missing[:MAX_WORDS]))
    turned = _find_turned(statement, proofs) or _find_denied(statement, facts, proofs)
    return turned or ("" if is_repeated else find_exchanged(statement, facts, proofs))


def _is_repeated(statement: str, proofs: Iterable[Proof]) -> bool:
    """Whether a line says it word for word."""
    plain = _MARKUP.sub(" ", statement)
    return bool(compact_text(plain)) and any(proof.says_words(plain) for proof in proofs)


def _cut_facts(statement: str, facts: Facts) -> str:
    """Without the names and quotations, which have been found."""
    text = QUOTATION.sub(" ", statement)
    for name in sorted({*facts.names, *(each.written for each in facts.quantities)}, key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def _find_turned(statement: str, proofs: Sequence[Proof]) -> str:
    """A small word that turns around what is said: before, must, always."""
    by_folded = {fold(word): word for word in WORD.findall(statement)}
    printed = {fold(word) for proof in proofs for word in WORD.findall(proof.text)}
    universals = _UNIVERSALS - (_EACH if find_periods(statement) else frozenset())
    for words in (_BEFORE, _AFTER, universals):
        own = words & by_folded.keys()
        if own and words.isdisjoint(printed):
            return TURNED.format(word=by_folded[min(own)])
    for words, others in ((_PERMITS, _OBLIGES), (_OBLIGES, _PERMITS)):
        own = words & by_folded.keys()
        if own and words.isdisjoint(printed) and not others.isdisjoint(printed):
            return TURNED.format(word=by_folded[min(own)])
    return _find_condition(by_folded.keys(), proofs)


def _find_condition(own_words: Iterable[str], proofs: Iterable[Proof]) -> str:
    own_words = {*own_words}
    for proof in proofs:
        words = {fold(word): word for word in WORD.findall(proof.text)}
        of_language = frozenset[str]().union(*(_CONDITIONS[each] for each in list_languages(proof.text)))
        if (left_out := of_language & words.keys()) and of_language.isdisjoint(own_words):
            return CONDITION.format(word=words[min(left_out)])
    return ""


def _find_denied(statement: str, facts: Facts, proofs: Sequence[Proof]) -> str:
    """Only the parts of the lines that are about the same are compared."""
    sought = [fold(word) for word in (*list_content_words(statement), *facts.names, *facts.numbers, *facts.dates)]
    is_denied = any(map(denies, _list_alike(sought, proofs)))
    if is_denied is denies(statement):
        return ""
    return DENIES if is_denied else DENIED


def _list_alike(sought: Sequence[str], proofs: Iterable[Proof]) -> Iterator[str]:
    for proof in proofs:
        for clause in _CLAUSE.split(proof.text):
            folded = fold(clause)
            if any(each[:ROOT] in folded for each in sought):
                yield clause
