"""Sums and comparisons in the language of value checks, for whoever would else do them in the head."""

from __future__ import annotations

from decimal import Decimal, DecimalException

from documents.checks.checked_values import CheckedValues
from documents.checks.expressions import compute, find_expression_problem
from documents.checks.findings import CannotCompute
from documents.checks.judging import TOO_MUCH
from documents.checks.results import read_values
from documents.checks.schema_paths import SchemaPaths
from documents.models import Extraction
from documents.values.bounded_checks import TooMuchWork
from kit.errors import Invalid
from kit.json_types import Json

MAX_ENTRIES = 200


def calculate(text: str, extraction: Extraction | None) -> Json:
    """What the expression gives, over the current values of the extraction or over numbers alone.

    A number is a text, with all its decimals. Raises Invalid for what cannot be read or computed.
    """
    revision = extraction.schema_revision if extraction else None
    values = read_values(extraction, revision, ()) if extraction and revision else CheckedValues({}, SchemaPaths({}))
    if problem := find_expression_problem(text, values.paths):
        raise Invalid(f"It cannot be calculated: {problem}")
    try:
        return _write(compute(text, values))
    except CannotCompute as error:
        raise Invalid(f"It cannot be calculated: {error.reason}") from None
    except TooMuchWork:
        raise Invalid(TOO_MUCH) from None
    except (DecimalException, OverflowError):
        raise Invalid("The numbers are too large to be computed.") from None


def _write(result: object) -> Json:
    if isinstance(result, Decimal):
        return f"{result.normalize():f}"
    if isinstance(result, list):
        return [_write(each) for each in result[:MAX_ENTRIES]]
    if isinstance(result, dict):
        return {name: _write(each) for name, each in result.items()}
    plain: Json = result
    return plain
