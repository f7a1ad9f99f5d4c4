"""Questions in sentences over 2,000 letters: `python -m benchmarks.growth.retrieval`, on SQLite.

300 questions, each about one line of one letter: by its words, by a name, by a number, by a day, in other words, and
fifty about what no letter has. Amounts are of 300 letters each, and every letter has a twin that differs in its number,
its day and its amount alone. Printed is how often the right letter, and the right line of it, is among the first ten by
`documents.find.search.retrieving`, and the letter by plain BM25 over any of the words; of questions without an answer,
how much of the question the best part has, beside the others.

Then the same with embeddings, fused with the words: of a scripted model that knows letters alone, of one that knows all
matters, or in their place of a provider's, whose key is in the environment: `--model openai/text-embedding-3-small`.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from benchmarks.instruments import embedded

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    embedded.start(database_url="")

from django.conf import settings

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import organizations, users
from benchmarks.growth.paraphrases import FILLERS, MATTERS, SURNAMES, TOWNS
from benchmarks.growth.search_at_size import find_plain
from benchmarks.growth.stored_pages import store_page
from benchmarks.research.scripted_embeddings import KNOWING, LETTERS, ScriptedEmbeddings
from documents.find.search.retrieving import Retrieved, retrieve
from documents.index.vectors.choice import request_vectors
from documents.index.vectors.embedding import embed_due
from documents.index.vectors.query_vectors import Vectorize, vectorize_here
from documents.models import Document, EmbeddingChoice, PageChunk
from llm.money.spending import BudgetAccount
from reader.words import Word

DOCUMENTS, QUESTIONS_A_KIND, TOP = 2_000, 50, 10
KINDS = ("words", "names", "numbers", "days", "other words", "no answer")


@dataclass(frozen=True)
class Letter:
    name: str
    matter: int
    wording: str
    writer: str
    town: str
    number: str
    day: date
    amount: str

    @property
    def lines(self) -> list[str]:
        return [
            f"{self.writer}, {self.town}",
            f"Our reference {self.number}",
            f"Date: {self.day:%d.%m.%Y}",
            *FILLERS[self.matter % 3 : self.matter % 3 + 3],
            f"{self.wording} {self.town}, {self.writer}.",
            f"The amount is {self.amount} euros.",
            *FILLERS[4:6],
        ]


@dataclass(frozen=True)
class Question:
    kind: str
    text: str
    letter: Letter | None = None
    line: int = 0


def main() -> None:
    admin = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    actor = Actor(admin, organizations.create(admin, name="A", type="team"), Role.ADMIN)
    letters = make_letters(random.Random(7))
    for letter in letters:
        words = [word for at, line in enumerate(letter.lines, start=1) for word in place_line(at, line)]
        store_page(actor.organization, letter.name, words)
    questions = make_questions(letters, random.Random(8))
    print(f"{len(letters):,} letters, {len(questions)} questions; among the first {TOP}:")
    print_all(actor, questions, "words")
    if options.model:
        print_all(actor, questions, options.model, embed_all(actor, options.model))
        return
    os.environ["OPENAI_API_KEY"] = "none"
    settings.MODEL_PRICES = {LETTERS: (0, 0), KNOWING: (0, 0)}
    scripted = ScriptedEmbeddings()
    scripted.start()
    settings.MODEL_API_BASE = scripted.base_url
    for model in (LETTERS, KNOWING):
        print_all(actor, questions, model, embed_all(actor, model))
    scripted.stop()


def embed_all(actor: Actor, model: str) -> Vectorize:
    """All letters by this model, as workers do it; what makes the numbers of a question."""
    EmbeddingChoice.objects.update_or_create(organization=actor.organization, defaults={"model": model})
    request_vectors(actor.organization)
    while embed_due():
        pass
    assert PageChunk.objects.filter(model=model).values("document").distinct().count() == Document.objects.count()
    return vectorize_here(actor, BudgetAccount(actor.organization, "search", actor.organization.pk))


def print_all(actor: Actor, questions: Sequence[Question], title: str, vectorize: Vectorize | None = None) -> None:
    print(f"{title:22} {'letter':>7} {'line':>7} {'BM25':>7} {'part':>7} {'ms':>7}")
    for kind in KINDS:
        print_kind(actor, kind, [question for question in questions if question.kind == kind], vectorize)


def make_letters(chooser: random.Random) -> list[Letter]:
    letters: list[Letter] = []
    while len(letters) < DOCUMENTS:
        pair = len(letters) // 2
        matter = pair % len(MATTERS)
        writer = f"{chooser.choice('ABCDEFGHKLMNPRSTW')}{pair:03}".lower().translate(_LETTERS).title()
        about = (matter, chooser.choice(MATTERS[matter].wordings), f"{writer} {chooser.choice(SURNAMES)}")
        town = TOWNS[pair // len(MATTERS) % len(TOWNS)]
        for _ in range(2):
            at = len(letters)
            day = date(2019, 1, 1) + timedelta(days=at * 7 % 2_557)
            number = f"AZ-{2019 + at % 7}/{at * 37 % 10_000:04}"
            amount = f"{1 + at % 6},{at % 300:03}.50"
            letters.append(Letter(f"letter {at}.pdf", *about, town, number, day, amount))
    return letters


_LETTERS = str.maketrans("0123456789", "aeioubdfgk")


def make_questions(letters: Sequence[Letter], chooser: random.Random) -> list[Question]:
    """With twins either is right, but where a number or a day tells them apart."""
    questions = []
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        words = letter.wording.rstrip(".").lower()
        questions.append(Question("words", f"Where is it said that {words}, in {letter.town}?", letter, 7))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        questions.append(Question("names", f"What did {letter.writer} from {letter.town} write to us?", letter, 1))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        questions.append(Question("numbers", f"Which letter has the reference {letter.number}?", letter, 2))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        text = f"What did {letter.writer} write in the letter of {letter.day:%d.%m.%Y}?"
        questions.append(Question("days", text, letter, 3))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        asked = chooser.choice(MATTERS[letter.matter].questions)
        questions.append(Question("other words", f"{asked} in {letter.town}", letter, 7))
    for number in range(QUESTIONS_A_KIND):
        text = f"What did the shipyard in Reykjavik{number} say about submarine QX-{number:03}?"
        questions.append(Question("no answer", text))
    return questions


def place_line(number: int, text: str) -> list[Word]:
    top = 0.05 + 0.03 * number
    return [
        Word(word, 0.05 + 0.05 * at, top, 0.09 + 0.05 * at, top + 0.02, line=number)
        for at, word in enumerate(text.split())
    ]


def print_kind(actor: Actor, kind: str, questions: Sequence[Question], vectorize: Vectorize | None) -> None:
    counts: defaultdict[str, int] = defaultdict(int)
    parts, milliseconds = [], []
    names = dict(Document.objects.values_list("pk", "name"))
    for question in questions:
        began = time.process_time()
        answer = retrieve(actor, question.text, limit=TOP, vectorize=vectorize)
        milliseconds.append((time.process_time() - began) * 1000)
        counts["letter"] += has_letter([each.document.name for each in answer.documents], question)
        counts["line"] += has_line(answer, question)
        counts["plain"] += has_letter([names[key] for key in find_plain(actor.organization, question.text)], question)
        parts.append(max((part.score for each in answer.documents for part in each.passages), default=0.0))
    shares = [counts[each] / len(questions) for each in ("letter", "line", "plain")]
    figures = [f"{share:7.2f}" if kind != "no answer" else f"{'':7}" for share in shares]
    print(f"{kind:22} {' '.join(figures)} {median(parts):7.2f} {median(milliseconds):7.1f}", flush=True)


def has_letter(names: Sequence[str], question: Question) -> bool:
    return not list_right(question).isdisjoint(names)


def list_right(question: Question) -> set[str]:
    """The letter and, where nothing of the question tells them apart, its twin."""
    if question.letter is None:
        return set()
    number = int(question.letter.name.removeprefix("letter ").removesuffix(".pdf"))
    alike = {number} if question.kind in ("numbers", "days") else {number, number ^ 1}
    return {f"letter {each}.pdf" for each in alike}


def has_line(answer: Retrieved, question: Question) -> bool:
    right = list_right(question)
    return any(
        part.first_line <= question.line <= part.last_line
        for each in answer.documents
        if each.document.name in right
        for part in each.passages
    )


if __name__ == "__main__":
    main()
