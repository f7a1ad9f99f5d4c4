"""An invoice, its schema and what is in it."""

from __future__ import annotations

SCHEMA = {
    "type": "object",
    "properties": {
        "number": {"type": "string", "description": "Invoice number"},
        "total": {"type": "number", "description": "Grand total"},
        "items": {
            "type": "array",
            "description": "The lines",
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string", "description": "Article"},
                    "amount": {"type": "number", "description": "Line amount"},
                },
            },
        },
    },
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA}}
PAGE = ["Invoice | INV-7", "Article | Amount", "A-1 | 10.00", "B-2 | 20.50", "Total | 30.50"]
RESULT = {"number": "INV-7", "total": 30.5, "items": [{"sku": "A-1", "amount": 10}, {"sku": "B-2", "amount": 20.5}]}
