"""`python -m benchmarks.research.answer_time [questions] [seconds a call]`: a question of three model calls, as it is.

The model searches, reads the first document that was found, and answers with a source; each call takes so many seconds
with a stream. `manage.py up` runs the rest over 200 letters. The time of each question, from its message to its last
row, is printed beside that of its calls, with the CPU of the product and the memory of its workers before and after.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from benchmarks.instruments.model_server import product_with_model, serve
from benchmarks.instruments.processes import measure_costs
from tests import scripts
from tests.product import ROOT, Product
from tests.scripted_model import Json, Reply, ScriptedModel, calls, says

CALLS = 3
ASK = f"""{scripts.PEOPLE}
import random, sys, time
from agent.conversation import threads
from agent.models import Turn
from agent.turns import turns
from benchmarks.growth import retrieval
from benchmarks.growth.stored_pages import store_page
retrieval.DOCUMENTS = 200
for letter in retrieval.make_letters(random.Random(7)):
    words = [word for at, line in enumerate(letter.lines, start=1) for word in retrieval.place_line(at, line)]
    store_page(actor.organization, letter.name, words)
print("ready", flush=True)
for line in sys.stdin:
    thread = threads.create(actor, document=None)
    began = time.monotonic()
    turn = turns.start(actor, thread=thread, text="What did they say about the boiler and the radiators?")
    while Turn.objects.filter(pk=turn.pk, status__in=["queued", "running", "awaiting_approval"]).exists():
        time.sleep(0.01)
    took = time.monotonic() - began
    turn.refresh_from_db()
    print(took, turn.status, turn.round, flush=True)
"""


class Researcher(ScriptedModel):
    """Each call takes `seconds`."""

    seconds = 1.0

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        results = [message for message in body["messages"] if message["role"] == "tool"]
        if not results:
            return calls(("search_documents", {"query": "boiler radiators?"})).after(self.seconds)
        if len(results) == 1:
            found = json.loads(results[0]["content"])["results"][0]["document_id"]
            return calls(("read_document", {"document": found})).after(self.seconds)
        return says("The boiler does not ignite [D1:1.7].").after(self.seconds)


def main(questions: int, seconds: float) -> None:
    with product_with_model("benchmarks.research.answer_time", "serve", str(seconds)) as product:
        ask_all(product, questions, seconds)


def ask_all(product: Product, questions: int, seconds: float) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=product.variables(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert asking.stdin and asking.stdout
    asking.stdout.readline()
    times: list[float] = []
    for at in range(questions + 1):
        if at == 1:  # the first one loads what all need
            before = measure_costs(product)
        asking.stdin.write("ask\n")
        asking.stdin.flush()
        took, status, rounds = asking.stdout.readline().split()
        assert (status, rounds) == ("completed", str(CALLS)), (status, rounds)
        times += [float(took)] if at else []
    asking.stdin.close()
    asking.wait()
    after = measure_costs(product)
    spent = sum(cost.cpu_seconds - before[pid].cpu_seconds for pid, cost in after.items() if pid in before)
    ideal = CALLS * seconds
    median, most = statistics.median(times), max(times)
    print(f"{questions} questions of {CALLS} calls of {seconds:g} s, one after the other")
    print(f"median {median:.2f} s, {median / ideal:.2f} × the calls; longest {most:.2f} s, {most / ideal:.2f} ×")
    print(f"{spent / questions * 1000:.0f} ms of CPU a question, all processes together")
    for pid, cost in after.items():
        if pid in before:
            print(f"  {before[pid].share:5.0f} → {cost.share:5.0f} MB   {cost.name}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        model = Researcher()
        model.seconds = float(sys.argv[2])
        serve(model)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, float(sys.argv[2]) if len(sys.argv) > 2 else 1.0)
