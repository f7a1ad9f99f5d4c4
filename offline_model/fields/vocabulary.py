"""The fields that documents of business share: one canonical name each, and how people label them."""

from dataclasses import dataclass

from offline_model.text import split_words


@dataclass(frozen=True)
class Field:
    """`kind` as in values.parse_value; `labels` from surest to vaguest; a cell that matches `never` is passed over."""

    name: str
    kind: str
    description: str
    labels: tuple[str, ...]
    never: str = ""


def _make_field(name: str, kind: str, description: str, labels: str, never: str = "") -> Field:
    return Field(name, kind, description, tuple(label.strip() for label in labels.split(",")), never)


FIELDS = (
    _make_field(
        "vendor",
        "text",
        "Name of the company that issued the document.",
        "vendor, supplier, seller, sold by, issued by, lieferant, verkäufer, fournisseur, vendeur, proveedor",
    ),
    _make_field(
        "company",
        "text",
        "Name of the shop or company at the top of the receipt.",
        "company name, merchant, store name",
    ),
    _make_field(
        "address",
        "text",
        "Address of the company that issued the document, on one line.",
        "address, anschrift, adresse, dirección",
        r"e\W?mail",
    ),
    _make_field(
        "customer",
        "text",
        "Name of the person or company that is billed.",
        "bill to, billed to, invoice to, sold to, customer name, customer, client, buyer, kunde, rechnung an, "
        "rechnungsempfänger, facturé à, cliente",
        r"number|\bno\b|\bid\b|nr|copy",
    ),
    _make_field(
        "invoice_number",
        "code",
        "Number of the invoice as printed.",
        "invoice number, invoice no, invoice nr, invoice id, invoice #, inv no, rechnungsnummer, rechnungs nr, "
        "rechnung nr, numéro de facture, n de facture, facture n, facture no, número de factura, factura n, invoice",
        r"date|datum|due|bill to|invoice to",
    ),
    _make_field(
        "receipt_number",
        "code",
        "Number of the receipt as printed.",
        "receipt number, receipt no, receipt #, bill no, bon nr, beleg nr, belegnummer, doc no, document no, "
        "cash inv no, cb #, ticket no, invoice no, invoice #",
        r"date:",
    ),
    _make_field(
        "invoice_date",
        "date",
        "Date of the invoice, YYYY-MM-DD.",
        "invoice date, date of invoice, date of issue, issue date, issued on, rechnungsdatum, date de facture, "
        "date de facturation, date d'émission, fecha de factura, datum, date, fecha",
        r"due|deliver|order date|service date|fallig|echeance|liefer",
    ),
    _make_field(
        "date",
        "date",
        "Date of the document, YYYY-MM-DD.",
        "date of issue, issue date, receipt date, transaction date, date, datum, fecha, dated",
        r"due|expir|valid|birth",
    ),
    _make_field(
        "due_date",
        "date",
        "Date by which payment is due, YYYY-MM-DD.",
        "due date, payment due, pay by, payable by, due on, due by, due, fälligkeitsdatum, fällig am, zahlbar bis, "
        "fällig, date d'échéance, échéance, à payer avant, fecha de vencimiento, vencimiento",
        r"amount|balance",
    ),
    _make_field(
        "delivery_date",
        "date",
        "Date of delivery or service, YYYY-MM-DD.",
        "delivery date, date of delivery, service date, lieferdatum, leistungsdatum, date de livraison",
    ),
    _make_field(
        "po_number",
        "code",
        "Number of the customer's purchase order.",
        "purchase order number, purchase order no, purchase order, po number, po no, p.o. number, p.o. no, p.o., "
        "po, your order, order number, order no, order #, order ref, bestellnummer, bestell nr, ihre bestellung, "
        "auftragsnummer, auftrags nr, numéro de commande, n de commande, bon de commande, votre commande, "
        "commande n, pedido",
        r"\bdate\b|p\.?o\.? box|order form",
    ),
    _make_field(
        "customer_number",
        "code",
        "Number of the customer at the vendor.",
        "customer number, customer no, customer id, account number, account no, kundennummer, kunden nr, "
        "numéro client, n client, code client",
    ),
    _make_field(
        "tax_id",
        "code",
        "Tax registration number of the vendor.",
        "vat number, vat no, vat id, vat reg no, tax id, tax no, gst id no, gst id, gst reg, gst reg no, gst no, "
        "ust id, ust idnr, ust idnr., steuernummer, steuer nr, n tva, tva intracommunautaire, siret",
    ),
    _make_field("iban", "iban", "IBAN of the account to pay to, without spaces.", "iban"),
    _make_field("bic", "code_word", "BIC or SWIFT code of the bank.", "bic, swift, swift code"),
    _make_field("currency", "currency", "Three-letter ISO code of the currency.", "currency, währung, devise, moneda"),
    _make_field(
        "subtotal",
        "number",
        "Sum of the items before tax.",
        "subtotal, sub total, net total, net amount, total net, total excl tax, total excluding tax, "
        "total sales excluding gst, zwischensumme, nettobetrag, netto, summe netto, sous total, total ht, "
        "montant ht, base imponible",
    ),
    _make_field(
        "tax_rate",
        "percent",
        "Tax rate in percent.",
        "tax rate, vat rate, vat, tax, gst, mwst, ust, umsatzsteuer, mehrwertsteuer, tva, iva",
    ),
    _make_field(
        "tax",
        "number",
        "Amount of tax.",
        "total tax, total gst, total vat, tax amount, vat amount, sales tax, gst amount, tax, vat, gst, "
        "umsatzsteuer, mehrwertsteuer, mwst, ust, montant tva, tva, iva",
        r"exclu|inclu|excl|incl|total sales|summary|invoice|\bid\b|\breg\b|\bno\b|(total|summe) ht|code",
    ),
    _make_field(
        "discount", "number", "Discount on the whole document.", "total discount, discount, rabatt, remise", r"disc:"
    ),
    _make_field("rounding", "number", "Rounding adjustment.", "rounding adj, rounding adjustment, rounding"),
    _make_field(
        "total",
        "number",
        "Total amount to pay, tax included.",
        "grand total, total payable, total due, amount due, balance due, total sales inclusive of gst, "
        "total sales inclusive gst, total inclusive of gst, total inclusive gst, total incl gst, total incl tax, "
        "total incl vat, nett total, gesamtbetrag, rechnungsbetrag, endbetrag, gesamtsumme, zu zahlen, "
        "total ttc, montant ttc, net à payer, total a pagar, total amount, invoice total, total, gesamt, summe, "
        "amount payable",
        r"sub\W*total|qty|quantity|\bexcl|supplies|total\W*(gst|tax|vat|tva|disc|saving|items?|ht\b)|"
        r"total net\b|zwischen|netto|summary",
    ),
    _make_field(
        "payment_method",
        "text",
        "How it was paid.",
        "payment method, payment type, paid by, zahlungsart, mode de paiement, moyen de paiement",
    ),
    _make_field(
        "payment_terms",
        "text",
        "Terms of payment as printed.",
        "payment terms, terms of payment, zahlungsbedingungen, zahlungsziel, conditions de paiement",
        r"conditions$",
    ),
    _make_field(
        "cashier", "text", "Name or number of the cashier.", "cashier, served by, kassierer, caissier, es bediente"
    ),
    _make_field("email", "email", "E-mail address on the document.", "e-mail, email, courriel"),
    _make_field(
        "phone",
        "phone",
        "Telephone number of the company that issued the document.",
        "telephone, phone, tel, telefon, téléphone",
    ),
)

