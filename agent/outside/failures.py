"""Sentences for servers that answer, and not as an MCP server does."""

from __future__ import annotations

from collections.abc import Mapping

from kit.errors import Upstream

_BY_STATUS = {
    403: "{host} refuses the request: a key is missing, or it may not use the server.",
    404: "{host} has no MCP server at this address. Check its path.",
    405: "{host} takes no MCP requests at this address. Check its path.",
    410: "{host} has no MCP server at this address any more.",
    429: "{host} has been asked too often. Try again later.",
}
_FAILED = "{host} failed with status {status}. Try again later, or ask those who run it."
_REFUSED = "{host} refused the request with status {status}. Check the address."
_NO_KEY = "{host} asks for a key: name a header, such as Authorization, and its secret."
_WRONG_KEY = "{host} does not accept this key. Check the header and its secret."
_BEARER = " With Authorization a secret usually begins with “Bearer ”."
NOT_MCP = "{host} sent something that is not MCP. Check the address."
_PAGE = "{host} sent a web page instead of MCP. Check the path of the address."


def explain_answer(host: str, status: int, content_type: str, sent: Mapping[str, str]) -> Upstream | None:
    """Takes status and content type of the last answer, and the headers with a secret; None where these may be MCP."""
    if status == 401:
        return Upstream(_explain_key(sent).format(host=host))
    if status in _BY_STATUS:
        return Upstream(_BY_STATUS[status].format(host=host))
    if status >= 400:
        return Upstream((_FAILED if status >= 500 else _REFUSED).format(host=host, status=status))
    return Upstream(_PAGE.format(host=host)) if content_type.startswith("text/html") else None


def _explain_key(sent: Mapping[str, str]) -> str:
    if not sent:
        return _NO_KEY
    needs_scheme = any(name.lower() == "authorization" and " " not in secret for name, secret in sent.items())
    return _WRONG_KEY + (_BEARER if needs_scheme else "")
