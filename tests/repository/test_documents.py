"""What the documents of the repository say is true of the code."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from docrouter.version import VERSION
from tests.suites import OURS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    *(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("docs/adr/*.md"),
]
ADRS = sorted(ROOT.glob("docs/adr/*.md"))
PLACES = ("", "templates", "static", "docs")
MADE_AT_RUN_TIME = ("data/", "build/", ".venv/")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_newest_section_of_the_changelog_is_this_version_and_has_a_day() -> None:
    newest = re.search(r"^## (.+)$", read("CHANGELOG.md"), re.M)
    assert newest and re.fullmatch(rf"{re.escape(VERSION)} — \d{{4}}-\d\d-\d\d", newest[1])


def test_a_change_is_told_in_short_lines_under_a_known_group() -> None:
    for path in (ROOT / "changelog.d").iterdir():
        if path.name != "README.md":
            assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed|security)\.md", path.name), path.name
            lines = path.read_text(encoding="utf-8").splitlines()
            assert lines and all(line.startswith("- ") and len(line) <= 160 for line in lines), path.name


@pytest.mark.parametrize("path", ADRS, ids=lambda path: path.name)
def test_an_adr_says_why_and_which_roads_were_not_taken(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(rf"# {int(path.name[:4])}\. ", text)
    for part in ("Context", "Decision", "Roads not taken", "Costs"):
        assert f"**{part}.**" in text, part


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_names_files_and_code_that_are_there(path: Path) -> None:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    files = re.findall(r"`([\w.-]+/(?:[\w./-]+\.(?:py|md|html|js|css|yml|toml|txt)|[\w/-]*))`", text)
    code = re.findall(rf"`((?:{'|'.join(OURS)})(?:\.\w+)+)`", text)
    missing = [name for name in files if not is_file(name)] + [name for name in code if not is_code(name)]
    assert not missing, f"{path.name} names {', '.join(missing)}, which is not there."


def is_file(name: str) -> bool:
    """Also what only looks like one, such as the name of a model."""
    top = ROOT / name.split("/")[0]
    return name.startswith(MADE_AT_RUN_TIME) or not top.is_dir() or any((ROOT / at / name).exists() for at in PLACES)


def is_code(name: str) -> bool:
    """A module, or what a module holds: `accounts.access.renew`."""
    *parents, last = name.split(".")
    if is_module(name):
        return True
    if is_module(".".join(parents)):
        return hasattr(importlib.import_module(".".join(parents)), last)
    return False


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()
