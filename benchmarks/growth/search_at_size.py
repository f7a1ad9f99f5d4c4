"""Searches in as many pages as are asked for: `python -m benchmarks.growth.search_at_size URL [--pages 100000]`.

URL names a database of SQLite or PostgreSQL, empty or filled by an earlier run; `sqlite` or `postgresql` starts one.
Printed are CPU of the search (with that of the PostgreSQL server), statements, seconds of indexing a page, size, and of
a hundred searches of each kind how often the page is among the first ten documents, beside plain BM25 (SQLite) or
ts_rank (PostgreSQL).
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack

from benchmarks.instruments import embedded
from tests.services.servers import postgresql

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--pages", type=int, default=1_000)
    wish = parser.parse_args()
    stack = ExitStack()
    url = {"sqlite": ""}.get(wish.database, wish.database)
    if wish.database == "postgresql":
        url = stack.enter_context(postgresql())
    embedded.start(database_url=url)

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import Organization, Role, User
from accounts.services import organizations, users
from benchmarks.growth.search_corpus import (
    EVERYWHERE,
    PAGES_A_DOCUMENT,
    Corpus,
    make_name,
    make_number,
    place_words,
)
from documents.find.search import find_pages
from documents.index.words import word_list
from documents.index.words.expressions import Expression, Phrase
from documents.index.words.indexing import index_document, list_words, prepare_terms
from documents.index.words.storage import get_backend
from documents.index.words.terms import split_terms
from documents.models import Document, Page, Reading, WordIndex
from reader.words import pack

TIMES, QUESTIONS, AT_ONCE, SAMPLE = 7, 100, 400, 200
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    with stack:
        print(f"\n{connection.vendor}, {wish.pages:,} pages and {wish.pages // 10:,} of another organization")
        if not Document.objects.exists():
            fill_database()
        actor = Actor(User.objects.get(), Organization.objects.get(name="A"), Role.ADMIN)
        print(f"{measure_size() / 1e6:.0f} MB")
        corpus = Corpus(1)
        texts = list(corpus.iterate_pages(wish.pages))
        # As the product does once it has loaded its code: texts of the benchmark are no garbage of a search.
        gc.collect()
        gc.freeze()
        print_times(actor, corpus)
        print_recall(actor, texts)


def fill_database() -> None:
    admin = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    for seed, (name, pages) in enumerate({"A": wish.pages, "B": wish.pages // 10}.items(), start=1):
        organization = organizations.create(admin, name=name, type="team")
        add_documents(organization, list(Corpus(seed).iterate_pages(pages)))
    seconds, indexed = index_all()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"index: {seconds / indexed * 1000:.2f} ms of CPU a page", flush=True)


def add_documents(organization: Organization, texts: list[list[str]]) -> None:
    pages = len(texts)
    for start in range(0, pages, PAGES_A_DOCUMENT * AT_ONCE):
        part = texts[start : start + PAGES_A_DOCUMENT * AT_ONCE]
        documents = [
            Document(
                organization=organization,
                name=f"scan {start + at}.pdf",
                sha256="0",
                size=1,
                file="x",
                media_type="application/pdf",
                state="ocr_completed",
            )
            for at in range(0, len(part), PAGES_A_DOCUMENT)
        ]
        readings = [
            Reading(document=each, number=1, status="completed", page_count=PAGES_A_DOCUMENT) for each in documents
        ]
        Document.objects.bulk_create(documents)
        Reading.objects.bulk_create(readings)
        Page.objects.bulk_create(
            Page(
                reading=readings[at // PAGES_A_DOCUMENT],
                number=at % PAGES_A_DOCUMENT + 1,
                width=600,
                height=800,
                engine="bench",
                words=pack(place_words(words)),
            )
            for at, words in enumerate(part)
        )


def index_all() -> tuple[float, int]:
    """Seconds and pages of some documents as the product does it; the others are written a hundred at a time."""
    documents = list(Document.objects.order_by("-pk"))
    began = measure_cpu()
    for document in documents[:SAMPLE]:
        index_document(document)
    seconds = measure_cpu() - began
    rest = documents[SAMPLE:]
    for at in range(0, len(rest), 100):
        index_together(rest[at : at + 100])
    return seconds, len(documents[:SAMPLE]) * PAGES_A_DOCUMENT


@transaction.atomic
def index_together(documents: list[Document]) -> None:
    words: dict[str, set[str]] = defaultdict(set)
    for reading in Reading.objects.filter(document__in=documents).select_related("document").prefetch_related("pages"):
        owner = reading.document.organization_id
        pages = [part for page in reading.pages.all() for part in prepare_terms(page)]
        index = WordIndex.objects.get_or_create(organization_id=owner)[0]
        get_backend().write_pages(index.code, reading, owner, pages)
        words[owner] |= list_words(pages)
    for owner, some in words.items():
        word_list.add_words(owner, some)


def measure_cpu() -> float:
    """Of this process, and of the server's that works for it, in seconds."""
    seconds = time.process_time()
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        with open(f"/proc/{connection.connection.info.backend_pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / TICKS
    return seconds


def measure_size() -> int:
    tables = {
        "postgresql": "SELECT pg_total_relation_size('documents_indexedpage') + "
        "pg_total_relation_size('documents_indexedword')",
        "sqlite": "SELECT (SELECT sum(length(block)) FROM documents_pageterms_data) + "
        "(SELECT sum(length(c0)) FROM documents_pageterms_content) + "
        "(SELECT sum(length(word) + length(reversed_word) + 60) FROM documents_indexedword)",
    }
    with connection.cursor() as cursor:
        cursor.execute(tables[connection.vendor])
        return int(cursor.fetchone()[0])


def print_times(actor: Actor, corpus: Corpus) -> None:
    middle, frequent = corpus.words[5_000], corpus.words[20]
    calls = {
        "a number of one page": make_number(wish.pages // 2),
        "a rare word": corpus.words[-1],
        "a word of some pages": middle,
        "a word of many pages": frequent,
        "a word of every page": EVERYWHERE,
        "a phrase of frequent words": f'"{EVERYWHERE} re"',
        "two letters and *": f"{frequent[:2]}*",
        "every page, not a word": f"{EVERYWHERE} -{frequent}",
        "a typing error": swap(middle),
        "a part of a word": corpus.words[3_000][1:-1],
        "nothing": "qqqqqq",
    }
    print(f"{'':28} {'statements':>10} {'CPU ms':>8} {'documents':>10}")
    for name, query in calls.items():
        find_pages(actor, query)
        with CaptureQueriesContext(connection) as queries:
            results = find_pages(actor, query)
        # One tick of a server is 10 ms, so it is asked several times.
        began = measure_cpu()
        for _ in range(TIMES):
            find_pages(actor, query)
        cpu = (measure_cpu() - began) / TIMES * 1000
        more = "" if results.are_counted else "+"
        print(f"{name:28} {len(queries):>10} {cpu:8.1f} {f'{results.total_documents:,}{more}':>10}")


def print_recall(actor: Actor, texts: list[list[str]]) -> None:
    chooser = random.Random(3)
    pages = [chooser.randrange(len(texts)) for _ in range(QUESTIONS)]
    long_words = [[word for word in texts[page][6:] if len(word) > 5] for page in pages]
    kinds: dict[str, Callable[[int], str]] = {
        "words": lambda at: " ".join(chooser.sample(texts[pages[at]][6:], 4)),
        "names": lambda at: " ".join([*make_name(pages[at]), chooser.choice(long_words[at])]),
        "numbers": lambda at: make_number(pages[at]),
        "numbers without signs": lambda at: make_number(pages[at]).replace("-", ""),
        "typing errors": lambda at: " ".join(
            [make_number(pages[at])[:7], swap(chooser.choice(long_words[at])), *chooser.sample(texts[pages[at]][6:], 3)]
        ),
        "parts of words": lambda at: " ".join(
            [chooser.choice(long_words[at])[2:], *chooser.sample(texts[pages[at]][6:], 3)]
        ),
    }
    print(f"{'found among the first ten':28} {'ours':>6} {'plain':>6}")
    for name, ask in kinds.items():
        ours = plain = 0
        for at, page in enumerate(pages):
            query = ask(at)
            document = find_document(actor.organization, page)
            ours += any(hit.document.pk == document for hit in find_pages(actor, query, limit=10).hits)
            plain += document in find_plain(actor.organization, query)
        print(f"{name:28} {ours / QUESTIONS:6.2f} {plain / QUESTIONS:6.2f}")


def find_document(organization: Organization, page: int) -> str:
    number = page - page % PAGES_A_DOCUMENT
    return Document.objects.values_list("pk", flat=True).get(organization=organization, name=f"scan {number}.pdf")


def find_plain(organization: Organization, query: str) -> set[str]:
    """Any of the words, as they stand, by the database's own rank."""
    index = WordIndex.objects.get(organization=organization)
    groups = tuple((Phrase((term,)),) for term in split_terms(query))
    rows = get_backend().match_pages(
        index.code,
        organization.pk,
        Expression(groups, needs_all=False),
        document_ids=None,
        before=None,
        limit=1_000_000,
    )
    rows.sort(key=lambda row: -row.rank)
    return set(list(dict.fromkeys(row.document_id for row in rows))[:10])


def swap(word: str) -> str:
    middle = len(word) // 2
    return word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]


if __name__ == "__main__":
    main()
