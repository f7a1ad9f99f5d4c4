"""What day and time it is."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import count, islice
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.utils import timezone as clock

from agent.toolkit.registry import Result, ToolContext, tool
from kit.errors import Invalid

BUSINESS_DAYS = 10
SATURDAY = 5


@tool(
    category="help",
    access="read",
    title="Look at the clock",
    icon="i-clock",
    summary=lambda arguments, result: str(result.get("now", ""))[:16],
    is_rare=True,
)
def get_current_time(context: ToolContext, timezone: str | None = None) -> Result:
    """Today's date and time, and the next ten business days, Monday to Friday; public holidays are not known.

    timezone: an IANA name, such as Europe/Prague or America/New_York; without it that of the installation
    """
    name = timezone or settings.TIME_ZONE
    if name not in available_timezones():
        area = name.rpartition("/")[2].casefold()
        similar = sorted(each for each in available_timezones() if area and area in each.casefold())[:3]
        raise Invalid(f"There is no time zone {name[:60]!r}. {_suggest(similar)}")
    now = clock.now().astimezone(ZoneInfo(name))
    return {
        "now": now.isoformat(timespec="seconds"),
        "weekday": f"{now:%A}",
        "timezone": name,
        "next_business_days": [f"{day:%Y-%m-%d}" for day in list_business_days(now.date())],
    }


def _suggest(similar: list[str]) -> str:
    return f"The nearest are: {', '.join(similar)}." if similar else "Write an IANA name, such as Europe/Prague."


def list_business_days(after: date) -> list[date]:
    days = (after + timedelta(days=number) for number in count(1))
    return list(islice((day for day in days if day.weekday() < SATURDAY), BUSINESS_DAYS))
