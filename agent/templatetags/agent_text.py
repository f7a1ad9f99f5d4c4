"""Text of the agent and money, as the page shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import nh3
from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from agent.citations.checked_answers import DOUBT, DOUBT_END, NOT_CITED, OPEN, OPEN_END
from agent.citations.statements.checking import State
from agent.conversation.addresses import address_of
from agent.conversation.sources import PLACE, Source
from agent.usage.figures import name_model
from agent.views.thread.chips import Chip
from documents.templatetags.frame import icon
from kit.formats import format_number
from llm.money.budgets import format_dollars

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

register = template.Library()
register.filter("dollars", format_dollars)
register.filter("address", address_of)
# No pictures and no links: an address can carry away what a document made the model write into it, the one without a
# click and the other with one. The address stands there as text, for who wants to go there.
_ALLOWED = {
    "p",
    "br",
    "strong",
    "em",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "h3",
    "h4",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "del",
}
_PLACE_LINK = re.compile(r'(<a class="place"[^>]*/([0-9a-f.]+)")>.*?</a>', re.S)
_TAG = re.compile(r"(<[^>]*>)")
_BOUND = re.compile(f"([{DOUBT}{DOUBT_END}{OPEN}{OPEN_END}])")
# By what begins them the element around each of their words.
_MARKED = {DOUBT: ('<mark class="doubt">', "</mark>"), OPEN: ('<span class="unchecked">', "</span>")}
_ENDS = {DOUBT_END: DOUBT, OPEN_END: OPEN}
_HEADINGS = {"h1": "h3", "h2": "h3", "h5": "h4", "h6": "h4"}


@cache
def _make_renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - for the first answer of a model, not for each start

    renderer = MarkdownIt("js-default", {"html": False, "linkify": False, "breaks": True})
    renderer.core.ruler.push("say_addresses", _say_addresses)
    return renderer


def _say_addresses(state: StateCore) -> None:
    """Write the address of a link behind its words, unless they say it."""
    for token in state.tokens:
        token.children = _with_addresses(token.children) if token.children else token.children


def _with_addresses(tokens: list[Token]) -> list[Token]:
    result: list[Token] = []
    address = words = ""
    for token in tokens:
        if token.type == "link_open":
            address, words = str(token.attrGet("href") or ""), ""
        if token.type == "link_close" and address and address not in words:
            result.append(type(token)("text", "", 0, content=f" ({address})"))
        words += token.content
        result.append(token)
    return result


@register.filter
@lru_cache(maxsize=500)
def markdown(text: str, organization_id: str = "") -> SafeString:
    """Sanitized HTML of a model's Markdown; each block of code with a button that copies it.

    Block ids lead to their words, which only documents of the organization have. Kept, since a page asks for the whole
    thread again at each step of a turn.
    """
    html = _make_renderer().render(text)
    for source, target in _HEADINGS.items():
        html = html.replace(f"<{source}>", f"<{target}>").replace(f"</{source}>", f"</{target}>")
    clean = nh3.clean(html, tags=_ALLOWED, attributes={"ol": {"start"}}, link_rel=None)
    clean = _mark_doubts(clean)
    clean = clean.replace("<pre>", f'<div class="code-block">{_copy_button()}<pre tabindex="0">')
    clean = clean.replace("</pre>", "</pre></div>")
    return mark_safe(_link_places(clean, organization_id) if organization_id else clean)  # noqa: S308 - nh3 sanitizes


@register.filter
def number_sources(html: str, sources: Iterable[Source]) -> SafeString:
    """Rendered Markdown in which the links to places are the small numbers of the sources that stand below it."""
    by_block = {source.block_id: source for source in sources}

    def number(link: re.Match[str]) -> str:
        source = by_block.get(link[2])
        if source is None:
            return link[0]
        words = ' data-source="{}" aria-label="Source {}, page {}">{}</a>'
        return link[1] + format_html(words, source.block_id, source.number, source.page, source.number)

    return mark_safe(_PLACE_LINK.sub(number, str(html)))  # noqa: S308 - of markdown, and what is added is escaped


def _mark_doubts(html: str) -> str:
    """What stands between the bounds, piece by piece: emphasis may begin in one sentence and end in the next."""
    if DOUBT not in html and OPEN not in html:
        return html
    parts, begun, is_cited = [], "", False
    for piece in _TAG.split(html):
        for words in [piece] if piece.startswith("<") else _BOUND.split(piece):
            if words in _MARKED:
                begun, is_cited = words, False
            elif words in _ENDS:
                parts.append(_say_state(begun, is_cited=is_cited) if begun == _ENDS[words] else "")
                begun = ""
            else:
                is_cited = is_cited or PLACE.search(words) is not None
                is_text = begun and words.strip() and not words.startswith("<")
                parts.append(words.join(_MARKED[begun]) if is_text else words)
    return "".join(parts)


def _say_state(bound: str, *, is_cited: bool) -> str:
    state = State.UNSUPPORTED if bound == DOUBT else State.NOT_CHECKED if is_cited else NOT_CITED
    return f'<span class="sr"> ({state})</span>'


def _link_places(html: str, organization_id: str) -> str:
    """No attribute of the sanitized text holds one, so what is found stands in words."""

    def build_link(match: re.Match[str]) -> str:
        address = reverse("place", args=(organization_id, match[1]))
        words = f"page {match[2]}, line {match[3]}"
        return format_html('<a class="place" href="{}">{}{}</a>', address, icon("locate-fixed", "s"), words)

    return PLACE.sub(build_link, html)


def _copy_button() -> str:
    return format_html(
        '<button type="button" class="btn btn-s" data-copy-code>{}<span data-word>Copy</span></button>',
        icon("copy", "s"),
    )


@register.filter
def chips_json(chips: Iterable[Chip]) -> str:
    """What the input needs to show the chips of a message that is edited."""
    return json.dumps([{"type": chip.type, "id": chip.id, "label": chip.label} for chip in chips])


@register.filter("thought")
def describe_thinking(seconds: int) -> str:
    return f"Thought for {seconds} s" if seconds else "Thought about it"


@register.filter
def number(value: int) -> str:
    """31,000."""
    return format_number(value)


_JSON_PARTS = re.compile(
    r'(?P<k>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<s>"(?:[^"\\]|\\.)*")|(?P<n>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)'
)


@register.filter("json_tinted")
def tint_json(text: str) -> SafeString:
    """JSON with names, texts and other values in their colours; every piece is escaped."""
    parts, at = [], 0
    for token in _JSON_PARTS.finditer(text):
        parts.append(escape(text[at : token.start()]))
        parts.append(format_html('<span class="{}">{}</span>', token.lastgroup, token.group()))
        at = token.end()
    return mark_safe("".join([*parts, escape(text[at:])]))  # noqa: S308 - each part is escaped above


@register.filter
def model_words(name: str) -> str:
    return name_model(name)


@register.filter
def seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.1f} s"
