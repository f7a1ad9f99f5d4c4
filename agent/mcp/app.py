"""A card inside of an MCP client: a page of ours in its sandbox, which shows what waits and can decide nothing.

The extension MCP Apps (SEP-1865): a tool names the page, the client opens it in a frame without our origin, and hands
it the tool's result. The card is the fragment of our own pages, without its buttons; the link opens DocRouter.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from mcp_types import TextResourceContents, Tool

from accounts.actor import Actor
from agent.cards.cards import build_context, draw_card
from agent.mcp import call_results
from agent.models import ToolCall, Turn
from agent.turns import client_turns
from kit.json_types import JsonObject

EXTENSION = "io.modelcontextprotocol/ui"
ADDRESS = "ui://docrouter/card"
MEDIA_TYPE = "text/html;profile=mcp-app"
CARD = "docrouter/card"
MAX_CARDS = 20
STYLES = ("base", "agent")
# What the frame may ask of other servers: nothing.
_META: JsonObject = {"ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}}


def name_page(tool: Tool) -> Tool:
    """The tool, with the page that shows what comes of it."""
    if tool.annotations and tool.annotations.read_only_hint:
        return tool
    return tool.model_copy(update={"meta": {**(tool.meta or {}), "ui": {"resourceUri": ADDRESS}}})


def build_contents() -> TextResourceContents:
    return TextResourceContents(uri=ADDRESS, mime_type=MEDIA_TYPE, text=_render_page(), _meta=_META)


def describe_cards(turn: Turn, actor: Actor) -> JsonObject:
    """For the page and no model: the cards that wait, as markup, and where a person decides. Empty where none does."""
    calls = client_turns.list_calls(turn)
    context = build_context(turn.thread, actor, calls)
    waiting = [call for call in calls if call.status == ToolCall.Status.PENDING][:MAX_CARDS]
    # Its picture of a page is ours, and would ask our server.
    cards = [replace(draw_card(call, context), crop=None) for call in waiting]
    if not cards:
        return {}
    return {
        CARD: {"markup": render_to_string("agent/mcp_cards.html", {"cards": cards}), "link": call_results.link_to(turn)}
    }


@cache
def _render_page() -> str:
    parts = {"styles": [_read(f"css/{name}.css") for name in STYLES], "script": _read("js/mcp_app.js")}
    return render_to_string("agent/mcp_app.html", parts)


def _read(name: str) -> str:
    """Without its fonts, which the frame may not load."""
    path = finders.find(name)
    lines = Path(str(path)).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("@font-face"))
