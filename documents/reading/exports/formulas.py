"""Text that a spreadsheet would run as a formula."""

from __future__ import annotations

import re

_UNSEEN_SIGN = r"[\s\x00-\x1f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
_SIGNS = "[=+\\-@＝＋－＠−﹢﹣﹦﹫⁼⁺⁻]"
_FORMULA = re.compile(rf"{_UNSEEN_SIGN}*{_SIGNS}|[\t\r\n]")
# Where a semicolon or a tab divides cells, a second formula may begin inside of a text. Of line breaks in a row only
# the last is followed to a sign: from each of them, the time would grow with their square.
_FORMULA_INSIDE = re.compile(rf"([;\t\r\n])((?:(?![\t\r\n]){_UNSEEN_SIGN})*{_SIGNS})")


def escape_formula(value: object) -> object:
    """For CSV: spreadsheets run text that begins like a formula, so it is told to be text.

    They leave out spaces and marks before the sign, and some read its full-width form as the same:
    https://owasp.org/www-community/attacks/CSV_Injection
    """
    if not isinstance(value, str):
        return value
    text = _FORMULA_INSIDE.sub(r"\1'\2", value)
    return f"'{text}" if _FORMULA.match(value) else text
