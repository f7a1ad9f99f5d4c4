"""docs/architecture.md can be read and reviewed line by line, and its picture shows the layers that are held."""

from __future__ import annotations

import pytest

from tests.repository import architecture_picture
from tests.repository.counts import ROOT

PAGE = ROOT / "docs/architecture.md"
MAX_CHARACTERS = 160


def test_no_line_is_too_long() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert not [number for number, line in enumerate(lines, 1) if len(line) > MAX_CHARACTERS]


def test_the_picture_is_what_the_code_draws() -> None:
    drawn = architecture_picture.PICTURE.read_text(encoding="utf-8")
    assert drawn == architecture_picture.draw(), "Run `python -m tests.repository.architecture_picture`."


def test_a_package_that_is_gone_is_named() -> None:
    with pytest.raises(LookupError, match=r"documents\.gone"):
        architecture_picture.find_row("documents.gone", [["documents"]])


def test_every_layer_is_listed_on_the_page() -> None:
    layers = {name for layer in architecture_picture.read_layers() for name in layer}
    text = PAGE.read_text(encoding="utf-8")
    assert not [name for name in layers if f"\n{name}/" not in text]
