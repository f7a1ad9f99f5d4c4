"""`python -m tests.repository.tools_page` prints the agent's tools into docs/tools.md, from their registrations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from agent.toolkit.registry import Tool

PAGE = Path(__file__).resolve().parents[2] / "docs/tools.md"
HEAD = """# Tools of the agent

By what they are for. *Who* is the least role that may have a tool called, *access* decides whether a person is asked \
(`read` never asks), and *cost* is what a call pays for; others cost nothing of their own. The agent, settings, rules, \
`chat/tools` and MCP take each tool from its registration, and so does this page \
(`python -m tests.repository.tools_page`). [An example](examples/README.md) adds one.
"""


def print_page() -> str:
    # The registry is there once Django is.
    from agent.toolkit.registry import registry  # noqa: PLC0415
    from agent.toolkit.tool_kinds import group_tools  # noqa: PLC0415

    groups = group_tools((tool.category, tool) for tool in registry)
    return HEAD + "".join(line for title, tools in groups for line in _print_group(title, tools))


def _print_group(title: str, tools: Iterable[Tool]) -> Iterator[str]:
    yield f"\n## {title}\n\n"
    yield "| Tool | Title | Access | Who | Cost | Seconds |\n"
    yield "| --- | --- | --- | --- | --- | --- |\n"
    for tool in tools:
        seconds = str(tool.timeout or "")
        yield f"| `{tool.name}` | {tool.title} | {tool.access} | {tool.needed_role} | {tool.cost} | {seconds} |\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
    django.setup()
    PAGE.write_text(print_page(), encoding="utf-8")
