"""How values are worded on pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from kit.formats import count_noun, format_day, format_local_day, format_number
from llm.money.budgets import format_dollars

register = template.Library()
register.filter(count_noun)
register.filter("dollars", format_dollars)
register.filter("calendar_day", format_local_day)
_KILO = 1024


@register.filter
def moment(when: datetime | None) -> str:
    """now, 4 min, 14:02, yesterday, 3 Mar, 3 Mar 2024."""
    if when is None:
        return ""
    now, local = timezone.localtime(), timezone.localtime(when)
    if timedelta(0) <= now - local < timedelta(hours=1):
        minutes = int((now - local).total_seconds() // 60)
        return f"{minutes} min" if minutes else "now"
    if local.date() == now.date():
        return date_format(local, "H:i")
    if local.date() == (now - timedelta(days=1)).date():
        return "yesterday"
    return format_day(local, has_year=local.year != now.year)


@register.filter
def day(when: datetime | None) -> str:
    """As `moment`, without the time of a day: today, yesterday, 3 Mar, 3 Mar 2024."""
    if when and timezone.localtime(when).date() == timezone.localdate():
        return "today"
    return moment(when)


@register.filter
def days_left(since: datetime, days: int) -> str:
    """Until `days` after it have passed: 12 days left, 1 day left, less than a day left."""
    left = (since + timedelta(days=days) - timezone.now()) / timedelta(days=1)
    return f"{count_noun(ceil(left), 'day')} left" if left > 1 else "less than a day left"


@register.filter
def ago(when: datetime | None) -> str:
    """As `moment`, where "4 min" by itself could be how long something took."""
    words = moment(when)
    return f"{words} ago" if words.endswith(" min") else words


@register.filter
def file_size(size: int) -> str:
    """B, KB and MB of 1,024, as file managers count them."""
    if size < _KILO:
        return f"{size} B"
    if size < _KILO**2:
        return f"{format_number(size / _KILO)} KB"
    return f"{format_number(size / _KILO**2, decimals=1)} MB"
