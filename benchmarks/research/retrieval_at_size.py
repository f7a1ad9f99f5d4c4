"""Questions over 1,000 and over 100,000 parts of pages: `python -m benchmarks.research.retrieval_at_size [parts …]`.

SQLite, without an embedding model; each page is one part. An organization of each size in one database, a hundred
questions each: by four words of a page, by a name, by a number. Printed are the clock's and the CPU's p50 and p95, the
SQL statements of a question, and how each grows.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start()

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import organizations, users
from benchmarks.growth.search_at_size import add_documents, index_all
from benchmarks.growth.search_corpus import Corpus, make_name, make_number
from benchmarks.instruments.statements import statement_count
from documents.find.search.retrieving import retrieve

QUESTIONS, SIZES = 100, (1_000, 100_000)


def main(sizes: tuple[int, ...]) -> None:
    admin = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    actors = [Actor(admin, organizations.create(admin, name=f"{size}", type="team"), Role.ADMIN) for size in sizes]
    texts = [list(Corpus(seed).iterate_pages(size)) for seed, size in enumerate(sizes, start=1)]
    for actor, pages in zip(actors, texts, strict=True):
        add_documents(actor.organization, pages)
    index_all()
    print(f"{'parts':>9} {'p50 ms':>8} {'p95 ms':>8} {'CPU p50':>8} {'CPU p95':>8} {'SQL':>6}")
    rows = [measure(actor, pages) for actor, pages in zip(actors, texts, strict=True)]
    for size, row in zip(sizes, rows, strict=True):
        print(f"{size:9,} " + " ".join(f"{figure:8.1f}" for figure in row[:4]) + f" {row[4]:6.0f}")
    ratios = [last / first for first, last in zip(rows[0], rows[-1], strict=True)]
    print(f"{'ratio':>9} " + " ".join(f"{ratio:8.2f}" for ratio in ratios))


def measure(actor: Actor, pages: list[list[str]]) -> tuple[float, ...]:
    questions = make_questions(pages, random.Random(3))
    retrieve(actor, questions[0])
    gc.collect()
    gc.freeze()  # the texts of the benchmark are no garbage of a search
    clock: list[float] = []
    cpu: list[float] = []
    with statement_count() as count:
        for question in questions:
            began, worked = time.monotonic(), time.process_time()
            retrieve(actor, question)
            clock.append((time.monotonic() - began) * 1000)
            cpu.append((time.process_time() - worked) * 1000)
    return *find_percentiles(clock), *find_percentiles(cpu), count.total / len(questions)


def make_questions(pages: list[list[str]], chooser: random.Random) -> list[str]:
    questions = []
    for at in range(QUESTIONS):
        page = chooser.randrange(len(pages))
        words = " ".join(chooser.sample(pages[page][6:], 4))
        asked = (words, " ".join(make_name(page)), make_number(page))[at % 3]
        questions.append(f"What is said about {asked}?")
    return questions


def find_percentiles(values: list[float]) -> tuple[float, float]:
    return statistics.median(values), statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
