"""What the formatter of the templates leaves to whoever writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
MAX_WIDTH = 120
# The stylesheets show every space and line break in these; the formatter takes them for ordinary blocks.
VERBATIM = re.compile(r'<(\w+)[^>]*class="[^"]*(?:live-text|prompt-text|composer-mirror)[^"]*"[^>]*>(.)', re.S)


def lines() -> Iterator[tuple[str, int, str]]:
    for path in sorted(TEMPLATES.rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield str(path.relative_to(ROOT)), number, line


def test_no_line_is_too_wide_to_review() -> None:
    assert [f"{path}:{number}" for path, number, line in lines() if len(line) > MAX_WIDTH] == []


def test_what_shows_its_white_space_begins_with_its_words() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")}
    openings = [(path, match) for path, text in texts.items() for match in VERBATIM.finditer(text)]
    assert len(openings) > 4
    assert [str(path.relative_to(ROOT)) for path, match in openings if match[2].isspace()] == []
