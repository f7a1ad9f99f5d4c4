"""How the pages of schemas, prompts and tags show what is defined."""

from __future__ import annotations

import json
import re

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_TOKEN = re.compile(r'(?P<k>"(?:\\.|[^"\\])*")(?=\s*:)|(?P<s>"(?:\\.|[^"\\])*")|(?P<n>-?\d[\d.eE+-]*|true|false|null)')


@register.filter
def json_code(value: object) -> SafeString:
    """JSON, indented, with names, texts and numbers marked for their colours."""
    text, done, parts = json.dumps(value, indent=2, ensure_ascii=False), 0, []
    for token in _TOKEN.finditer(text):
        parts += [conditional_escape(text[done : token.start()])]
        parts += [format_html('<span class="{}">{}</span>', token.lastgroup, token.group())]
        done = token.end()
    return mark_safe("".join([*parts, conditional_escape(text[done:])]))  # noqa: S308 - every part is escaped


@register.simple_tag
def swatch(color: str) -> SafeString:
    """The colour as a drawing: the page's policy allows no style attribute. The name always stands beside it."""
    return format_html(
        '<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">'
        '<rect width="10" height="10" rx="3" fill="{}"/></svg>',
        color,
    )
