"""Loaded by `-p tests.statements.noting`: writes down what each test asks of the database, and what it costs."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from tests.cpu import count_cpu

ROOT = Path(__file__).resolve().parents[2]
OURS = tuple(f"{ROOT}/{name}/" for name in ("docrouter", "accounts", "documents", "agent", "worker", "kit"))
# As many of something as a call happens to have is still the same statement.
SAME = (
    (re.compile(r"SAVEPOINT \S+"), "SAVEPOINT"),
    (re.compile(r"(\(?%s(?:::\w+)?\)?)(?:, \1)+"), r"\1"),
    (re.compile(r"(\([^()]*\))(?:, \1)+"), r"\1"),
    (re.compile(r"'[0-9a-f-]{20,}'"), "'id'"),
    (re.compile(r"\b\d+\b"), "0"),
    (re.compile(r"\b_django_curs_\w+"), "cursor"),
)


@dataclass
class Notes:
    """Of one test. `shapes`: statements of the product, each with the functions and the kinds of values it comes with."""

    test: str = ""
    cpu: float = 0.0
    shapes: list[str] = field(default_factory=list)
    failed_statements: int = 0
    threads: int = 0
    always: bool = False
    passed: bool = True


_notes = Notes()
_shapes: set[str] = set()
_threads: set[int] = set()
_file = Path()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--notes", help="the folder for what each test asks of the database")


def pytest_configure(config: pytest.Config) -> None:
    global _file
    _file = Path(config.getoption("--notes"), f"{os.getpid()}.jsonl")
    connection_created.connect(listen)


def listen(connection: BaseDatabaseWrapper, **_: object) -> None:
    if note not in connection.execute_wrappers:
        connection.execute_wrappers.append(note)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    global _notes
    _notes = Notes(item.nodeid, always=any(item.get_closest_marker(mark) for mark in ("services", "redis")))
    _shapes.clear()
    _threads.clear()
    listen(connection)
    before = count_cpu()
    result = yield
    _notes.cpu, _notes.shapes, _notes.threads = count_cpu() - before, sorted(_shapes), len(_threads)
    with _file.open("a", encoding="utf-8") as file:
        print(json.dumps(asdict(_notes)), file=file)
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """In the process that ran it, and with xdist in the controller once more."""
    if report.failed and report.nodeid == _notes.test:
        _notes.passed = False


def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """What a test asks by itself is nothing of the product's."""
    if origin := name_origin(sys._getframe(1)):
        _shapes.add(" | ".join((origin, shape_of(sql), name_types(params, many))))
    _threads.add(threading.get_ident())
    try:
        return execute(sql, params, many, context)
    except Exception:
        _notes.failed_statements += 1
        raise


def name_origin(frame: FrameType | None) -> str:
    """The function that sent it, and of one in `kit` the nearest beyond, too."""
    names: list[str] = []
    while frame and not (names and not names[-1].startswith("kit/")):
        file = frame.f_code.co_filename
        if file.startswith(OURS) and (not names or f"{ROOT}/kit/" not in file):
            names.append(f"{file.removeprefix(f'{ROOT}/')}:{name_function(frame)}")
        frame = frame.f_back
    return " < ".join(names)


def name_function(frame: FrameType) -> str:
    """With its class, which Python 3.11 and later know."""
    return str(getattr(frame.f_code, "co_qualname", frame.f_code.co_name))


def shape_of(sql: str) -> str:
    shape = str(sql)
    for pattern, replacement in SAME:
        shape = pattern.sub(replacement, shape)
    return shape


def name_types(params: Any, many: bool) -> str:
    values: Sequence[object] = next(iter(params), ()) if many else params or ()
    return ",".join(sorted({type(value).__name__ for value in values})) if isinstance(values, (list, tuple)) else ""
