"""Weights of signs: so much each speaks for a type, and against it."""

from __future__ import annotations

from collections.abc import Mapping

Weights = Mapping[str, float]

TITLE = 4.0
INNER_TITLE = 3.0
LABEL_TITLE = 1.0
SECOND_TITLE = 3.0
LATER_TITLE = 1.2
LOW, LOUD = -0.5, 0.5

WORD_SIGNS: Mapping[str, Weights] = {
    "invoice_number": {"invoice": 1.0},
    "payment_due": {"invoice": 1.2, "statement": -0.3, "receipt": -0.8},
    "bill_to": {"invoice": 0.8, "credit note": 0.3},
    "amount_due": {"invoice": 1.2, "receipt": 0.3},
    "vat_sums": {"invoice": 0.8, "credit note": 0.5, "receipt": 0.4, "other": 0.3, "order": 0.2},
    "vat_number": {"invoice": 0.5, "receipt": 0.3, "credit note": 0.2},
    "bank_details": {"invoice": 0.5},
    "invoice_prose": {"invoice": 1.5},
    "cash": {"receipt": 1.5},
    "till": {"receipt": 1.2},
    "card_slip": {"receipt": 1.2},
    "received_sum": {"receipt": 1.2},
    "credit_sum": {"credit note": 1.8},
    "corrects_invoice": {"credit note": 1.8},
    "credit_reason": {"credit note": 1.0},
    "ordering": {"order": 2.0},
    "confirms_order": {"order": 1.8},
    "wanted_by": {"order": 1.0, "delivery note": 0.2},
    "order_party": {"order": 0.7},
    "order_sum": {"order": 1.5},
    "delivered": {"delivery note": 1.3},
    "carriage": {"delivery note": 1.1},
    "goods_received": {"delivery note": 1.6},
    "deliver_to": {"delivery note": 0.7, "order": 0.6},
    "parties": {"contract": 1.4},
    "clause_words": {"contract": 1.3},
    "signed_by_parties": {"contract": 1.0},
    "balances": {"statement": 1.8},
    "account": {"statement": 1.0},
    "debit_credit": {"statement": 0.8},
    "ageing": {"report": 1.2, "statement": 0.4},
    "net_pay": {"payslip": 1.2},
    "gross_pay": {"payslip": 1.2},
    "deductions": {"payslip": 1.5},
    "employee": {"payslip": 0.8},
    "subject": {"letter": 0.8},
    "mail_header": {"letter": 0.5},
    "salutation": {"letter": 2.2},
    "closing": {"letter": 2.2},
    "letter_prose": {"letter": 1.0},
    "form_blank": {"form": 0.5},
    "fill_in": {"form": 1.8},
    "tick": {"form": 1.5},
    "office_use": {"form": 1.5},
    "declares": {"form": 1.0},
    "meeting": {"report": 0.8},
    "report_heads": {"report": 1.2},
    "report_by": {"report": 0.9},
    "report_prose": {"report": 0.8},
    "person": {"identity paper": 0.9},
    "offer": {"other": 1.5},
    "no_invoice": {"invoice": -2.0},
}
"""By the name of the sign; see `printed.type_words`."""

MORE_HITS = (1.0, 0.5, 0.4, 0.3)
"""The first words of a sign count whole, further ones that differ from them less."""
