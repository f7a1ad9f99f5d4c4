"""What a provider said of a request, as it is repeated to people."""

from __future__ import annotations

import time

from llm.client.redacting import GONE, LONGEST, LONGEST_READ, redact


def test_a_whole_request_that_is_quoted_costs_no_time() -> None:
    document = " ".join(f"word{number} of the page" for number in range(10_000))
    began = time.thread_time()
    said = redact(f"Invalid value: '{document * 3}'", [{"role": "user", "content": document}])
    assert time.thread_time() - began < 1
    assert len(said) <= LONGEST and "word7" not in said


def test_no_part_of_a_key_is_left_where_the_reading_ends() -> None:
    text = "x " * (LONGEST_READ // 2 - 3) + "sk-proj-abcdefghijkl"
    assert "sk-" not in redact(text, [])
    assert redact("k" * (LONGEST_READ + 1), []) == GONE
