"""Names of tools as people read them, also of tools that are gone."""

from __future__ import annotations

from agent.outside.catalog import is_outside
from agent.scope_profiles.applied import classifier
from agent.toolkit.registry import registry
from kit.errors import NotFound


def find_title(tool: str) -> str:
    if tool == classifier.TOOL:
        return "Scope check"
    if is_outside(tool):
        return tool
    try:
        return registry.find(tool).title
    except NotFound:
        return tool
