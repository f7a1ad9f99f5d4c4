"""`python -m benchmarks.agent_tasks [--model MODEL] [--only NAME …] [--weak] [--parts]`: tasks the agent gets done.

Each task: documents, a person who asks and approves every card, and a check of the rows and values in the end.
Without `--model` a scripted good model plays, which takes ids and names from the requests alone; `offline/rules` is the
built-in one. `--parts` adds what the scripted one's rounds are sent: system, tools, state and so on. Tokens of both are
estimated at four characters; `cached` is what begins as an earlier request did.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field, replace

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from django.conf import settings
from django.db.models import Sum

from benchmarks.agent_tasks import parts, recorded_answers
from benchmarks.agent_tasks.good_model import GoodModel
from benchmarks.agent_tasks.office import Office
from benchmarks.agent_tasks.task import Task
from benchmarks.agent_tasks.tasks import TASKS
from benchmarks.agent_tasks.weak_model import WeakModel
from documents.models import Usage

COUNTS = "rounds  extractions  refused  approvals   input  cached    share  output      cost"
HEAD = f"{'task':42}done  {COUNTS}"


@dataclass(frozen=True)
class Line:
    task: Task
    problem: str
    rounds: int
    extractions: int
    refused: int
    approvals: int
    input: int
    cached: int
    output: int
    cost_micros: int
    parts: Counter[str] = field(default_factory=Counter)

    def print(self) -> None:
        counts = f"{self.rounds:6} {self.extractions:12} {self.refused:8} {self.approvals:10}"
        share = f"{self.cached * 100 // max(1, self.input)} %"
        tokens = f"{self.input:7} {self.cached:7} {share:>8} {self.output:7} {self.cost_micros / 1_000_000:9.4f}"
        print(f"{self.task.name:42}{'no' if self.problem else 'yes':>4}  {counts} {tokens}  {self.problem}", flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="", help="a name as litellm takes it; without it the scripted good model")
    parser.add_argument("--only", nargs="+", default=[], help="names of tasks, or their beginnings")
    parser.add_argument("--weak", action="store_true", help="the scripted one answers loosely, in text without tools")
    parser.add_argument("--parts", action="store_true", help="also what the rounds' requests consist of")
    wish = parser.parse_args(arguments)
    chosen = [task for task in TASKS if not wish.only or task.name.startswith(tuple(wish.only))]
    lines = run_all([replace(task, without_tools=True) for task in chosen] if wish.weak else chosen, wish)
    show_sum(lines)
    if wish.parts:
        show_parts(lines)
    return 0


def run_all(tasks: list[Task], wish: argparse.Namespace) -> list[Line]:
    model, server = wish.model, WeakModel() if wish.weak else GoodModel()
    server.start()
    print(HEAD)
    settings.MODEL_API_BASE = "" if model else server.base_url
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = model or server.model
    lines = []
    try:
        for task in tasks:
            if model != "offline/rules" or task.offline:
                lines.append(run(task, server, scripted=not model))
                lines[-1].print()
        if not wish.only:
            show_recorded_answers()
    finally:
        server.stop()
    return lines


def run(task: Task, server: GoodModel, *, scripted: bool) -> Line:
    office = Office()
    settings.MODELS_WITHOUT_TOOLS = ["*"] if task.without_tools else []
    server.play(task.script)
    problem = task.play(office)
    usage = Usage.objects.filter(organization=office.actor.organization)
    rounds = usage.filter(purpose__contains="agent")
    sums = usage.aggregate(input=Sum("prompt_tokens"), output=Sum("completion_tokens"), cost=Sum("cost_micros"))
    return Line(
        task=task,
        problem=", ".join(filter(None, [problem, server.absent if scripted else ""])),
        rounds=rounds.count(),
        extractions=usage.count() - rounds.count(),
        refused=office.count_refused_calls(),
        approvals=office.approvals,
        input=sums["input"] or 0,
        cached=server.traffic.cached if scripted else 0,
        output=sums["output"] or 0,
        cost_micros=sums["cost"] or 0,
        parts=server.traffic.parts if scripted else Counter(),
    )


def show_sum(lines: list[Line]) -> None:
    done = [line for line in lines if not line.problem]
    rounds, tokens = sum(line.rounds for line in done), sum(line.input for line in done)
    refused, cached = sum(line.refused for line in lines), sum(line.cached for line in done)
    print(
        f"{len(done)} of {len(lines)} done; of these {rounds} rounds and {tokens} input tokens, {cached} of them "
        f"cached; {refused} calls refused"
    )


def show_recorded_answers() -> None:
    rounds = recorded_answers.count_rounds()
    print(f"{len(rounds)} of {len(recorded_answers.ANSWERS)} recorded answers cost a round of the check", flush=True)
    for task, why in rounds.items():
        print(f"  {task}: {why}")


def show_parts(lines: list[Line]) -> None:
    print(f"\n{parts.format_head()}")
    for line in lines:
        print(parts.format_parts(line.task.name, line.parts))
    print(parts.format_parts("all", sum((line.parts for line in lines), Counter())))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