COLUMNS = (
    _make_field(
        "sku",
        "text",
        "Article number.",
        "sku, article no, article number, item no, item code, product code, part no, artikelnummer, artikel nr, "
        "art nr, référence, réf, code",
    ),
    _make_field(
        "description",
        "text",
        "What was sold.",
        "description, item, items, product, article, service, beschreibung, bezeichnung, artikel, leistung, "
        "désignation, libellé, descripción, code desc, qty item",
    ),
    _make_field("quantity", "number", "How many.", "quantity, qty, menge, anzahl, quantité, qté, cantidad, pcs, units"),
    _make_field("unit", "text", "Unit of the quantity.", "unit, einheit, unité, uom"),
    _make_field(
        "unit_price",
        "number",
        "Price of one.",
        "unit price, price per unit, price each, s price, u p, unit cost, rate, price, einzelpreis, e preis, "
        "stückpreis, preis, prix unitaire, pu, precio",
    ),
    _make_field("tax_code", "text", "Tax code of the row.", "tax code, tax, ust, mwst, tva"),
    _make_field(
        "amount",
        "number",
        "Amount of the row.",
        "amount, line total, total price, total, gesamtpreis, gesamt, betrag, summe, montant, montant ht, importe",
    ),
)

BY_NAME = {field.name: field for field in FIELDS}
COLUMN_BY_NAME = {field.name: field for field in COLUMNS}
_SPOKEN = {" ".join(split_words(label)): f for f in reversed(FIELDS) for label in (*f.labels, f.name)}
_COLUMN_SPOKEN = {" ".join(split_words(label)): f for f in reversed(COLUMNS) for label in (*f.labels, f.name)}
_SPOKEN |= {f.name.replace("_", " "): f for f in FIELDS}


def lookup_field(spoken: str) -> Field | None:
    """The field that a phrase such as `Invoice no.` or `po_number` means."""
    phrase = " ".join(
        w for w in split_words(spoken) if w not in {"the", "a", "an", "of", "field"} or len(split_words(spoken)) == 1
    )
    return _SPOKEN.get(phrase) or _SPOKEN.get(" ".join(split_words(spoken)))


def lookup_column(spoken: str) -> Field | None:
    return _COLUMN_SPOKEN.get(" ".join(split_words(spoken)))
