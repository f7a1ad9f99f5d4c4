"""`python -m docrouter.settings_reference` writes docs/settings.md: each setting, its default and its meaning.

Defaults are read from `docrouter/settings.py`, so the page cannot show one that does not hold.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

from docrouter.settings_meanings import SECTIONS, Setting

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/settings.md"
HEAD = """# Settings

Every setting is an environment variable. Each may also be given as `NAME_FILE`, the path of a file that holds the \
value. A value that cannot be used stops the start with a sentence that names the variable. This page is printed from \
the code by `python -m docrouter.settings_reference`.
"""


class EnvironmentCall(NamedTuple):
    """An `env.…("NAME", default)` of `docrouter/settings.py`; without a default that is a literal it is None."""

    name: str
    default: object


def list_calls() -> list[EnvironmentCall]:
    """In the order of the file; a setting that is read twice comes twice."""
    tree = ast.parse((ROOT / "docrouter/settings.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_environment_call(node)]
    return [EnvironmentCall(ast.literal_eval(call.args[0]), _read_default(call)) for call in calls]


def is_environment_call(call: ast.Call) -> bool:
    function = call.func
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) == "env"


def _read_default(call: ast.Call) -> object:
    if len(call.args) < 2:
        return ""
    try:
        return ast.literal_eval(call.args[1])
    except ValueError:
        return None


def print_page() -> str:
    defaults = {call.name: call.default for call in reversed(list_calls())}
    return HEAD + "".join(_print_section(title, settings, defaults) for title, settings in SECTIONS.items())


def _print_section(title: str, settings: tuple[Setting, ...], defaults: dict[str, object]) -> str:
    rows = [
        f"| `{setting.name}` | {setting.default or _format(setting, defaults)} | {setting.meaning} |\n"
        for setting in settings
    ]
    return f"\n## {title}\n\n| name | default | meaning |\n|---|---|---|\n{''.join(rows)}"


def _format(setting: Setting, defaults: dict[str, object]) -> str:
    """Raises LookupError for a default that the code computes: `Setting.default` has to say it."""
    match defaults.get(setting.name):
        case None:
            raise LookupError(f"docrouter/settings_meanings.py: the default of {setting.name} is computed. Write it.")
        case "":
            return "–"
        case bool() as switch:
            return "on" if switch else "off"
        case tuple() as several:
            return f"`{', '.join(map(str, several))}`"
        case str() as text:
            return f"`{text}`"
        case number:
            return str(number)


if __name__ == "__main__":
    PAGE.write_text(print_page(), encoding="utf-8")
