"""`python -m benchmarks.research.answers [--questions 250]`: what of an answer is shown as proven, and what it costs.

2,000 letters and questions (`benchmarks.research.letters`), asked in a thread about no document of a scripted reader
that answers from the lines it was given alone (`benchmarks.research.reader`), through the real loop and tools.
Every third answer is wrong in a known way; every other reader of these corrects itself when the check asks it to.
Printed are how many right and wrong sentences were shown as proven, and calls and tokens of a right answer beside those
of the same question with the right letter given.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections import defaultdict
from dataclasses import dataclass

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start()

from django.conf import settings

from agent.citations.checked_answers import CitedThread, list_unsupported
from agent.citations.sentences import list_cited_sentences
from agent.conversation import threads
from agent.models import Citation
from benchmarks.agent_tasks.office import Office
from benchmarks.instruments.statements import statement_count
from benchmarks.research.letters import KINDS, Question, list_right, make_letters, make_questions, store_letter
from benchmarks.research.reader import NOTHING, Reader, Slip
from documents.models import Document

SLIPS = (Slip.NEXT_LINE, Slip.OTHER_DOCUMENT, Slip.CHANGED, Slip.RENAMED, Slip.INVENTED, Slip.ADDED)
WRONG_EACH, MOST = 3, 0.8


@dataclass(frozen=True)
class Outcome:
    """`proven` and `marked` count sentences with sources; `wrong` are citations shown as proof that prove nothing."""

    kind: str
    slip: Slip
    corrected: bool
    is_right: bool
    proven: int
    marked: int
    wrong: int
    citations: int
    rounds: int
    tokens: int
    statements: int
    cpu_ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=250)
    wish = parser.parse_args()
    office, reader = Office(), Reader()
    reader.start()
    settings.MODEL_API_BASE, settings.DEFAULT_MODEL = reader.base_url, reader.model
    settings.MONTHLY_BUDGET_USD = settings.TURN_BUDGET_USD = 100_000
    letters = make_letters(random.Random(7))
    for letter in letters:
        store_letter(office.actor.organization, letter)
    questions = make_questions(letters, random.Random(8))[:: max(1, 250 // wish.questions)]
    print(f"{len(letters):,} letters, {len(questions)} questions")
    outcomes = [ask(office, reader, question, at) for at, question in enumerate(questions)]
    print_proof(outcomes)
    print_costs(office, reader, questions, outcomes)
    reader.stop()


def ask(office: Office, reader: Reader, question: Question, at: int, *, document: Document | None = None) -> Outcome:
    slip, corrects = choose_slip(question, at) if document is None else (Slip.NONE, False)
    reader.ask(question.text, slip=slip, quotes=at // WRONG_EACH // len(SLIPS) % 4 < 2, corrects=corrects)
    thread = threads.create(office.actor, document=document)
    began = time.process_time()
    with statement_count() as count:
        turn = office.ask(thread, question.text if question.text.endswith("?") else f"{question.text}?")
    cpu = (time.process_time() - began) * 1000
    message = turn.messages.filter(role="assistant").order_by("number").last()
    assert message
    text, unproven = message.join_text(), {each.text for each in list_unsupported(message)}
    marked, proven = len(unproven), [each for each in list_cited_sentences(text) if each.text.strip() not in unproven]
    named = CitedThread(thread).expand(turn.number, text).citations.values() if not marked else ()
    citations = list(named)
    kept = slip if slip is Slip.NONE or not (corrects and turn.round > 2) else Slip.NONE
    return Outcome(
        question.kind,
        kept,
        kept is not slip,
        is_right(question, text, citations, kept, document),
        len(proven),
        marked,
        sum(not says_it(each, text) for each in citations),
        len(citations),
        reader.traffic.rounds,
        reader.traffic.input + reader.traffic.output,
        count.total,
        cpu,
    )


def choose_slip(question: Question, at: int) -> tuple[Slip, bool]:
    if at % WRONG_EACH:
        return Slip.NONE, False
    slip = Slip.UNFOUNDED if question.letter is None else SLIPS[at // WRONG_EACH % len(SLIPS)]
    return slip, bool(at // WRONG_EACH // len(SLIPS) % 2)


def is_right(question: Question, text: str, citations: list[Citation], slip: Slip, document: Document | None) -> bool:
    """The right line of a right letter, cited; of what no letter says, that nothing was found."""
    if question.letter is None:
        return text == NOTHING
    right = list_right(question)
    return slip is Slip.NONE and any(
        (document is not None or each.reading.document.name in right)
        and (each.line == question.line or question.kind == "days")
        for each in citations
    )


def says_it(citation: Citation, text: str) -> bool:
    """Whether nearly all words of the answer, which says one line and nothing else, stand in the cited one."""
    said = {word.strip(".,“”") for word in text.rpartition("[")[0].removeprefix("It says").split()}
    cited = {word.strip(".,“”") for word in citation.cited_text.split()}
    return len(said & cited) >= MOST * len(said)


def print_proof(outcomes: list[Outcome]) -> None:
    print(f"\n{'answers with':38} {'answers':>7} {'corrected':>9} {'as proven':>9} {'marked':>7}")
    rows: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        rows["no slip" if outcome.slip is Slip.NONE else outcome.slip.value].append(outcome)
    for name, some in rows.items():
        corrected = sum(outcome.corrected for outcome in some)
        proven, marked = sum(outcome.proven for outcome in some), sum(outcome.marked for outcome in some)
        print(f"{name:38} {len(some):7} {corrected:9} {proven:9} {marked:7}")
    citations, wrong = sum(outcome.citations for outcome in outcomes), sum(outcome.wrong for outcome in outcomes)
    print(f"citations shown as proof: {citations}; wrong: {wrong} ({wrong / max(1, citations):.1%})", flush=True)


def print_costs(office: Office, reader: Reader, questions: list[Question], outcomes: list[Outcome]) -> None:
    """Of the answers without a slip, beside the same questions with the right letter given."""
    honest = [(question, each) for question, each in zip(questions, outcomes, strict=True) if each.slip is Slip.NONE]
    letters = {name: each for each in Document.objects.all() for name in [each.name]}
    given = [
        (question, ask(office, reader, question, at, document=letters[question.letter.name]))
        for at, (question, _) in enumerate(honest)
        if question.letter
    ]
    print(f"\n{'by':14} {'asked':>6} {'right':>6} {'calls':>6} {'tokens':>8} {'CPU ms':>7} {'SQL':>5}   letter given")
    for kind in KINDS:
        some = [each for question, each in honest if question.kind == kind]
        others = [each for question, each in given if question.kind == kind]
        print(f"{kind:14} {format_costs(some)}   {format_costs(others)}")
    everything = [each for question, each in honest if question.letter]
    print(f"{'with answer':14} {format_costs(everything)}   {format_costs([each for _, each in given])}")
    print(f"calls and tokens are those of a right answer; memory {measure_memory():.0f} MB", flush=True)


def format_costs(outcomes: list[Outcome]) -> str:
    if not outcomes:
        return ""
    right = sum(outcome.is_right for outcome in outcomes)
    rounds = sum(outcome.rounds for outcome in outcomes) / max(1, right)
    tokens = sum(outcome.tokens for outcome in outcomes) / max(1, right)
    cpu = sum(outcome.cpu_ms for outcome in outcomes) / len(outcomes)
    sql = sum(outcome.statements for outcome in outcomes) / len(outcomes)
    return f"{len(outcomes):6} {right / len(outcomes):6.2f} {rounds:6.2f} {tokens:8.0f} {cpu:7.0f} {sql:5.0f}"


def measure_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
