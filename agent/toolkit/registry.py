"""Every tool of the agent, each one function: its schema, its permission and its screen come from here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Thread, Turn
from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.old_names import get_present_name
from agent.toolkit.previews import Preview, plain_preview
from agent.toolkit.signatures import (
    Arguments,
    check_arguments,
    description_of,
    json_texts_of,
    parameters_of,
    rename_alike,
)
from agent.toolkit.tool_kinds import PAID, READS, Access, Category, Effect, minimum_role
from documents.autosetup import refining
from documents.extractions.edits import NO_EVIDENCE, OUTDATED, Evidence
from documents.models import Document, Prompt, Schema
from kit.errors import AppError, NotFound
from kit.json_types import JsonObject, JsonSchema
from llm.client import ToolSchema

Result: TypeAlias = JsonObject
"""What a tool answers: small plain JSON. A failure is `{"error": "<sentence>"}`."""

Draft: TypeAlias = JsonObject
"""What `prepare` hands to `apply`, as plain JSON."""

END_TURN = "end_turn"
"""The tool by which the model says that an answer is its last."""
OUTSIDE_SIGN = "__"
"""Between a server's prefix and a tool's name; no tool of ours has it."""


class Reach(StrEnum):
    DOCUMENT = "document"
    ORGANIZATION = "organization"


@dataclass
class ToolContext:
    """Who acts, and where. `remembered` and `forgotten` collect ids for the thread's working state. `before` holds
    what a tool's `inverse` has to know of the time before the effect, `evidence` what its `search` found on the pages
    before the transaction. `open_proposals` are ids of those that wait on the document, as a round has read them.
    """

    actor: Actor
    thread: Thread
    turn: Turn
    document: Document | None
    call_id: str = ""
    tool: str = ""
    cancelled: Callable[[], bool] = bool
    evidence: Evidence = NO_EVIDENCE
    remembered: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    before: JsonObject = field(default_factory=dict)
    open_proposals: Collection[str] | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is about another document than the thread's own."""
        return self.document is not None and self.document.pk != self.thread.document_id

    def enter_document(self, document: Document) -> ToolContext:
        """The same call, about this document."""
        return replace(self, document=document, open_proposals=None)

    def remember(self, **ids: str) -> None:
        """Keeps ids (schema_revid, prompt_revid, extraction_id) as the thread's last ones when the call succeeds.

        What another document was read with is not the thread's.
        """
        if not self.is_elsewhere:
            self.remembered.update(ids)

    def forget(self, *ids: str) -> None:
        """These rows are gone: they leave the thread's working state when the call succeeds."""
        self.forgotten.update(ids)

    @property
    def is_headless(self) -> bool:
        """Nobody watches: what is made is only proposed."""
        return self.turn.origin == Turn.Origin.HEADLESS

    def proposes(self, head: Schema | Prompt) -> bool:
        """Whether a change of this is only proposed: nobody watches, or it waits as a proposal on the document."""
        if self.is_headless:
            return True
        return refining.find_open_proposal(self.document, head, among=self.open_proposals) is not None

    def recall(self, name: str) -> str:
        return str(self.thread.working_state.get(name, ""))

    def require_document(self) -> Document:
        """The thread's document. Raises NotFound in a thread without one."""
        if self.document is None:
            raise NotFound("Say which document is meant, by its name or id.")
        return self.document


def _reach_document(context: ToolContext, arguments: Arguments) -> Reach:
    return Reach.DOCUMENT


def _rest_on_nothing(context: ToolContext, arguments: Arguments) -> Preconditions:
    return {}


def _keep_arguments(context: ToolContext, arguments: Arguments) -> Arguments:
    return arguments


@dataclass(frozen=True)
class ToolText:
    """What a model reads of a tool that is no function of ours."""

    description: str
    parameters: JsonSchema


