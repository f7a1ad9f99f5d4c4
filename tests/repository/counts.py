"""What should become less: names that say too little, long files, full folders.

`python -m tests.repository.counts` prints the numbers and writes them as the new limits (`limits.json`).
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType

from tests.suites import OURS

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Path(__file__).with_name("limits.json")
MAX_LINES, MAX_MODULES = 300, 15
EMPTY_LOCALS = {"found", "held", "said", "made", "wanted", "told"}
PARTICIPLES = re.compile(
    "shown|held|told|said|meant|kept|sent|found|made|taken|given|left|lost|gone|known|seen|brought|bought|caught|chosen"
    "|drawn|driven|fallen|forgotten|got|heard|hidden|laid|met|paid|sold|slept|spent|stood|stolen|struck|thought|thrown"
    "|understood|written|built|bound|broken|stuck|own|.{3,}(?:ed|ing)"
)
# Nouns and verbs that only look like participles.
NO_PARTICIPLES = re.compile(
    "embed|embedding|exceed|feed|finding|greeting|heading|king|meaning|need|proceed|reading|seed|sing|speed|spring"
    "|string|succeed|thing|warning"
)
# Word for word from another language: "as stands here", "what comes out", a statement that begins with "Who".
TRANSLATED = re.compile(
    r"\b(?:stands?|heeds?|comes? (?:out|about)|hears? of|by the API|goes before|beside the|takes? off|whatever)\b"
    r"|\.\s+(?:Who|What) (?!can|is|are|was|should|do|does|may|will)\w+"
)
# Methods of litellm and twisted that ours stand in for.
OVERRIDES = {"streaming", "astreaming", "requestReceived", "pauseProducing", "resumeProducing"}
# What `/v0` calls things stays, in the modules that answer it.
PUBLISHED = {"auto_create", "auto_create_state"}
# Tables of words, whose comments are for those who fill them.
_TABLES = {ROOT / folder for folder in ("printed", "printed/languages", "printed/type_words", "printed/matter_words")}
Counts = Counter[str]
_COMMAND, _TAG = re.compile(r"\{[%#{].*?[%#}]\}", re.S), re.compile(r"<[^>]*>")
_FUNCTION = re.compile(r"((?:^ *@.*\n)*)^ *(?:async )?def (\w+)", re.M)
_UNKNOWN = re.compile(r"\bAny\b(?! [a-z])")  # the type, and no sentence that begins with it
_CLASS = re.compile(r"^ *class (\w+)", re.M)
_CONSTANT = re.compile(r"^(?:    )?(\w+)(?:: [^=\n]+)? = ", re.M)


@cache
def product_files() -> list[Path]:
    return [path for package in OURS for path in python_files(package)]


def python_files(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if path.parent.name != "migrations"]


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def locals_of(path: Path) -> list[str]:
    """Variables and parameters of its functions. Compiled code has them, and takes a third of the time of a tree."""
    return list(_locals_in(compile(text_of(path), str(path), "exec")))


def _locals_in(code: CodeType) -> Iterator[str]:
    if code.co_flags & inspect.CO_OPTIMIZED:  # a function, no module or class
        yield from {*code.co_varnames, *code.co_cellvars}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _locals_in(constant)


def count_by_file(paths: list[Path], count: Callable[[Path], int]) -> Counts:
    return +Counter({str(path.relative_to(ROOT)): count(path) for path in paths})


def participle_functions() -> Counts:
    """Functions are verbs with an object; only properties may be read like nouns."""
    return count_by_file(product_files(), lambda path: sum(map(is_participle, functions_in(text_of(path)))))


def functions_in(text: str) -> list[str]:
    """Without properties."""
    return [name for decorators, name in _FUNCTION.findall(text) if not re.search(r"property|setter", decorators)]


def is_participle(name: str) -> bool:
    word = name.lstrip("_").split("_")[0]
    return name not in OVERRIDES and bool(PARTICIPLES.fullmatch(word)) and not NO_PARTICIPLES.fullmatch(word)


def empty_locals() -> Counts:
    """Variables and parameters say what they hold."""
    return count_by_file(product_files(), lambda path: sum(name in EMPTY_LOCALS for name in locals_of(path)))


def banned_synonyms() -> Counts:
    """Names use the words of docs/glossary.md, and none of its last column."""
    banned = re.compile(rf"(?:^|_)(?:{'|'.join(synonyms())})(?:_|$)")
    return count_by_file(product_files(), lambda path: sum(bool(banned.search(name)) for name in _own_names(path)))


def synonyms() -> list[str]:
    rows = [line.split("|")[-2] for line in text_of(ROOT / "docs/glossary.md").splitlines() if line.startswith("|")]
    return sorted(set(re.findall(r"`(\w+)`", " ".join(rows))))


def _own_names(path: Path) -> Iterator[str]:
    """Of the module, its classes, functions, variables, parameters and constants, in snake case."""
    text = text_of(path)
    fields = {name.lower() for name in _CONSTANT.findall(text)}
    classes = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() for name in _CLASS.findall(text)}
    yield path.stem
    yield from locals_of(path)
    yield from (name for _, name in _FUNCTION.findall(text))
    yield from fields | classes if path.parent.name != "api" else (fields | classes) - PUBLISHED


def lines_of_long_files() -> Counts:
    """Files have at most 300 lines."""
    paths = [*product_files(), *python_files("tests")]
    return count_by_file(paths, lambda path: max(0, len(_lines(path)) - MAX_LINES))


def modules_of_full_folders() -> Counts:
    """Folders have at most 15 modules, those of benchmarks too."""
    modules = [path for path in (*product_files(), *python_files("benchmarks")) if path.name != "__init__.py"]
    folders = Counter(str(path.parent.relative_to(ROOT)) for path in modules)
    return +Counter({folder: count - MAX_MODULES for folder, count in folders.items()})


def kept_layouts() -> Counts:
    """The formatter lays out every statement."""
    mark = "fmt: " + "skip"
    return count_by_file([*product_files(), *python_files("tests")], lambda path: text_of(path).count(mark))


def unknown_types() -> Counts:
    """A payload with a name is a TypedDict or a dataclass, and what is only passed on is an `object`."""
    return count_by_file(product_files(), lambda path: len(_UNKNOWN.findall(text_of(path))))


def translated_phrases() -> Counts:
    """Page texts read as a native editor would write them."""
    return count_by_file(sorted((ROOT / "templates").rglob("*.html")), lambda path: len(list_translated(text_of(path))))


def list_translated(template: str) -> list[str]:
    return [match[0].strip() for match in TRANSLATED.finditer(_TAG.sub("|", _COMMAND.sub("", template)))]


def translated_sentences() -> Counts:
    """Errors, mails, cards and the descriptions of `/v0` and of tools read so too."""
    paths = [path for path in product_files() if path.parent not in _TABLES and TRANSLATED.search(text_of(path))]
    return count_by_file(paths, lambda path: sum(len(TRANSLATED.findall(text)) for text in _told_texts(path)))


def _told_texts(path: Path) -> Iterator[str]:
    """Texts of at least two words, with the docstrings that programs and models are told."""
    tree = ast.parse(text_of(path))
    is_described = path.parent.name == "api" or "/api/" in str(path) or "/tools/" in str(path)
    hidden = {id(node) for node in _docstrings_of(tree, only_private=is_described)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield node.value if " " in node.value.strip() else ""


def _docstrings_of(tree: ast.Module, *, only_private: bool) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            is_private = isinstance(node, ast.Module) or node.name.startswith("_")
            first = node.body[0]
            if isinstance(first, ast.Expr) and (is_private or not only_private):
                yield first.value


def translated_pages() -> Counts:
    """Documentation reads so too; of changes and decisions it is written once."""
    return count_by_file(
        [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"], lambda path: len(TRANSLATED.findall(text_of(path)))
    )


def _lines(path: Path) -> list[str]:
    return text_of(path).splitlines()


RULES: dict[str, Callable[[], Counts]] = {
    rule.__name__: rule
    for rule in (
        participle_functions,
        empty_locals,
        banned_synonyms,
        lines_of_long_files,
        modules_of_full_folders,
        kept_layouts,
        unknown_types,
        translated_phrases,
        translated_sentences,
        translated_pages,
    )
}


def read_limits() -> dict[str, Counts]:
    return {rule: Counter(counts) for rule, counts in json.loads(LIMITS.read_text(encoding="utf-8")).items()}


def describe_rise(now: Counts, limit: Counts) -> str:
    """Empty when there is none in all: a file may be renamed, and what left it may come back elsewhere."""
    if now.total() <= limit.total():
        return ""
    names = [f"{path} (now {now[path]}, was {limit[path]})" for path in sorted(now - limit)]
    return f"{limit.total()} → {now.total()}: {', '.join(names)}"


def main() -> None:
    counts = {name: rule() for name, rule in RULES.items()}
    for name, files in counts.items():
        print(f"{files.total():5} {name}")
    LIMITS.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
