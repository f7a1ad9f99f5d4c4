"""Tags of the frame around every page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django import template
from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kit.http.undo_buttons import UndoButton, read_tag
from kit.static_files.storage import JoinedFilesStorage
from llm import provider_keys

register = template.Library()
THEMES = ("light", "dark")


@register.simple_tag
def icon(name: str, size: str = "") -> SafeString:
    """A picture from static/img/icons.svg; `size` is "s" or "l". Beside it stands a word, or the button has a name."""
    classes = f"i i-{size}" if size else "i"
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', classes, static("img/icons.svg"), name
    )


@register.simple_tag
def styles(name: str) -> SafeString:
    """The stylesheets that docrouter/bundles.py has under this name: as one file, or as they are written."""
    files = _list_files(f"css/{name}.joined.css")
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', ((static(file),) for file in files))


@register.simple_tag
def scripts(name: str) -> SafeString:
    """As `styles`. A module is loaded once, whoever imports it besides."""
    files = _list_files(f"js/{name}.joined.js")
    return format_html_join("\n", '<script src="{}" type="module"></script>', ((static(file),) for file in files))


def _list_files(bundle: str) -> Sequence[str]:
    is_joined = isinstance(staticfiles_storage, JoinedFilesStorage) and not settings.DEBUG
    return (bundle,) if is_joined else settings.STATIC_BUNDLES[bundle]


@register.simple_tag(takes_context=True)
def read_theme(context: template.Context) -> str:
    """ "light" or "dark" when it was chosen, so that the page begins in its colours, before any script.

    By the person, else in this browser.
    """
    request = context.get("request")
    chosen = _read_account_theme(context) or (request.COOKIES.get("theme", "") if request else "")
    return chosen if chosen in THEMES else ""


@register.simple_tag(takes_context=True)
def read_account_theme(context: template.Context) -> str:
    """What the person has chosen, for all their browsers: "system", "light", "dark", or empty."""
    return _read_account_theme(context)


def _read_account_theme(context: template.Context) -> str:
    user = getattr(context.get("request"), "user", None)
    return str(getattr(user, "theme", ""))


@register.simple_tag
def read_undo(message: Message) -> UndoButton | None:
    """The button that goes with a message about what was done."""
    return read_tag(message.extra_tags or "")


@register.simple_tag
def offline_model() -> bool:
    """True while the built-in rules stand in for a model."""
    return settings.DEFAULT_MODEL.startswith("offline/")


@register.simple_tag(takes_context=True)
def model_note_is_hidden(context: template.Context) -> bool:
    """True once somebody has hidden the note on the offline model in this browser, until the day is over."""
    return "model-note" in context["request"].COOKIES


HTMX = {
    "allowEval": False,
    "includeIndicatorStyles": False,
    "historyRestoreAsHxRequest": False,
    # Back loads the page anew: a kept copy would come back without its viewer, its socket and what happened since.
    "historyCacheSize": 0,
    "refreshOnHistoryMiss": True,
    # What is typed into a form in the moment in which it appears is heard: it is wired up as it is put on the page.
    "defaultSettleDelay": 0,
    # Not `style`: to carry it over as text is an inline style, which the policy refuses.
    "attributesToSettle": ["class", "width", "height"],
    # 422 is a form with its sentences and goes where it was asked for; every other failure is said in #notice.
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "422", "swap": True},
        {"code": "[45]..", "swap": True, "error": True, "target": "#notice", "swapOverride": "innerHTML"},
    ],
}


@register.simple_tag
def htmx_config() -> str:
    return json.dumps(HTMX)


@register.simple_tag
def list_sealed_off_keys() -> list[str]:
    """The providers whose stored key no secret opens any more."""
    return provider_keys.list_sealed_off()
