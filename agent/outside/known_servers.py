"""Public MCP servers that take a key in a header or none, for the form; addresses as their makers publish them."""

from __future__ import annotations

from typing import NamedTuple


class KnownServer(NamedTuple):
    """`header` is empty where it needs no key; `key` says which one it takes."""

    name: str
    url: str
    header: str = ""
    key: str = ""


KNOWN_SERVERS = {
    server.name: server
    for server in (
        KnownServer("GitHub", "https://api.githubcopilot.com/mcp/", "Authorization", "Bearer and an access token"),
        KnownServer("Linear", "https://mcp.linear.app/mcp", "Authorization", "Bearer and an API key"),
        KnownServer("Stripe", "https://mcp.stripe.com", "Authorization", "Bearer and a restricted key"),
        KnownServer("Hugging Face", "https://huggingface.co/mcp", "Authorization", "Bearer and an access token"),
        KnownServer("DeepWiki", "https://mcp.deepwiki.com/mcp"),
    )
}
