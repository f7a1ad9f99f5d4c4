"""Which tests together send every statement, for the least CPU."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.statements.noting import Notes

# As many tests as send it, up to so many, go on sending each statement: one of them may be changed or taken away.
TIMES = 2
# Databases differ in more than the statement here: in what waits, comes first, is alike, or is in the way.
# (Research, blocks, clocks, traces and what is unlocked are none of these.)
SUBJECTS = re.compile("(?<![bcn])lock|(?<!t)race|at_once|order|sort|(?<!re)search|constraint|fence|lease", re.I)
LEAST_CPU = 0.005


def must_run(notes: Notes) -> bool:
    """Whatever others send: what happens is decided by the server, between connections or by what the test is about.

    What failed has not sent all that it sends.
    """
    return (
        notes.always
        or not notes.passed
        or notes.failed_statements > 0
        or notes.threads > 1
        or bool(SUBJECTS.search(notes.test))
    )


def choose_covered(tests: Sequence[Notes]) -> list[str]:
    """Those that can be left out."""
    needed = {shape: min(count, TIMES) for shape, count in count_shapes(tests).items()}
    chosen = [notes for notes in tests if must_run(notes)]
    sent = count_shapes(chosen)
    waiting = [(-gain(notes, sent, needed), notes.test, notes) for notes in tests if not must_run(notes)]
    heapq.heapify(waiting)
    covered, added = list[Notes](), list[Notes]()
    while waiting:
        _, name, notes = heapq.heappop(waiting)
        # Since it was put there others may have been chosen that send the same.
        now = gain(notes, sent, needed)
        if now == 0:
            covered.append(notes)
        elif waiting and -now > waiting[0][0]:
            heapq.heappush(waiting, (-now, name, notes))
        else:
            sent.update(notes.shapes)
            added.append(notes)
    return sorted(notes.test for notes in (*covered, *list_needless(added, sent, needed)))


def list_needless(added: Sequence[Notes], sent: Counter[str], needed: dict[str, int]) -> Iterator[Notes]:
    """What was chosen early, and whose statements those send as well that were chosen after it: the dearest first."""
    for notes in sorted(added, key=lambda each: -each.cpu):
        if all(sent[shape] > needed[shape] for shape in notes.shapes):
            sent.subtract(notes.shapes)
            yield notes


def count_shapes(tests: Iterable[Notes]) -> Counter[str]:
    return Counter(shape for notes in tests for shape in notes.shapes)


def gain(notes: Notes, sent: Counter[str], needed: dict[str, int]) -> float:
    """How many statements it adds for a second of CPU."""
    return sum(sent[shape] < needed[shape] for shape in notes.shapes) / max(notes.cpu, LEAST_CPU)
