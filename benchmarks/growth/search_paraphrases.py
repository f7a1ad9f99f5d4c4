"""Questions in other words than the page has: `python -m benchmarks.growth.search_paraphrases [--static FOLDER]`.

2,400 generated documents on SQLite and 240 questions, each with one right document. A document is a letter from a town
about one of forty matters, in one of two wordings; a question names the town, from which there are forty letters,
and the matter in words that no wording of it has. Printed is how often the right document is among the first ten by
plain BM25 (any of the words), by the product without an embedding model, by vectors alone and by both fused.

FOLDER has the `weights/*.safetensors` and `tokenizers/*.json` of an unpacked wheel with static vectors of tokens, such
as wordllama. Nothing is made for a model to win: wordings and questions were written before any was tried.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.instruments import embedded

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--static", type=Path)
    options = parser.parse_args()
    embedded.start(database_url="")

import numpy as np
from django.db import connection
from tokenizers import Tokenizer

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import organizations, users
from benchmarks.growth.paraphrases import FILLERS, MATTERS, QUESTION_FRAMES, SURNAMES, TOWNS
from benchmarks.growth.search_at_size import find_plain
from benchmarks.growth.search_corpus import place_words
from benchmarks.growth.stored_pages import store_page
from documents.find.search import find_pages
from documents.index.vectors.chunks import list_chunks
from documents.index.vectors.nearest import find_nearest
from documents.index.vectors.numbers import pack_vector
from documents.index.vectors.query_vectors import VectorQuery
from documents.models import Document, PageChunk, Reading

DOCUMENTS, QUESTIONS, TOP = 2_400, 240, 10
MODEL = "openai/static"
Embed = Callable[[Sequence[str]], list[list[float]]]


class StaticModel:
    """The mean of the vectors of a text's tokens."""

    def __init__(self, folder: Path) -> None:
        [weights], [tokenizer] = folder.glob("weights/*.safetensors"), folder.glob("tokenizers/*.json")
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        data = weights.read_bytes()
        size = struct.unpack("<Q", data[:8])[0]
        [(_, about)] = [entry for entry in json.loads(data[8 : 8 + size]).items() if entry[0] != "__metadata__"]
        first, last = about["data_offsets"]
        matrix = np.frombuffer(data[8 + size + first : 8 + size + last], dtype="<f2")
        self.matrix = matrix.reshape(about["shape"]).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        encoded = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [self.matrix[each.ids].mean(axis=0).tolist() for each in encoded]


def main() -> None:
    admin = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    actor = Actor(admin, organizations.create(admin, name="A", type="team"), Role.ADMIN)
    letters = make_letters(random.Random(5))
    for number, letter in enumerate(letters):
        words = place_words(" ".join(letter["lines"]).split())
        store_page(actor.organization, f"letter {number}.pdf", words)
    questions = make_questions(letters, random.Random(6))
    print(f"{len(letters):,} documents, {len(questions)} questions; found among the first {TOP}:")
    print_recall("plain BM25", questions, lambda text: find_plain(actor.organization, text))
    print_recall("words, as without a model", questions, lambda text: find_both(actor, text, None))
    if not options.static:
        return
    model = StaticModel(options.static)
    began = time.process_time()
    number = embed_all(actor.organization, model.embed)
    print(f"{number:,} parts, {(time.process_time() - began) / number * 1000:.2f} ms of CPU a part")
    vectorize = lambda text: VectorQuery(MODEL, pack_vector(model.embed([text])[0]))  # noqa: E731
    print_recall("vectors alone", questions, lambda text: find_near(actor.organization, vectorize(text)))
    print_recall("both fused", questions, lambda text: find_both(actor, text, vectorize))


def make_letters(chooser: random.Random) -> list[dict[str, Any]]:
    letters = []
    for number in range(DOCUMENTS):
        matter = MATTERS[number % len(MATTERS)]
        town, surname = TOWNS[number // len(MATTERS) % len(TOWNS)], chooser.choice(SURNAMES)
        lines = [f"{surname} {town}", f"Our reference {number:05}", *chooser.sample(FILLERS, 2)]
        lines += [chooser.choice(matter.wordings), *chooser.sample(FILLERS, 2)]
        letters.append({"matter": number % len(MATTERS), "town": town, "lines": lines, "number": number})
    return letters


def make_questions(letters: list[dict[str, Any]], chooser: random.Random) -> list[tuple[str, str]]:
    """Each with the name of the only letter about the matter from the town."""
    questions = []
    for letter in chooser.sample(letters, QUESTIONS):
        asked = chooser.choice(MATTERS[letter["matter"]].questions)
        text = chooser.choice(QUESTION_FRAMES).format(question=asked, town=letter["town"])
        questions.append((text, f"letter {letter['number']}.pdf"))
    return questions


def embed_all(organization: Organization, embed: Embed) -> int:
    rows = []
    for reading in Reading.objects.select_related("document"):
        chunks = list_chunks(reading)
        vectors = embed([chunk.text for chunk in chunks])
        rows += [
            PageChunk(
                organization=organization,
                document=reading.document,
                reading=reading,
                page=chunk.page,
                first_line=chunk.first_line,
                last_line=chunk.last_line,
                model=MODEL,
                dimensions=len(vector),
                digest=chunk.digest,
                vector=pack_vector(vector),
            )
            for chunk, vector in zip(chunks, vectors, strict=True)
        ]
    PageChunk.objects.bulk_create(rows)
    return len(rows)


def find_both(actor: Actor, text: str, vectorize: Any) -> list[str]:
    return [hit.document.name for hit in find_pages(actor, text, limit=TOP, vectorize=vectorize).hits]


def find_near(organization: Organization, query: VectorQuery) -> list[str]:
    documents = Document.objects.for_org(organization)
    near = find_nearest(organization, documents, model=query.model, vector=query.vector)
    keys = list(dict.fromkeys(chunk.document_id for chunk in near.chunks))[:TOP]
    return list(Document.objects.filter(pk__in=keys).values_list("name", flat=True))


def print_recall(title: str, questions: list[tuple[str, str]], find: Callable[[str], Any]) -> None:
    names = dict(Document.objects.values_list("pk", "name"))
    began = time.process_time()
    hits = sum(right in {names.get(each, each) for each in find(text)} for text, right in questions)
    milliseconds = (time.process_time() - began) / len(questions) * 1000
    print(f"{title:28} {hits / len(questions):6.2f} {milliseconds:8.1f} ms of CPU a search", flush=True)
    connection.close_if_unusable_or_obsolete()


if __name__ == "__main__":
    main()
