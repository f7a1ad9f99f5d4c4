"""Pages with words, and where a value is found on them."""

from documents.locate import locate
from documents.values import add_row_ids, get_wire_path
from tests.documents.words_builder import pages

INVOICE = """
Ostrava Tools s.r.o.                              INVOICE 15
Bill to:                       Invoice no.    INV-2025-49883
Delmar Logistics               Invoice date       2026-04-04
                               Due date           2026-12-27

SKU     Description             Qty   Unit price      Amount
X4514   Copper pipe 15 mm        15        25.19      377.85
B6390   Packing tape 6-pack       1     2,340.50    2,340.50
B2455   Packing tape 6-pack       3        10.00       30.00

                                        Subtotal    2,748.35
                                        Tax 20%       549.67
                                        Total GBP   3,298.02
Page 15 of 15
"""


ROWS = [
    {"sku": "X4514", "description": "Copper pipe 15 mm", "quantity": 15, "unit_price": 25.19, "amount": 377.85},
    {"sku": "B6390", "description": "Packing tape 6-pack", "quantity": 1, "unit_price": 2340.5, "amount": 2340.5},
    {"sku": "B2455", "description": "Packing tape 6-pack", "quantity": 3, "unit_price": 10, "amount": 30},
]


def find(values, *texts, schema=None, words=None):
    stored = add_row_ids(values)
    results = locate(stored, schema or {}, words or pages(*texts))
    names = {}
    for where, result in results.items():
        names[get_wire_path(stored, where)] = result
    return names


def one(value, *texts, name="reference", **more):
    return find({name: value}, *texts, **more)[name]


def line_of(location):
    return int(location.blocks[0].split(".")[1])