@dataclass(frozen=True)
class Tool:
    """`run` is the whole tool, or its prepare when `apply` stores the draft inside the fenced transaction.

    `cost`: what a call pays for, as words. `timeout`: for how many seconds it waits for a model or the web at most.
    `creates`: every call adds something that a person would have to remove again. `search` looks through pages for
    what `run` and `preview` need of them, in no transaction. `shows_any`: its answers hold words of documents that
    nobody named. `restores`: it takes a document out of the trash. `is_rare`: offered once the model has looked for
    it. `fetches`: it only looks up outside. `needs_person`: no rule or mode lets it run. `needs_sight`: for models
    that see. `writes_thread`: it keeps something of the thread's own. `instead_of`: by what means several, one.
    `follows`: tools that it waits for, called before it in the same answer. `goes_outside`, `is_persons_word`: with
    which arguments something leaves, or a person is needed. `unlisted`: parameters that no model is told of. `text`:
    of a tool of an outside server, and `off` why that cannot be used now. `doubt`: why a person looks first, whatever
    rules and modes say.
    """

    name: str
    run: Callable[..., Result]
    category: Category
    access: Access
    effect: Effect
    title: str
    icon: str
    needed_role: Role
    cost: str = ""
    timeout: int = 0
    creates: bool = False
    shows_any: bool = False
    restores: bool = False
    is_rare: bool = False
    fetches: bool = False
    needs_person: bool = False
    needs_sight: bool = False
    writes_thread: bool = False
    instead_of: Mapping[str, Collection[str]] = field(default_factory=dict)
    goes_outside: Callable[[Arguments], bool] | None = None
    is_persons_word: Callable[[Arguments], bool] | None = None
    unlisted: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    text: ToolText | None = None
    off: str = ""
    apply: Callable[[ToolContext, Draft], Result] | None = None
    resolve: Callable[[ToolContext, Arguments], Arguments] = _keep_arguments
    reach: Callable[[ToolContext, Arguments], Reach] = _reach_document
    preconditions: Callable[[ToolContext, Arguments], Preconditions] = _rest_on_nothing
    search: Callable[[ToolContext, Arguments], Evidence] | None = None
    doubt: Callable[[ToolContext, Arguments], Sequence[str]] | None = None
    preview: Callable[[ToolContext, Arguments], Preview] | None = None
    summary: Callable[[Arguments, Result], str] | None = None
    inverse: Callable[[ToolContext, Arguments, Result], Inverse | None] | None = None

    @property
    def is_read(self) -> bool:
        """Changes nothing, so that it needs no card; it may cost money all the same."""
        return self.access in READS

    @property
    def is_answer(self) -> bool:
        """Called for what it answers, so that the turn goes on with that."""
        return (self.is_read and not self.writes_thread) or self.shows_any or self.effect is Effect.EXTERNAL

    @property
    def asks_model(self) -> bool:
        """Reads by a model, which the turn pays: in a worker, and for as long as nobody stops it."""
        return self.access is Access.COSTLY_READ

    @cached_property
    def parameters(self) -> JsonSchema:
        return self.text.parameters if self.text else parameters_of(self.run)

    @cached_property
    def json_texts(self) -> frozenset[str]:
        return frozenset() if self.text else json_texts_of(self.run)

    @cached_property
    def description(self) -> str:
        return self.text.description if self.text else description_of(self.run)

    def schema(self) -> ToolSchema:
        """In the form that model providers take."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": self.parameters},
        }

    def check_arguments(self, arguments: Arguments) -> Arguments:
        named = rename_alike(self.parameters, arguments)
        return check_arguments(self.parameters, named, json_texts=self.json_texts)

    def as_called(self, arguments: Arguments) -> Tool:
        """With the access that these arguments need."""
        tool = replace(self, access=Access.EXTERNAL) if self.goes_outside and self.goes_outside(arguments) else self
        return replace(tool, needs_person=True) if self.is_persons_word and self.is_persons_word(arguments) else tool

    def find_evidence(self, context: ToolContext, arguments: Arguments) -> Evidence:
        """What is refused here is refused again, with its sentence, where the call is planned or runs."""
        if self.search is None:
            return NO_EVIDENCE
        try:
            return self.search(context, arguments)
        except AppError:
            return OUTDATED

    def build_preview(self, context: ToolContext, arguments: Arguments) -> Preview:
        return self.preview(context, arguments) if self.preview else plain_preview(self.title, arguments)


class Registry:
    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def __iter__(self) -> Iterator[Tool]:
        return iter(sorted(self._tools.values(), key=lambda tool: tool.name))

    def add(self, tool: Tool) -> None:
        if tool.name in self._tools:
            raise ValueError(f"There are two tools called {tool.name}.")
        if OUTSIDE_SIGN in tool.name:
            raise ValueError(f"{tool.name}: names with {OUTSIDE_SIGN} are those of outside servers' tools.")
        if (tool.effect is Effect.PREPARED) != (tool.apply is not None):
            raise ValueError(f"{tool.name}: a prepared tool, and no other, has an apply function.")
        _check(tool)
        self._tools[tool.name] = tool

    def remove(self, name: str) -> None:
        del self._tools[name]

    def find(self, name: str) -> Tool:
        """Raises NotFound with the names there are, a sentence the model can act on."""
        if (name := get_present_name(name)) not in self._tools:
            raise NotFound(f"There is no tool {name[:60]!r}. The tools are: {', '.join(sorted(self._tools))}.")
        return self._tools[name]


registry = Registry()


def _check(tool: Tool) -> None:
    """Raises ValueError for what a model, a person or the gate would miss, so that the product does not start."""
    if not tool.description:
        raise ValueError(f"{tool.name}: its docstring says to the model what it does.")
    if tool.asks_model and not tool.timeout:
        raise ValueError(f"{tool.name}: `timeout` says for how many seconds it waits for a model at most.")
    if bool(tool.cost) != (tool.access in PAID):
        raise ValueError(f"{tool.name}: `cost` says what is paid, of a tool that asks a model and of no other.")
    tool.schema()


def tool(
    *,
    category: str,
    access: str,
    effect: str = Effect.LOCAL,
    role: Role | None = None,
    title: str,
    icon: str = "i-braces",
    **hooks: Any,
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Registers the function as a tool of its own name. `hooks` are the optional functions of `Tool`."""

    def register(function: Callable[..., Result]) -> Callable[..., Result]:
        kind = Category(category)
        needed = role or minimum_role(kind, access)
        registry.add(
            Tool(function.__name__, function, kind, Access(access), Effect(effect), title, icon, needed, **hooks)
        )
        return function

    return register
