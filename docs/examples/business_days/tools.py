"""Importing this module registers its tools."""

from __future__ import annotations

from datetime import date, timedelta

from agent.toolkit.registry import Result, ToolContext, tool

MAX_DAYS = 36_600
SATURDAY = 5


@tool(category="help", access="read", title="Count business days", icon="i-calendar", is_rare=True)
def count_business_days(context: ToolContext, first: str, last: str) -> Result:
    """How many days from Monday to Friday lie between two dates, both counted.

    first: as 2026-03-02
    last: as 2026-03-31
    """
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError as error:
        return {"error": f"{error}. Write dates as 2026-03-31."}
    count = (end - begin).days + 1
    if not 0 < count <= MAX_DAYS:
        return {"error": f"The last date lies after the first, by at most {MAX_DAYS:,} days."}
    days = (begin + timedelta(offset) for offset in range(count))
    return {"business_days": sum(day.weekday() < SATURDAY for day in days)}
