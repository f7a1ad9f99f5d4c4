"""The tasks of the benchmark that are done stay done: with a scripted good model, and with the built-in one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.agent_tasks.good_model import GoodModel
from benchmarks.agent_tasks.office import Office
from benchmarks.agent_tasks.parts import NAMES
from benchmarks.agent_tasks.task import Task
from benchmarks.agent_tasks.tasks import TASKS
from benchmarks.agent_tasks.weak_model import WeakModel

pytestmark = pytest.mark.django_db(transaction=True)
MAX_SETUP_ROUNDS = 3


@pytest.fixture
def good_model(settings) -> Iterator[GoodModel]:  # type: ignore[no-untyped-def]
    model = GoodModel()
    model.start()
    settings.MODEL_API_BASE = model.base_url
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = model.model
    yield model
    model.stop()


@pytest.mark.parametrize("task", [task for task in TASKS if not task.is_long], ids=lambda task: task.name)
def test_a_good_model_does_the_task_from_its_requests_alone(task: Task, good_model: GoodModel, settings) -> None:  # type: ignore[no-untyped-def]
    settings.MODELS_WITHOUT_TOOLS = ["*"] if task.without_tools else []
    good_model.play(task.script)
    office = Office()
    assert task.play(office) == ""
    assert (good_model.absent, office.count_refused_calls()) == ("", 0)


@pytest.mark.parametrize("name", ["set up an invoice", "correct a wrong field", "find by a word on a page"])
def test_a_weak_model_does_it_in_words_and_finds_its_tools(name: str, settings) -> None:  # type: ignore[no-untyped-def]
    """After prose that has to be repaired, in code fences, with stray commas, and with a bare JSON Schema."""
    model = WeakModel()
    model.start()
    settings.MODEL_API_BASE, settings.MODELS_WITHOUT_TOOLS = model.base_url, ["*"]
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = model.model
    task, office = next(task for task in TASKS if task.name == name), Office()
    model.play(task.script)
    assert (task.play(office), model.absent, office.count_refused_calls()) == ("", "", 0)
    model.stop()


@pytest.mark.parametrize("task", [task for task in TASKS if task.offline], ids=lambda task: task.name)
def test_the_offline_model_does_the_task(task: Task) -> None:
    assert task.play(Office()) == ""


def test_an_invoice_is_set_up_with_one_approval(good_model: GoodModel) -> None:
    task = next(task for task in TASKS if task.name == "set up an invoice")
    good_model.play(task.script)
    office = Office()
    assert task.play(office) == ""
    assert (good_model.traffic.rounds <= MAX_SETUP_ROUNDS, office.approvals) == (True, 1)
    parts = good_model.traffic.parts
    assert set(parts) <= set(NAMES) and parts["tools"] > parts["system"] > parts["state"] > 0 < parts["document"]
