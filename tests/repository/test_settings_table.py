"""docs/settings.md and `docrouter/settings.py` name the same environment variables."""

from __future__ import annotations

from docrouter import settings_reference
from docrouter.settings_meanings import SECTIONS

READ = [call.name for call in settings_reference.list_calls()]
DESCRIBED = [setting.name for settings in SECTIONS.values() for setting in settings]


def test_every_setting_has_a_meaning() -> None:
    missing = set(READ) - set(DESCRIBED)
    assert not missing, f"docrouter/settings_meanings.py lacks {', '.join(sorted(missing))}."


def test_no_setting_is_described_that_is_not_read_or_twice() -> None:
    unread = set(DESCRIBED) - set(READ)
    assert not unread, f"docrouter/settings_meanings.py names {', '.join(sorted(unread))}, which nothing reads."
    assert len(DESCRIBED) == len(set(DESCRIBED))


def test_the_page_of_settings_is_what_the_code_prints() -> None:
    page = settings_reference.PAGE.read_text(encoding="utf-8")
    assert page == settings_reference.print_page(), "Run `python -m docrouter.settings_reference`."
