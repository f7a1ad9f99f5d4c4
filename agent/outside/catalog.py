"""The tools of an organization: those of the one registry, and those of its outside servers."""

from __future__ import annotations

from collections.abc import Iterator

from agent.models import OutsideTool, ToolCall
from agent.outside.calling import make_tool
from agent.toolkit.registry import OUTSIDE_SIGN, Tool, registry
from kit.errors import NotFound


def is_outside(name: str) -> bool:
    return OUTSIDE_SIGN in name


def find_tool(organization_id: str, name: str) -> Tool:
    """Also one that is off, which policy refuses. Raises NotFound for one of another organization as for none."""
    if not is_outside(name):
        return registry.find(name)
    rows = OutsideTool.objects.select_related("server__organization")
    row = rows.filter(server__organization_id=organization_id, tool=name).first()
    if row is None:
        raise NotFound(f"There is no tool {name[:64]!r}. The server that it belonged to may have been removed.")
    return make_tool(row)


def find_tool_of(call: ToolCall) -> Tool:
    """The tool that was called. Raises NotFound where there is none any more."""
    return find_tool(call.thread.organization_id, call.tool) if is_outside(call.tool) else registry.find(call.tool)


def list_tools(organization_id: str) -> Iterator[Tool]:
    """By name; of those of outside servers the ones that are on."""
    yield from registry
    yield from list_outside(organization_id)


def list_outside(organization_id: str) -> Iterator[Tool]:
    rows = OutsideTool.objects.filter(server__organization_id=organization_id, is_on=True)
    yield from map(make_tool, rows.select_related("server__organization").order_by("tool"))
