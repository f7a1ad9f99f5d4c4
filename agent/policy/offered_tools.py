"""Which tools stand in a request to the model: what it needs mostly, what it may use, and what it asked for.

Each definition is read, and paid, in every round. The others stay callable, and `find_tools` adds them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.models import Thread, Turn
from agent.outside.catalog import list_tools
from agent.policy.permissions import HEADLESS_TOOLS, refuse
from agent.policy.policy_context import Policy, case_of
from agent.toolkit import few_tools
from agent.toolkit.old_names import get_present_name
from agent.toolkit.registry import Reach, Tool, registry
from agent.toolkit.tool_kinds import Access
from documents.reading.reading import get_newest
from kit.json_types import JsonSchema
from kit.rows.models import fold_case
from llm.client import ToolSchema
from llm.models_catalogue import find_abilities
from printed.stopwords import STOPWORDS

# As the thread's working state names those that were added.
STATE = "tools"
HEADLESS = (*HEADLESS_TOOLS, "update_schema", "update_prompt", "get_ocr_text")
FINDER = "find_tools"
SPLITTING = frozenset({"split_document"})
MAX_FOUND = 5
# In messages: before, nothing is cleared and little is shortened.
LONG_THREAD = 8
MIN_LETTERS = 3
NO_CLUES = STOPWORDS | {"add"}
FOR_MANY = frozenset(
    {
        *("read_document", "read_all_documents", "query_fields", "compare_documents", "table_query"),
        *("cite_source", "open_document", "set_steps"),
    }
)
"""Besides what reads by a model: without them a question over documents would take a round to look for each."""
FOR_LONG = frozenset({"read_document", "compare_documents"})
"""In a thread about a long document: to read the pages that speak of something, and to compare another version."""
LONG_DOCUMENT = 8
FOR_TABLES = frozenset({"table_query"})
TABLE_FILES = ("csv", "tsv", "xlsx", "xls", "ods", "xlsm")
ONLY_WITH_SCOPE = "in_scope"
SAID_ONCE = frozenset(
    {
        "name or id of another document; without it this one",
        "several instead, by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter",
        "its id or name",
    }
)
"""Descriptions of parameters that are not repeated with each tool: the system part says them."""


def list_offered(turn: Turn, *, sees: bool | None = None, as_text: bool | None = None) -> list[Tool]:
    """By name, then those that were added in the order in which they were: what stands first stays as it is.

    `as_text`: few, for a model that is told of them in words. Whether it is one is looked up where it is not known.
    """
    usable = list_usable(turn, sees=sees)
    if turn.origin == Turn.Origin.HEADLESS:
        return [tool for tool in usable if tool.name in HEADLESS]
    rare = {tool.name: tool for tool in usable if tool.is_rare}
    needed = [name for name, tool in rare.items() if name not in FOR_LONG and _is_needed(turn.thread, tool)]
    needed += [name for name in rare if name in FOR_LONG] if _is_long(turn.thread) else []
    if not find_abilities(turn.model).calls_tools if as_text is None else as_text:
        few, named = few_tools.choose_few(turn, needed), {tool.name: tool for tool in usable}
        return [named[name] for name in dict.fromkeys([*few, *list_added(turn.thread)]) if name in named]
    offered = [tool for tool in usable if tool.name not in rare]
    rare_names = dict.fromkeys([*list_added(turn.thread), *needed])
    return [*offered, *(rare[name] for name in rare_names if name in rare)]


def list_usable(turn: Turn, *, sees: bool | None = None) -> list[Tool]:
    """By name: without what the person's role, a rule or an admin refuses whatever the arguments are, and without what
    the model cannot see. Whether it `sees` is looked up where it is not known.
    """
    policy = Policy(turn.thread)
    sees = find_abilities(turn.model).sees if sees is None else sees
    # A client of MCP has servers of its own.
    tools = registry if turn.origin == Turn.Origin.MCP else list_tools(turn.thread.organization_id)
    return [tool for tool in tools if _is_usable(policy, turn, tool) and (sees or not tool.needs_sight)]


def describe_offered(turn: Turn, *, sees: bool | None = None, as_text: bool | None = None) -> list[ToolSchema]:
    """In the form that model providers take, without what serves no model: each word is read, and paid, each round."""
    unlisted = () if turn.scope else (ONLY_WITH_SCOPE,)
    return [_describe_tool(tool, unlisted) for tool in list_offered(turn, sees=sees, as_text=as_text)]


def _describe_tool(tool: Tool, unlisted: Collection[str] = ()) -> ToolSchema:
    properties = tool.parameters["properties"]
    parameters: JsonSchema = {
        "type": "object",
        "properties": {
            name: _shorten(each) for name, each in properties.items() if name not in (*tool.unlisted, *unlisted)
        },
    }
    if tool.parameters.get("required"):
        parameters["required"] = tool.parameters["required"]
    whole = tool.schema()
    return {**whole, "function": {**whole["function"], "parameters": parameters}}


def _shorten(parameter: JsonSchema) -> JsonSchema:
    if parameter.get("description") not in SAID_ONCE:
        return parameter
    return {name: part for name, part in parameter.items() if name != "description"}


def list_added(thread: Thread) -> list[str]:
    return str(thread.working_state.get(STATE, "")).split()


@dataclass(frozen=True)
class FittingTools:
    """`rare` are not offered yet; `offered` are the names of those that are."""

    rare: list[Tool]
    offered: list[str]


def find_fitting(turn: Turn, query: str) -> FittingTools:
    """The tools that fit at least half as well as the best of all; none where no word fits.

    Each that is added is paid in all later rounds, so one that fits less well than what is offered already is none.
    """
    offered = {tool.name for tool in list_offered(turn)}
    words = _split_words(get_present_name(query.strip()))
    tools = [tool for tool in list_usable(turn) if tool.name in offered or _may_be_added(tool, words)]
    scores = _score_tools([tool for tool in tools if tool.name != FINDER], words)
    minimum = max(scores.values(), default=0) / 2
    ranked = sorted((tool for tool in tools if scores.get(tool.name)), key=lambda tool: -scores[tool.name])
    fitting = [tool for tool in ranked if scores[tool.name] >= minimum]
    rare = [tool for tool in fitting if tool.name not in offered]
    return FittingTools(rare[:MAX_FOUND], [tool.name for tool in fitting if tool.name in offered][:MAX_FOUND])


def rank_tools(tools: Sequence[Tool], query: str) -> list[Tool]:
    """Gives the tools that fit at least half as well as the best, the best first; none where no word fits."""
    scores = _score_tools(tools, _split_words(query))
    minimum = max(scores.values(), default=0) / 2
    fitting = (tool for tool in tools if scores[tool.name] and scores[tool.name] >= minimum)
    return sorted(fitting, key=lambda tool: -scores[tool.name])[:MAX_FOUND]


def _may_be_added(tool: Tool, words: Sequence[str]) -> bool:
    """What destroys or splits comes only where all words of its name are asked for."""
    if tool.access != Access.DESTRUCTIVE and tool.name not in SPLITTING:
        return True
    return all(_has_word(words, word) for word in _split_words(tool.name))


def list_rare(turn: Turn) -> list[Tool]:
    offered = {tool.name for tool in list_offered(turn)}
    return [tool for tool in list_usable(turn) if tool.name not in offered]


def _is_usable(policy: Policy, turn: Turn, tool: Tool) -> bool:
    case = case_of(
        policy.thread,
        tool,
        turn,
        arguments={},
        reach=Reach.DOCUMENT,
        owner=policy.owner,
        actor=policy.owner,
        rules=policy.rules,
        disabled=policy.disabled,
        is_about_document=False,
    )
    return refuse(case) is None


def _is_needed(thread: Thread, tool: Tool) -> bool:
    """What reads, cites and shows several documents, in a thread about none; what reads earlier messages, once there
    are some; what takes the thread's document out of the trash, there.
    """
    if thread.document and tool.name in FOR_TABLES:
        return thread.document.extension in TABLE_FILES
    if tool.asks_model or tool.name in FOR_MANY:
        return thread.document_id is None
    if tool.name == "read_result":
        return thread.last_message >= LONG_THREAD
    return tool.restores and thread.document is not None and thread.document.trashed_at is not None


def _is_long(thread: Thread) -> bool:
    """Whether it is about several documents, or about a long one."""
    if thread.document is None:
        return True
    reading = get_newest(thread.document)
    return reading is not None and (reading.page_count or 0) > LONG_DOCUMENT


def _split_words(text: str) -> list[str]:
    words = "".join(sign if sign.isalnum() else " " for sign in fold_case(text)).split()
    return [word.removesuffix("s") for word in words if len(word) >= MIN_LETTERS and word not in NO_CLUES]


def _score_tools(tools: Sequence[Tool], words: Collection[str]) -> dict[str, float]:
    """By their names. A word counts the more the fewer tools have it, and threefold in a name or title."""
    texts = {tool.name: (_split_words(f"{tool.name} {tool.title}"), _split_words(tool.description)) for tool in tools}
    scores = dict.fromkeys(texts, 0.0)
    for word in words:
        hits = {name: 3 * _has_word(named, word) + _has_word(about, word) for name, (named, about) in texts.items()}
        count = sum(map(bool, hits.values()))
        for name, hit in hits.items():
            scores[name] += hit / max(count, 1)
    return scores


def _has_word(words: Sequence[str], word: str) -> bool:
    return word in words or any(
        each.startswith(word) or word.startswith(each) for each in words if min(len(each), len(word)) > MIN_LETTERS
    )
