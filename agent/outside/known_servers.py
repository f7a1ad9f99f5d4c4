"""Public MCP servers that take a key in a header or none, for the form; addresses as their makers publish them."""

from __future__ import annotations

from typing import NamedTuple


class KnownServer(NamedTuple):
    """`header` is empty where it needs no key."""

    name: str
    url: str
    header: str = ""


KNOWN_SERVERS = {
    server.name: server
    for server in (
        KnownServer("GitHub", "https://api.githubcopilot.com/mcp/", "Authorization"),
        KnownServer("Linear", "https://mcp.linear.app/mcp", "Authorization"),
        KnownServer("Stripe", "https://mcp.stripe.com", "Authorization"),
        KnownServer("Hugging Face", "https://huggingface.co/mcp", "Authorization"),
        KnownServer("DeepWiki", "https://mcp.deepwiki.com/mcp"),
    )
}
