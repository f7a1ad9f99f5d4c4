"""The words of an organization's pages, each once: what is nearly a word that was typed, or has it as a part."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from rapidfuzz.distance import OSA

from accounts.models import Organization
from documents.index.words.expressions import Expression, Phrase
from documents.index.words.storage import get_backend
from documents.index.words.terms import is_unspaced
from documents.models import IndexedWord, WordIndex

# Of one organization. Words beyond are found as they stand, and no typing error in them is forgiven.
MAX_WORDS = 500_000
# Of one document, for the same reason: while they are written nobody else writes on SQLite. A book has fewer.
MAX_OF_DOCUMENT = 20_000
MIN_LETTERS, MAX_LETTERS = 3, 40
AT_ONCE = 500
# Of as many words is asked which of them is nearly the one that was typed.
MAX_COMPARED = 5_000
MAX_NEAR = 10
MIN_PART, MAX_WITH_PART = 3, 50
# From this length on two errors are forgiven.
LONG = 8


@transaction.atomic
def add_words(organization_id: str, words: Iterable[str], *, maximum: int = MAX_OF_DOCUMENT) -> None:
    """Of one document."""
    _lock(organization_id)
    new = _choose(words, maximum)
    for at in range(0, len(new), AT_ONCE):
        _add_some(organization_id, new[at : at + AT_ONCE])


@transaction.atomic
def remove_unused(organization_id: str, words: Collection[str]) -> None:
    """Those that no page has any more."""
    index = _lock(organization_id) if words else None
    if index is None:
        return
    candidates = [word for word in words if _is_listed(word)]
    for at in range(0, len(candidates), AT_ONCE):
        _remove_some(index, candidates[at : at + AT_ONCE])


@transaction.atomic
def count_again(organization_id: str) -> None:
    if index := _lock(organization_id):
        number = IndexedWord.objects.filter(organization_id=organization_id).count()
        WordIndex.objects.filter(pk=index.pk).update(word_count=number)


def list_missing(organization_id: str, words: Iterable[str]) -> list[str]:
    """Of one document's words those that belong on the list and are not there; none where it is full."""
    index = WordIndex.objects.filter(organization_id=organization_id).first()
    expected = _choose(words, MAX_OF_DOCUMENT) if index is None or index.word_count < MAX_WORDS else []
    missing: list[str] = []
    for at in range(0, len(expected), AT_ONCE):
        some = expected[at : at + AT_ONCE]
        rows = IndexedWord.objects.filter(organization_id=organization_id, word__in=some)
        missing += sorted(set(some).difference(rows.values_list("word", flat=True)))
    return missing


def list_unused(organization_id: str, words: Iterable[str]) -> list[str]:
    """Those that no page has."""
    index = WordIndex.objects.filter(organization_id=organization_id).first()
    return [word for word in words if index is None or not _is_used(index, word)]


def list_near_words(organization: Organization, word: str) -> list[str]:
    """Those that differ by a typing error, the nearest first. Of a number every figure counts."""
    if len(word) <= MIN_LETTERS or any(char.isdigit() for char in word):
        return []
    limit = 2 if len(word) >= LONG else 1
    near = ((OSA.distance(word, other, score_cutoff=limit), other) for other in _list_alike(organization, word))
    return [other for errors, other in sorted(near) if 0 < errors <= limit][:MAX_NEAR]


def list_words_with(organization: Organization, part: str) -> list[str]:
    """Those that begin or end with it, where there are none those that have it inside; shorter ones first."""
    if len(part) < MIN_PART:
        return []
    words = _list_where(organization, _begins_with("word", part), _begins_with("reversed_word", part[::-1]))
    words = words or _list_where(organization, Q(word__contains=part))
    return sorted(words - {part}, key=lambda word: (len(word), word))[:MAX_WITH_PART]


def list_words_from(organization: Organization, beginning: str) -> list[str]:
    """Some that begin so."""
    if len(beginning) < MIN_LETTERS:
        return []
    rows = _list_of(organization).filter(_begins_with("word", beginning))
    return list(rows.order_by("word").values_list("word", flat=True)[:MAX_NEAR])


def _list_alike(organization: Organization, word: str) -> set[str]:
    """Those with the same beginning or the same end: two letters that changed places are not in both."""
    length = min(3, (len(word) - 1) // 2)
    return _list_where(
        organization, _begins_with("word", word[:length]), _begins_with("reversed_word", word[::-1][:length])
    )


def _list_where(organization: Organization, *conditions: Q) -> set[str]:
    rows = _list_of(organization).values_list("word", flat=True)
    return {word for condition in conditions for word in rows.filter(condition)[:MAX_COMPARED]}


def _begins_with(column: str, text: str) -> Q:
    """Found by an index; SQLite's LIKE is for either case, and no index has that order."""
    if connection.vendor == "sqlite":
        return Q(**{f"{column}__gte": text, f"{column}__lt": f"{text}\U0010ffff"})
    return Q(**{f"{column}__startswith": text})


def _list_of(organization: Organization) -> QuerySet[IndexedWord, IndexedWord]:
    return IndexedWord.objects.for_org(organization)


def _lock(organization_id: str) -> WordIndex | None:
    """Until the transaction ends. A word that no page has is removed only while nobody adds a page with it."""
    return WordIndex.objects.select_for_update(no_key=True).filter(organization_id=organization_id).first()


def _add_some(organization_id: str, words: Collection[str]) -> None:
    listed = IndexedWord.objects.filter(organization_id=organization_id, word__in=words).values_list("word", flat=True)
    new = sorted(set(words).difference(listed))
    rows = WordIndex.objects.filter(organization_id=organization_id, word_count__lt=MAX_WORDS)
    if new and rows.update(word_count=F("word_count") + len(new)):
        IndexedWord.objects.bulk_create(
            IndexedWord(organization_id=organization_id, word=word, reversed_word=word[::-1]) for word in new
        )


def _remove_some(index: WordIndex, words: Collection[str]) -> None:
    rows = IndexedWord.objects.filter(organization_id=index.organization_id, word__in=words)
    unused = [row.pk for row in rows if not _is_used(index, row.word)]
    number, _ = IndexedWord.objects.filter(pk__in=unused).delete()
    WordIndex.objects.filter(pk=index.pk).update(word_count=F("word_count") - number)


def _choose(words: Iterable[str], maximum: int) -> list[str]:
    return sorted((word for word in words if _is_listed(word)), key=_rank)[:maximum]


def _rank(word: str) -> tuple[bool, str]:
    """Words without figures first: in the others no typing error is forgiven."""
    return any(char.isdigit() for char in word), word


def _is_listed(word: str) -> bool:
    return MIN_LETTERS <= len(word) <= MAX_LETTERS and not is_unspaced(word)


def _is_used(index: WordIndex, word: str) -> bool:
    expression = Expression(((Phrase((word,)),),))
    return get_backend().has_page(index.code, index.organization_id, expression)
