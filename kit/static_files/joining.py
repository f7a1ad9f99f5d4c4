"""Several scripts or stylesheets as one file, so that a page asks for one.

The sources stay ES modules, one a feature. Of the language's modules only what our scripts use is known here: anything
else is refused when the files are collected, before a browser meets it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Read = Callable[[str], str]
_IMPORT = re.compile(r"^import\s+(?:(?P<names>\{[^}]*\}|\* as \w+)\s+from\s+)?'\./(?P<file>[\w-]+\.js)';$", re.M)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (?P<name>\w+))", re.M)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*|^.*\bimport(?:\.meta|\().*", re.M)


class CannotJoin(ValueError):
    """The sentence names the file and the line."""


def join_styles(names: Sequence[str], read: Read) -> str:
    texts = [read(name) for name in names]
    for name, text in zip(names, texts, strict=True):
        if "@import" in text or "@charset" in text:
            raise CannotJoin(f"{name}: @import and @charset count only at the beginning of a file.")
    return "\n".join(texts)


def join_modules(names: Sequence[str], read: Read) -> str:
    """Each module in a function of its own, after those that it imports. Those of one folder only."""
    parts: dict[str, str] = {}

    def add(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            raise CannotJoin(f"{' imports '.join((*importers, name))}.")
        if name in parts:
            return
        text = read(name)
        for imported in _IMPORT.finditer(text):
            add(f"{name.rpartition('/')[0]}/{imported['file']}", (*importers, name))
        parts[name] = _wrap_module(name, text)

    for name in names:
        add(name, ())
    return "\n".join(parts.values())


def _wrap_module(name: str, text: str) -> str:
    exports = [match["name"] for match in _EXPORT.finditer(text)]
    body = _EXPORT.sub("", _IMPORT.sub(_bind_import, text))
    if unknown := _UNKNOWN.search(body):
        raise CannotJoin(f"{name}: {unknown[0]!r} is a form of import or export that cannot be joined.")
    return f"const {_variable_of(name)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();"


def _bind_import(match: re.Match[str]) -> str:
    if not match["names"]:
        return ""
    names = match["names"].removeprefix("* as ")
    return f"const {re.sub(r' as ', ': ', names)} = {_variable_of(match['file'])};"


def _variable_of(name: str) -> str:
    stem = name.rpartition("/")[2].removesuffix(".js")
    return "$" + re.sub(r"\W", "_", stem)
