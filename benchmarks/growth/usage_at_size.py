"""Whether the page of usage stays as fast with 1,000,000 costs as with 1,000, and how long the rule simulator takes.

    python -m benchmarks.growth.usage_at_size [--costs 1000000] [--database URL]

All costs lie in the present month of one organization, the hardest case; the page is asked through its URL. Printed are
statements and the median of the CPU of this process. The page is flat when it needs as many statements, and at most
1.5 times the CPU. The simulator looks at 10,000 past cards, of which it may take two seconds of CPU.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--costs", type=int, default=1_000_000)
    options.add_argument("--database", default="")
    chosen = options.parse_args()
    embedded.start(database_url=chosen.database)

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import organizations, users
from agent.conversation import messages, threads
from agent.models import Decision, Message, Thread, ToolCall, Turn
from agent.policy.rule_trials.rule_simulation import simulate_allow
from documents.models import Reservation, Usage
from llm.money import usage_days

FEW, CARDS, TIMES = 1_000, 10_000, 9
MODELS, PURPOSES = ("openai/gpt-4o", "openai/gpt-4o-mini", "openai/o3"), ("agent", "extraction", "research")
COPY = "INSERT INTO {table} ({columns}) SELECT {values} FROM {table} WHERE id < %s"


def main(costs: int) -> None:
    call_command("collectstatic", verbosity=0, interactive=False)
    user = users.create(None, email="a@acme.example", password=None, name="Ada")
    actor = enter(user, organizations.create(user, name="Acme", type="team").pk)
    add_costs(actor)
    few = measure_page(actor)
    multiply_costs(costs // FEW)
    many = measure_page(actor)
    print(f"page of usage, {FEW:>9,} costs: {few[0]} statements, {few[1]:.1f} ms of CPU")
    print(f"page of usage, {Usage.objects.count():>9,} costs: {many[0]} statements, {many[1]:.1f} ms of CPU")
    print(f"times: {many[0] / few[0]:.2f} in statements, {many[1] / few[1]:.2f} in CPU (at most 1.50)")
    add_cards(actor)
    seconds = measure(lambda: simulate_allow(actor, scopes=["user", "organization"], tool="update_document"))
    print(f"rule simulator, {CARDS:,} past cards, two scopes: {seconds:.2f} s of CPU (at most 2.00)")


def measure(do: Callable[[], object]) -> float:
    taken = []
    for _ in range(TIMES):
        began = time.process_time()
        do()
        taken.append(time.process_time() - began)
    return median(taken)


def measure_page(actor: Actor) -> tuple[int, float]:
    """(statements, milliseconds), once the sums of days are what the product would have written."""
    list(usage_days.reconcile(actor.organization, mends=True))
    client, path = Client(headers={"host": "localhost"}), f"/orgs/{actor.organization.pk}/usage"
    client.force_login(actor.user)
    answer = client.get(path)
    assert answer.status_code == 200, answer.content[:500]
    with CaptureQueriesContext(connection) as statements:
        client.get(path)
    return len(statements), measure(lambda: client.get(path)) * 1000


@transaction.atomic
def add_costs(actor: Actor) -> None:
    now = timezone.now()
    first = now.replace(day=1)
    for number in range(FEW):
        about = {"purpose": PURPOSES[number % 3], "model": MODELS[number % 3], "subject_id": f"{number:024x}"}
        held = Reservation.objects.create(
            organization=actor.organization,
            month=f"{now:%Y-%m}",
            estimate_micros=1,
            status="settled",
            expires_at=now,
            **about,
        )
        at = first + timedelta(days=number % now.day)
        amounts = {"prompt_tokens": 900, "completion_tokens": 40, "cost_micros": number}
        Usage.objects.create(
            organization=actor.organization, user=actor.user, reservation=held, created_at=at, **about, **amounts
        )


@transaction.atomic
def multiply_costs(times: int) -> None:
    """Each copy begins its ids with a number of its own."""
    for model in (Reservation, Usage):
        fields = [str(field.column) for field in model._meta.concrete_fields]
        quoted = [connection.ops.quote_name(column) for column in fields]
        of_copy = {"id": "%s || substr(id, 7)", "reservation_id": "%s || substr(reservation_id, 7)"}
        values = [of_copy.get(column, quote) for column, quote in zip(fields, quoted, strict=True)]
        sql = COPY.format(table=model._meta.db_table, columns=", ".join(quoted), values=", ".join(values))
        number_of_prefixes = sum(column in of_copy for column in fields)
        with connection.cursor() as cursor:
            for number in range(1, times):
                # New ids begin with the year 2040 or later: only the first ones are copied.
                cursor.execute(sql, [*[f"{0x900000 + number:06x}"] * number_of_prefixes, "9"])


@transaction.atomic
def add_cards(actor: Actor) -> None:
    thread = threads.create(actor, document=None, title="Cards")
    Thread.objects.filter(pk=thread.pk).update(mode="ask")
    turn = Turn.objects.create(
        thread=thread, number=1, started_by=actor.user, max_rounds=1, limit_micros=0, code_version=settings.VERSION
    )
    message = messages.write(turn, role=Message.Role.ASSISTANT, blocks=[])
    calls = [
        ToolCall(
            thread=thread,
            turn=turn,
            message=message,
            round=number,
            position=0,
            wire_id="abcdefghi",
            tool="update_document",
            access="write",
            effect="local",
            reach="document",
            status="rejected",
            why_asks="Changes wait for a person in this thread.",
        )
        for number in range(CARDS)
    ]
    ToolCall.objects.bulk_create(calls, batch_size=500)
    decisions = [
        Decision(
            call=call,
            version=1,
            kind="rejected" if number % 50 == 0 else "approved",
            user=actor.user,
            shown_hash="0" * 64,
            idempotency_key="k",
        )
        for number, call in enumerate(calls)
    ]
    Decision.objects.bulk_create(decisions, batch_size=500)


if __name__ == "__main__":
    main(chosen.costs)
