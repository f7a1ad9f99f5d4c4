"""What an organization and the product say to every agent, as prompts that a client may take up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcp_types import Prompt

from accounts.actor import Actor
from agent.policy.agent_settings import effective_settings
from agent.tools.help import prompt_guidance, schema_guidance
from kit.errors import NotFound


@dataclass(frozen=True)
class Guide:
    name: str
    title: str
    write: Callable[[Actor], str]


GUIDES = (
    Guide(
        "organization_instructions",
        "Wishes of this organization for every agent",
        lambda actor: effective_settings(actor.organization).organization_instructions,
    ),
    Guide("design_schemas", "How to design schemas that extract well", lambda actor: schema_guidance()),
    Guide("write_prompts", "How to write prompts that extract well", lambda actor: prompt_guidance()),
)


def list_prompts(actor: Actor) -> list[Prompt]:
    """Those that say something."""
    written = [guide for guide in GUIDES if guide.write(actor)]
    return [Prompt(name=guide.name, title=guide.title, description=guide.title) for guide in written]


def write_prompt(actor: Actor, name: str) -> tuple[str, str]:
    """Its title and its text. Raises NotFound."""
    guide = next((guide for guide in GUIDES if guide.name == name), None)
    text = guide.write(actor) if guide else ""
    if guide is None or not text:
        raise NotFound(f"There is no prompt {name[:60]!r}.")
    return guide.title, text
