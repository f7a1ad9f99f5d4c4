"""A turn under a scope profile beside the same turn without one: time, CPU, statements. The model is scripted."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from django.conf import settings

from accounts.actor import Actor
from agent.calls import execution
from agent.conversation import threads
from agent.models import ScopeProfile, ToolCall, Turn
from agent.turns import loop, turns
from benchmarks.instruments.model_server import serving_model
from benchmarks.instruments.statements import statement_count
from benchmarks.round_trip import MODEL, Spent, Work, a_person_with_a_document, time_in_turns
from documents.models import Document
from documents.types import catalogue, telling
from kit.ids import new_id

DOCUMENTS = 20
MAX_ROUNDS = 8
CLEAR = "Which invoices are due?"
UNCLEAR = "What does D-4711 say?"
FORMS = ("clear", CLEAR), ("unclear", UNCLEAR)


@dataclass(frozen=True)
class Beside:
    """What turns took without a profile, and the same with one."""

    without: list[Spent]
    within: list[Spent]
    statements: tuple[int, int]


def print_added_cost(times: int) -> None:
    settings.MONTHLY_BUDGET_USD, settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL = 100_000, MODEL, MODEL
    with serving_model("benchmarks.scope.scripted") as address:
        settings.MODEL_API_BASE = address
        plain = _make_person()
        print(f"a turn that lists {DOCUMENTS} documents, {times} times, p50 (p95) in ms; statements")
        for mode in (ScopeProfile.Mode.STRICT, ScopeProfile.Mode.GENTLE):
            held = _make_person(mode)
            for name, text in FORMS:
                _print_beside(f"{mode}, {name}", _measure_beside(plain, held, text, times))


def _measure_beside(plain: Actor, held: Actor, text: str, times: int) -> Beside:
    without, within = time_in_turns(_make_turn(plain, text), _make_turn(held, text), times)
    return Beside(without, within, (_count_statements(plain, text), _count_statements(held, text)))


def _count_statements(actor: Actor, text: str) -> int:
    with statement_count() as count:
        _run_turn(actor, text)
    return count.total


def _print_beside(name: str, beside: Beside) -> None:
    added = [mine.wall - other.wall for other, mine in zip(beside.without, beside.within, strict=True)]
    for measure in ("wall", "cpu"):
        without = [getattr(each, measure) for each in beside.without]
        within = [getattr(each, measure) for each in beside.within]
        ratio = median(within) / median(without)
        print(f"  {name:<16} {measure:<5} {_format(without)} → {_format(within)}  {ratio:5.3f} ×")
    print(f"  {name:<16} added {_format(added)}; statements {beside.statements[0]} → {beside.statements[1]}")


def _format(milliseconds: list[float]) -> str:
    p95 = sorted(milliseconds)[int(len(milliseconds) * 0.95)]
    return f"{median(milliseconds):6.1f} ({p95:6.1f})"


def _make_person(mode: str = "") -> Actor:
    actor, _ = a_person_with_a_document()
    Document.objects.bulk_create(_make_document(actor, number) for number in range(1, DOCUMENTS))
    invoice = catalogue.find_type(actor.organization, "invoice")
    for document in Document.objects.for_org(actor.organization):
        telling.set_type(actor, document=document, document_type=invoice)
    if mode:
        words = {"sentence": "Suppliers' invoices and receipts.", "types": ["invoice", "receipt"], "never": ["payroll"]}
        ScopeProfile.objects.create(organization=actor.organization, mode=mode, **words)
    return actor


def _make_document(actor: Actor, number: int) -> Document:
    name = f"invoice {number}.pdf"
    return Document(
        organization=actor.organization,
        name=name,
        name_folded=name,
        sha256=f"{number:064}",
        size=1,
        media_type="application/pdf",
        file=new_id(),
    )


def _make_turn(actor: Actor, text: str) -> Work:
    return lambda: _run_turn(actor, text)


def _run_turn(actor: Actor, text: str) -> None:
    turn = turns.start(actor, thread=threads.create(actor), text=text)
    for _ in range(MAX_ROUNDS):
        loop.run_round(turn.pk, holder="benchmark")
        for call in ToolCall.objects.filter(turn=turn, status=ToolCall.Status.APPROVED):
            execution.execute(call.pk, holder="benchmark")
        turn = Turn.objects.get(pk=turn.pk)
        if turn.status not in Turn.LIVE:
            break
    assert turn.status == Turn.Status.COMPLETED, (turn.status, turn.reason)
