"""Text of the agent and money, as the page shows them."""

from __future__ import annotations

import re

import nh3
from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()
_markdown = MarkdownIt("js-default", {"html": False, "linkify": False, "breaks": True})
# No pictures: a picture's address can carry data away. Links stay, they need a click.
_ALLOWED = {
    "p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "h3", "h4", "hr",
    "table", "thead", "tbody", "tr", "th", "td", "a", "del",
}  # fmt: skip
_HEADINGS = {"h1": "h3", "h2": "h3", "h5": "h4", "h6": "h4"}


@register.filter
def markdown(text: str) -> SafeString:
    """Sanitized HTML of a model's Markdown."""
    html = _markdown.render(text)
    for found, shown in _HEADINGS.items():
        html = html.replace(f"<{found}>", f"<{shown}>").replace(f"</{found}>", f"</{shown}>")
    clean = nh3.clean(
        html, tags=_ALLOWED, attributes={"a": {"href"}, "ol": {"start"}}, url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )  # fmt: skip
    return mark_safe(clean)  # noqa: S308 - nh3 is the sanitizer


_JSON_PARTS = re.compile(
    r'(?P<k>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<s>"(?:[^"\\]|\\.)*")|(?P<n>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)'
)


@register.filter
def json_tinted(text: str) -> SafeString:
    """JSON with names, texts and other values in their colours; every piece is escaped."""
    parts, at = [], 0
    for found in _JSON_PARTS.finditer(text):
        parts.append(escape(text[at : found.start()]))
        parts.append(format_html('<span class="{}">{}</span>', found.lastgroup, found.group()))
        at = found.end()
    return mark_safe("".join([*parts, escape(text[at:])]))  # noqa: S308 - each part is escaped above


@register.filter
def model_words(name: str) -> str:
    """A model's name as people say it: without its provider."""
    return "Built-in offline model" if name.startswith("offline/") else name.rpartition("/")[2]


@register.filter
def dollars(micros: int) -> str:
    """12345 (millionths) as $0.012; small sums keep three digits after the point."""
    amount = micros / 1_000_000
    return f"${amount:,.2f}" if amount >= 1 or micros == 0 else f"${amount:.3f}"


@register.filter
def seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.1f} s"
