"""The size of the house and the English of its docstrings and comments, held by `budget.json`.

`python -m tests.repository.budget` writes what has fallen. A rise of the source lines needs a reason, which stays in the
file: `python -m tests.repository.budget --because "pages of a new kind"`. Start words may only fall.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

from tests.repository.counts import product_files, text_of

BUDGET = Path(__file__).with_name("budget.json")
# A sentence that begins with one of these has no subject, or hides it behind a relative clause.
START = re.compile(r"(What|Of|Those|The same|Who|Whose|Which|How)\b")
_OWN_COMMENT, _LATE_COMMENT, _DOCSTRING = re.compile(r"# (.*)"), re.compile(r".*  # (.*)"), re.compile(r'r?"""(.*)')


class Step(TypedDict):
    """The source lines that were allowed from a commit on, and why."""

    lines: int
    because: str


class Budget(TypedDict):
    source_lines: list[Step]
    start_words: dict[str, int]


def count_source_lines() -> int:
    """Lines of product code without tests, benchmarks and migrations. Lines of comments are free: they are wanted."""
    return sum(not line.lstrip().startswith("#") for path in product_files() for line in text_of(path).splitlines())


def count_start_words() -> Counter[str]:
    return Counter(word for path in product_files() for word in start_words(text_of(path)))


def start_words(text: str) -> Iterator[str]:
    """Yields the first words of docstrings and comments that `START` names; a block of comments has one beginning."""
    in_block = False
    for line in map(str.strip, text.splitlines()):
        is_comment = line.startswith("#")
        sentence = None if in_block and is_comment else _sentence_of(line)
        in_block = is_comment
        if sentence and (word := START.match(sentence)):
            yield word[1]


def _sentence_of(line: str) -> str:
    match = next(filter(None, (form.match(line) for form in (_DOCSTRING, _OWN_COMMENT, _LATE_COMMENT))), None)
    return match[1] if match else ""


def read_budget() -> Budget:
    budget: Budget = json.loads(BUDGET.read_text(encoding="utf-8"))
    return budget


def list_unexplained(steps: list[Step]) -> list[int]:
    """The steps upwards that give no reason."""
    return [after["lines"] for before, after in pairwise(steps) if is_rise(before, after)]


def is_rise(before: Step, after: Step) -> bool:
    return after["lines"] > before["lines"] and len(after["because"].split()) < 3


def lower(budget: Budget, lines: int, because: str) -> list[Step]:
    """The steps with the lines of now: a fall replaces the last one, a rise needs a reason and stands beside it."""
    *earlier, last = budget["source_lines"]
    if lines <= last["lines"]:
        return [*earlier, {**last, "lines": lines}]
    if not because:
        raise SystemExit(f"{last['lines']} → {lines} source lines. Take as much away, or say why: --because …")
    return [*earlier, last, {"lines": lines, "because": because}]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--because", default="")
    budget, words = read_budget(), count_start_words()
    steps = lower(budget, count_source_lines(), parser.parse_args().because)
    limits = {word: min(limit, words[word]) for word, limit in budget["start_words"].items()}
    written = {"source_lines": steps, "start_words": limits}
    BUDGET.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(steps[-1]["lines"], "source lines;", sum(words.values()), "sentences that begin with", ", ".join(limits))


if __name__ == "__main__":
    main()
