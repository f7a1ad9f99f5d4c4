"""A digest of each test of a file: of its own lines, and of those of whatever the file defines that they name.

So one more test, or a change of another, changes no digest, and a change of a fixture, helper or constant those of the
tests that use it, also by way of others. A word that is only like a name counts as one: that changes too many digests,
never too few.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_WORD = re.compile(r"\w+")
# Pytest looks for these by itself, whether a test names them or not.
_FOR_ALL = re.compile(r"\bautouse\b|\bpytest_\w+\(|^pytest\w+ *[:=]", re.M)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Definitions:
    """What a file defines besides tests, by name, and the lines that count for every test of it."""

    by_name: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    for_all: list[str] = field(default_factory=list)

    def add(self, text: str, names: Iterable[str]) -> None:
        known = list(names)
        if not known or _FOR_ALL.search(text):
            self.for_all.append(text)
        for name in known:
            self.by_name[name].append(text)

    def gather(self, text: str) -> list[str]:
        """The text, what it names, and what that names."""
        texts, known = [text, *self.for_all], set[str]()
        for each in texts:  # which grows meanwhile
            for word in sorted(set(_WORD.findall(each)) - known):
                known.add(word)
                texts += self.by_name.get(word, ())
        return texts


def digest_tests(source: str) -> Mapping[str, str]:
    """By name, `test_it` or `TestClass::test_it`."""
    definitions, tests = Definitions(), dict[str, str]()
    for node in ast.parse(source).body:
        text = text_of(source, node)
        if is_test(node):
            tests[name_of(node)] = text
        elif isinstance(node, ast.ClassDef) and (methods := [each for each in node.body if is_test(each)]):
            tests |= {f"{node.name}::{name_of(each)}": text_without(source, node, methods, each) for each in methods}
        else:
            define(definitions, source, node)
    return {name: digest(definitions.gather(text)) for name, text in tests.items()}


def define(definitions: Definitions, source: str, node: ast.stmt) -> None:
    """Each name of an import by itself: one that is added there is nothing to whoever does not use it."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        module = f"{'.' * node.level}{node.module}" if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            definitions.add(
                f"{module} {alias.name} as {alias.asname}", [(alias.asname or alias.name).partition(".")[0]]
            )
    elif not is_docstring(node):
        definitions.add(text_of(source, node), list_bound(node))


def list_bound(node: ast.stmt) -> list[str]:
    """The names that a definition or an assignment gives. What a loop or a call does is for all tests."""
    if isinstance(node, _DEFINITIONS):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    leaves = [leaf for target in targets for leaf in ast.walk(target)]
    return [leaf.id for leaf in leaves if isinstance(leaf, ast.Name) and isinstance(leaf.ctx, ast.Store)]


def is_test(node: ast.stmt) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def name_of(node: ast.stmt) -> str:
    assert isinstance(node, _DEFINITIONS)
    return node.name


def text_without(source: str, owner: ast.ClassDef, methods: list[ast.stmt], kept: ast.stmt) -> str:
    """The lines of a class without its other tests."""
    left_out = {line for method in methods if method is not kept for line in lines_of(method)}
    lines = source.split("\n")
    return "\n".join(lines[line - 1] for line in lines_of(owner) if line not in left_out)


def text_of(source: str, node: ast.stmt) -> str:
    lines, numbers = source.split("\n"), lines_of(node)
    return "\n".join(lines[numbers.start - 1 : numbers.stop - 1])


def lines_of(node: ast.stmt) -> range:
    """With its decorators."""
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    return range(min([node.lineno, *(each.lineno for each in decorators)]), (node.end_lineno or node.lineno) + 1)


def digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:8]
