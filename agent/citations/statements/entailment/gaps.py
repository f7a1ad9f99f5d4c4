"""Finds what keeps its lines from proving a sentence although all its facts stand there.

A sentence is proven by lines that have its words too, do it to whom it says, and deny what it denies. Where the rules
cannot tell that, it is cited and not checked: it may be true, and nobody has seen that it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from agent.citations.statements.entailment.roles import find_exchanged
from agent.citations.statements.facts import QUOTATION, Facts
from agent.citations.statements.negations import denies
from agent.citations.statements.proofs import Proof
from agent.citations.statements.words.content_words import WORD, list_content_words, says_word
from agent.citations.statements.words.ordinary_words import list_languages
from printed.folding import compact_text, fold
from printed.language import Language
from printed.languages import LANGUAGES, write_pattern
from printed.quantities import find_periods

NOTHING = "it says nothing that can be looked for"
NO_WORDS = "no line that it names has {words}"
DENIED = "it denies what no line that it names denies"
DENIES = "a line that it names denies something of it"
TURNED = "“{word}” is in no line that it names"
LEFT_OUT = "a line that it names says “{word}”, which it leaves out"
TOTAL = "total"
MAX_WORDS, ROOT = 5, 5
_CLAUSE = re.compile(r"[.,;:|()\n–—]+(?=\s|$)")
# “Invoice no. 7” denies nothing.
_NUMBER_SIGN = write_pattern(lambda language: language.numbered)
_NUMBERED = re.compile(rf"{_NUMBER_SIGN}(?:\.|(?=\W*[\w-]*\d))", re.I)
_MARKUP = re.compile(r"[*`~_|#>]+")


def _by_language(pick: Callable[[Language], str]) -> dict[str, frozenset[str]]:
    return {each.code: frozenset(map(fold, pick(each).split())) for each in LANGUAGES}


_BEFORE, _AFTER = _by_language(lambda each: each.before), _by_language(lambda each: each.after)
_UNIVERSALS, _EACH = _by_language(lambda each: each.universals), _by_language(lambda each: each.each)
_PERMITS, _OBLIGES = _by_language(lambda each: each.permits), _by_language(lambda each: each.obliges)
_CONDITIONS, _PLANS = _by_language(lambda each: each.conditions), _by_language(lambda each: each.plans)


def find_gap(
    statement: str,
    facts: Facts,
    proofs: Sequence[Proof],
    own_names: Collection[str] = (),
    *,
    is_sum: bool = False,
) -> str:
    """The reason; empty where the lines prove it. All its facts have been found in them.

    `own_names` are those of the product's own things, as of a schema, which stand in no line. `is_sum`: a number of it
    was added up of the lines, so that these do not say “together”.
    """
    words = list(list_content_words(_cut_facts(statement, facts, own_names)))
    if not (words or facts.count or facts.quantities):
        return NOTHING
    languages = tuple(list_languages(statement))
    printed = frozenset[str]().union(*(proof.meanings for proof in proofs), {TOTAL} if is_sum else ())
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


def _cut_facts(statement: str, facts: Facts, own_names: Collection[str]) -> str:
    """Without the names and quotations, which have been found."""
    text = QUOTATION.sub(" ", statement)
    names = {*facts.names, *(each.written for each in facts.quantities)}.difference(own_names)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def _find_turned(statement: str, proofs: Sequence[Proof]) -> str:
    """A small word that turns around what is said: before, must, always. In the lines it may be of another language."""
    languages, words = list_languages(statement), _fold_words(statement)
    printed = _fold_words(" ".join(proof.text for proof in proofs))
    passed = _join(_EACH, languages) if find_periods(statement) else frozenset[str]()
    for table in (_BEFORE, _AFTER, _UNIVERSALS):
        own = (_join(table, languages) - passed) & words.keys()
        if own and _join(table).isdisjoint(printed):
            return TURNED.format(word=words[min(own)])
    for table, other in ((_PERMITS, _OBLIGES), (_OBLIGES, _PERMITS)):
        own = _join(table, languages) & words.keys()
        if own and _join(table).isdisjoint(printed) and not _join(other).isdisjoint(printed):
            return TURNED.format(word=words[min(own)])
    return _find_left_out(_CONDITIONS, words.keys(), proofs) or _find_left_out(_PLANS, words.keys(), proofs)


def _find_left_out(table: Mapping[str, frozenset[str]], words: Iterable[str], proofs: Iterable[Proof]) -> str:
    """A condition of a line, or that somebody only means to do it, which the sentence leaves out."""
    is_said = not _join(table).isdisjoint(words)
    for proof in () if is_said else proofs:
        printed = _fold_words(proof.text)
        if left_out := _join(table, list_languages(proof.text)) & printed.keys():
            return LEFT_OUT.format(word=printed[min(left_out)])
    return ""


def _fold_words(text: str) -> dict[str, str]:
    return {fold(word): word for word in WORD.findall(text)}


def _join(table: Mapping[str, frozenset[str]], languages: Collection[str] = ()) -> frozenset[str]:
    """The words of these languages, or of all."""
    return frozenset[str]().union(*(table[each] for each in languages or table))


def _find_denied(statement: str, facts: Facts, proofs: Sequence[Proof]) -> str:
    """Only the parts of the lines that are about the same are compared."""
    sought = [fold(word) for word in (*list_content_words(statement), *facts.names, *facts.numbers, *facts.dates)]
    is_denied = any(map(denies, _list_alike(sought, proofs)))
    if is_denied is denies(_NUMBERED.sub(" ", statement)):
        return ""
    return DENIES if is_denied else DENIED


def _list_alike(sought: Sequence[str], proofs: Iterable[Proof]) -> Iterator[str]:
    for proof in proofs:
        for clause in _CLAUSE.split(_NUMBERED.sub(" ", proof.text)):
            folded = fold(clause)
            if any(each[:ROOT] in folded for each in sought):
                yield clause
