"""Names that tools had before: rules, settings, clients and models that know these mean the tools of today."""

from __future__ import annotations

OLD_NAMES = {
    "calculate": "calculate_expression",
    "check": "check_values",
    "restore": "restore_documents",
    "verify": "verify_values",
}


def get_present_name(name: str) -> str:
    return OLD_NAMES.get(name, name)
