"""What is found by its meaning, beside what is found by words: where it stands, and how both become one order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice

from documents.find.search.query import SearchQuery
from documents.find.search.results import Box, PageHit, Snippet
from documents.find.search.snippets import MAX_LETTERS, join_lines, make_page_hit, write_gaps
from documents.index.vectors.nearest import NearChunk
from documents.index.words.expressions import Group
from documents.index.words.terms import is_unspaced
from reader.words import Word

# Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009, which also has this number.
K = 60
MAX_LINES = 20


def is_plain(query: SearchQuery) -> bool:
    """Words alone, as one asks a question. Phrases, beginnings*, -words and mere numbers mean what they say."""
    words = query.typed
    if any(word.is_excluded or word.text.endswith("*") for word in words) or '"' in query.narrowing.words:
        return False
    return any(_is_of_letters(word.group[0].terms) for word in words)


def _is_of_letters(terms: Sequence[str]) -> bool:
    return all(term.isalpha() for term in terms) and any(len(term) > 2 or is_unspaced(term) for term in terms)


def fuse_ranks(*orders: Sequence[str]) -> dict[str, float]:
    """Each order has the best first. 1 is what comes first in all of them."""
    scores: defaultdict[str, float] = defaultdict(float)
    for order in orders:
        for rank, key in enumerate(order, start=1):
            scores[key] += (K + 1) / (K + rank) / len(orders)
    return dict(scores)


def make_near_hit(chunk: NearChunk, words: Iterable[Word], groups: Sequence[Group]) -> PageHit:
    """The lines of the chunk; where some of the words stand in it, those around them."""
    inside = [word for word in words if chunk.first_line <= word.line <= chunk.last_line and not word.hidden]
    snippet = make_page_hit(chunk.reading_id, chunk.page, inside, groups).snippet
    lines = list(dict.fromkeys(word.line for word in inside))[:MAX_LINES]
    return PageHit(
        chunk.reading_id,
        chunk.page,
        snippet if snippet.text else _write_beginning(inside),
        [_join_line(line, inside) for line in lines],
        lines,
        [f"{chunk.page}.{line}" for line in lines],
        is_semantic=True,
    )


def _write_beginning(words: Sequence[Word]) -> Snippet:
    ends = accumulate(len(word.text) + 1 for word in words)
    count = sum(end <= MAX_LETTERS + 1 for end in islice(ends, MAX_LETTERS))
    fitting = words[: max(count, 1)]
    text = "".join(gap + word.text for gap, word in zip(write_gaps(fitting), fitting, strict=True))
    return Snippet(text[:MAX_LETTERS], lines=join_lines(fitting, MAX_LETTERS))


def _join_line(number: int, words: Sequence[Word]) -> Box:
    line = [word for word in words if word.line == number]
    return min(w.x0 for w in line), min(w.y0 for w in line), max(w.x1 for w in line), max(w.y1 for w in line)
