"""Searches by meaning in many parts of pages: `python -m benchmarks.growth.vectors_at_size sqlite|postgresql`.

Printed is the CPU of one comparison (this process, and that of the PostgreSQL server) with vectors of random
numbers, ten to a document, beside as many of another organization, and by how much memory grows.
"""

from __future__ import annotations

import argparse
import random
import resource
from contextlib import ExitStack

from benchmarks.instruments import embedded
from tests.services.servers import postgresql

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", choices=["sqlite", "postgresql"])
    parser.add_argument("--numbers", type=int, default=1_536)
    options = parser.parse_args()
    stack = ExitStack()
    embedded.start(database_url=stack.enter_context(postgresql()) if options.database == "postgresql" else "")

from django.db import connection

from accounts.models import Organization
from benchmarks.growth.search_at_size import measure_cpu
from documents.index.vectors.nearest import find_nearest
from documents.index.vectors.numbers import pack_vector
from documents.models import Document, PageChunk, Reading

SIZES, TIMES, CHUNKS_A_DOCUMENT, MODEL = (1_000, 5_000, 20_000, 30_000), 5, 10, "openai/x"


def main() -> None:
    with stack:
        chooser = random.Random(1)
        own, other = (Organization.objects.create(name=name) for name in "AB")
        vectors = [pack_vector([chooser.gauss(0, 1) for _ in range(options.numbers)]) for _ in range(500)]
        print(f"{connection.vendor}, {options.numbers:,} numbers\n{'parts':>8} {'CPU ms':>8} {'MB more':>8}")
        size = 0
        for wanted in SIZES:
            for organization in (own, other):
                add_chunks(organization, wanted - size, vectors)
            size = wanted
            documents = Document.objects.for_org(own)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            began = measure_cpu()
            for _ in range(TIMES):
                find_nearest(own, documents, model=MODEL, vector=vectors[0])
            cpu = (measure_cpu() - began) / TIMES * 1000
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            print(f"{size:8,} {cpu:8.0f} {grown:8.0f}", flush=True)


def add_chunks(organization: Organization, number: int, vectors: list[bytes]) -> None:
    documents = [
        Document(organization=organization, name="a.pdf", sha256="0", size=1, file="x")
        for _ in range(number // CHUNKS_A_DOCUMENT)
    ]
    readings = [Reading(document=document, number=1, status="completed") for document in documents]
    Document.objects.bulk_create(documents)
    Reading.objects.bulk_create(readings)
    PageChunk.objects.bulk_create(
        (
            PageChunk(
                organization=organization,
                document=readings[at // CHUNKS_A_DOCUMENT].document,
                reading=readings[at // CHUNKS_A_DOCUMENT],
                page=1,
                first_line=1,
                last_line=1,
                model=MODEL,
                dimensions=options.numbers,
                digest="",
                vector=vectors[at % len(vectors)],
            )
            for at in range(number)
        ),
        batch_size=500,
    )


if __name__ == "__main__":
    main()
