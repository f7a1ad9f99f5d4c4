"""README's table of settings and `docrouter/settings.py` name the same environment variables."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def read_by_settings() -> set[str]:
    """The first argument of every `env.…("NAME", …)`."""
    tree = ast.parse((ROOT / "docrouter/settings.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {ast.literal_eval(call.args[0]) for call in calls if re.fullmatch(r"env\.\w+", ast.unparse(call.func))}


def named_in_readme() -> set[str]:
    rows = re.findall(r"^\| (`[A-Z].*?) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    return set(re.findall(r"`([A-Z_]+)`", " ".join(rows)))


def test_every_setting_stands_in_the_readme() -> None:
    missing = read_by_settings() - named_in_readme()
    assert not missing, f"README's table of settings lacks {', '.join(sorted(missing))}."


def test_the_readme_names_no_setting_that_is_not_read() -> None:
    unread = named_in_readme() - read_by_settings()
    assert not unread, f"README's table names {', '.join(sorted(unread))}, which docrouter/settings.py does not read."
