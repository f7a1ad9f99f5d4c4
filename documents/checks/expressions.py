"""The language of value checks: Python's expressions over the fields of one extraction, walked by simpleeval.

There is nothing to reach but values: no attributes, no methods, no strings made longer. Numbers are decimals. Each node
costs a step of the budget that all checks of the extraction share.

    sum([row["amount"] for row in line_items]) == subtotal
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Context, Decimal, DecimalException, InvalidOperation, Overflow, localcontext
from math import isfinite
from typing import Any

from simpleeval import EvalWithCompoundTypes, InvalidExpression

from documents.checks.checked_values import CheckedValues
from documents.checks.expression_functions import FUNCTIONS, describe_operand, require_number
from documents.checks.findings import CannotCompute
from documents.checks.schema_paths import SchemaPaths
from documents.values.stored import Stored
from printed.currencies import CURRENCY_NAMES
from printed.numbers import list_readings

MAX_LETTERS = 500
MAX_NODES = 200
MAX_LOOPS = 2
EVERYTHING = "fields"
PRECISION = 50
_SCALARS = (Decimal, str, bool, type(None))
_ALLOWED = (
    *(ast.Expression, ast.Name, ast.Constant, ast.Subscript, ast.List, ast.Load, ast.Store),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.UnaryOp, ast.USub, ast.UAdd, ast.Not),
    *(ast.BoolOp, ast.And, ast.Or, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    *(ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.IfExp, ast.Call, ast.ListComp, ast.GeneratorExp, ast.comprehension),
)
_CONTEXT = Context(prec=PRECISION, Emax=999, Emin=-999)
_CONTEXT.traps[Overflow] = True


def find_expression_problem(text: str, paths: SchemaPaths) -> str:
    """What is wrong with it, as a sentence; empty when it can be used."""
    if len(text) > MAX_LETTERS:
        return f"the expression has {len(text)} characters; {MAX_LETTERS} are the most."
    try:
        tree = _parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" at character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        return f"the expression cannot be read{where}."
    return next(_find_problems(list(ast.walk(tree)), paths), "")


def _parse(text: str) -> ast.Expression:
    return ast.parse(text.strip(), mode="eval")


def _find_problems(nodes: list[ast.AST], paths: SchemaPaths) -> Iterator[str]:
    if len(nodes) > MAX_NODES:
        yield f"the expression has more than {MAX_NODES} parts."
    loops = [node for node in nodes if isinstance(node, ast.comprehension)]
    if len(loops) > MAX_LOOPS:
        yield f"the expression goes over rows more than {MAX_LOOPS} times."
    if not all(isinstance(loop.target, ast.Name) for loop in loops):
        yield "a loop over rows has one name, such as: for row in line_items."
    variables = {loop.target.id for loop in loops if isinstance(loop.target, ast.Name)}
    known = {path.partition(".")[0] for path in paths.all} | {EVERYTHING} | variables
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if problem := _find_node_problem(node, known, called, paths):
            yield problem


def _find_node_problem(node: ast.AST, known: set[str], called: set[int], paths: SchemaPaths) -> str:
    if not isinstance(node, _ALLOWED):
        return f"{type(node).__name__} is not part of the language of checks."
    if isinstance(node, ast.Constant) and not _is_value(node.value):
        return f"{node.value!r} is no value of the language of checks."
    if isinstance(node, ast.Call) and (not isinstance(node.func, ast.Name) or node.keywords):
        return "a function is called by its name, without names of arguments."
    if isinstance(node, ast.Name):
        if id(node) in called:
            return "" if node.id in FUNCTIONS else f"there is no function {node.id}; there are {', '.join(FUNCTIONS)}."
        return "" if node.id in known else _describe_unknown(node.id, paths)
    if isinstance(node, ast.Subscript):
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(key, str):
            return 'brackets take the name of a field, such as row["amount"].'
        return "" if any(key in path.split(".") for path in paths.all) else _describe_unknown(key, paths)
    return ""


def _is_value(constant: object) -> bool:
    return isfinite(constant) if isinstance(constant, float) else isinstance(constant, (str, int, type(None)))


def _describe_unknown(name: str, paths: SchemaPaths) -> str:
    near = paths.find_nearest(name)
    return f"the schema has no field {name[:60]}." + (f" The nearest are: {', '.join(near)}." if near else "")


def evaluate(text: str, values: CheckedValues) -> tuple[bool, str]:
    """Whether it holds, and the two sides of a comparison in words. For an expression without problems.

    Raises CannotCompute, and what the budget raises.
    """
    tree = _parse(text).body
    _require_one_currency(tree, values)
    evaluator = _Evaluator(values, tree)
    with _name_failures(text):
        verdict = evaluator.eval(text, tree)
        sides = "" if verdict else _describe_sides(evaluator, tree)
    if not isinstance(verdict, bool):
        raise CannotCompute(f"The expression gives {describe_operand(verdict)}, which is neither true nor false.")
    return verdict, sides


def compute(text: str, values: CheckedValues) -> object:
    """What it gives: a decimal, a text, true or false, a list or a group of these. It raises what `evaluate` raises."""
    tree = _parse(text).body
    _require_one_currency(tree, values)
    with _name_failures(text):
        return _Evaluator(values, tree).eval(text, tree)


def _require_one_currency(tree: ast.expr, values: CheckedValues) -> None:
    """Of all amounts that an expression may add up; one that reads a currency itself keeps them apart."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {str(node.value) for node in nodes if isinstance(node, ast.Constant)}
    is_adding = "sum" in names or any(isinstance(node, (ast.Add, ast.Sub)) for node in nodes)
    if not is_adding or names & set(CURRENCY_NAMES):
        return
    paths = [path for path in values.paths.all if path.rpartition(".")[2] in names]
    cells = [cell for path in paths for cell in values.list_cells(path) if len(list_readings(cell.value)) == 1]
    values.require_one_currency(cells)


@contextmanager
def _name_failures(text: str) -> Iterator[None]:
    try:
        with localcontext(_CONTEXT):
            yield
    except InvalidExpression as error:
        raise CannotCompute("The expression goes over more rows than it may.") from error
    except DecimalException as error:
        raise CannotCompute(f"{_describe_failure(error)}: {text}") from error


def _describe_failure(error: DecimalException) -> str:
    if isinstance(error, ZeroDivisionError):
        return "It divides by zero"
    # The rest of a division by zero is to decimals as invalid as that of too large a number.
    return f"Its numbers are too large{', or it divides by zero' if isinstance(error, InvalidOperation) else ''}"


def _describe_sides(evaluator: _Evaluator, tree: ast.expr) -> str:
    if not isinstance(tree, ast.Compare) or len(tree.ops) > 1:
        return ""
    sides = [evaluator.eval("", side) for side in (tree.left, tree.comparators[0])]
    return " and ".join(map(describe_operand, sides)) if all(isinstance(side, _SCALARS) for side in sides) else ""


class _Evaluator(EvalWithCompoundTypes):  # type: ignore[misc]
    def __init__(self, values: CheckedValues, tree: ast.expr) -> None:
        self.values = values
        self.looped = {loop.iter for loop in ast.walk(tree) if isinstance(loop, ast.comprehension)}
        functions = {name: _bind(function, values) for name, function in FUNCTIONS.items()}
        super().__init__(operators=self._make_operators(), functions=functions, names=_list_names(values))
        self.functions = functions
        handlers = {**vars(self)["nodes"], ast.Constant: _read_constant}
        self.nodes: dict[type[ast.AST], Callable[..., object]]
        self.nodes = {kind: handle for kind, handle in handlers.items() if kind in _ALLOWED}

    def _eval(self, node: ast.AST) -> object:
        self.values.budget.spend(1)
        handle = self.nodes.get(type(node))
        if handle is None:
            raise CannotCompute(f"{type(node).__name__} is not part of the language of checks.")
        value = handle(node)
        # simpleeval goes over whatever it is given: the letters of a text, and nothing with a TypeError.
        if node in self.looped and not isinstance(value, list):
            raise CannotCompute(f"{ast.unparse(node)} is {'empty' if value is None else 'no list'}.")
        return value

    def _eval_subscript(self, node: ast.Subscript) -> object:
        container = self._eval(node.value)
        if not isinstance(container, dict):
            raise CannotCompute(f"{ast.unparse(node.value)} is no group of fields.")
        return container.get(node.slice.value) if isinstance(node.slice, ast.Constant) else None

    def _make_operators(self) -> dict[type[ast.AST], Callable[..., object]]:
        numeric: dict[type[ast.AST], Callable[..., object]]
        numeric = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
        numeric |= {ast.Mod: operator.mod, ast.USub: operator.neg, ast.UAdd: operator.pos}
        ordered = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
        equal = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.eq, ast.IsNot: operator.ne}
        return {
            **{kind: _on_numbers(function) for kind, function in numeric.items()},
            **{kind: _on_alike(function) for kind, function in ordered.items()},
            **{kind: _on_scalars(function) for kind, function in equal.items()},
            ast.Not: operator.not_,
            ast.In: self._contains,
            ast.NotIn: lambda item, container: not self._contains(item, container),
        }

    def _contains(self, item: object, container: object) -> bool:
        if not isinstance(container, (list, str)) or not isinstance(item, _SCALARS):
            raise CannotCompute("“in” looks for a value in a list or in a text.")
        self.values.budget.spend(len(container))
        if isinstance(container, str):
            return isinstance(item, str) and item in container
        return any(isinstance(each, _SCALARS) and each == item for each in container)


def _read_constant(node: ast.Constant) -> object:
    value = node.value
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Decimal(str(value)) if is_number else value


def _list_names(values: CheckedValues) -> dict[str, object]:
    plain = _read_plain(values.stored, values)
    known = dict.fromkeys(path.partition(".")[0] for path in values.paths.all)
    fields = {**known, **(plain if isinstance(plain, dict) else {})}
    return {EVERYTHING: fields, **fields}


def _read_plain(stored: Stored, values: CheckedValues) -> object:
    """Lists without row ids, numbers as decimals."""
    values.budget.spend(1)
    if isinstance(stored, dict):
        return {name: _read_plain(value, values) for name, value in stored.items()}
    if isinstance(stored, list):
        return [_read_plain(row["value"], values) for row in stored]
    is_number = isinstance(stored, (int, float)) and not isinstance(stored, bool)
    return Decimal(str(stored)) if is_number else stored


def _on_numbers(function: Callable[..., object]) -> Callable[..., object]:
    def compute(*numbers: object) -> object:
        return function(*(require_number(number) for number in numbers))

    return compute


def _on_alike(function: Callable[..., object]) -> Callable[..., object]:
    def compare(one: object, other: object) -> object:
        if isinstance(one, str) and isinstance(other, str):
            return function(one, other)
        return function(require_number(one), require_number(other))

    return compare


def _on_scalars(function: Callable[..., object]) -> Callable[..., object]:
    def compare(one: object, other: object) -> object:
        if not isinstance(one, _SCALARS) or not isinstance(other, _SCALARS):
            raise CannotCompute("Only single values can be compared; a list has count().")
        return function(one, other)

    return compare


def _bind(function: Callable[..., object], values: CheckedValues) -> Callable[..., object]:
    def call(*arguments: Any) -> object:
        try:
            return function(values, *arguments)
        except TypeError as error:
            raise CannotCompute("A function of the expression has too few or too many arguments.") from error

    return call
