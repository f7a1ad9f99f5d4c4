"""The fields that documents of business share: one canonical name each, and how people label them."""

from dataclasses import dataclass

from offline_model.text import words


@dataclass(frozen=True)
class Field:
    """`kind` as in values.read; `labels` from the surest to the vaguest; a cell that matches `never` is passed over."""

    name: str
    kind: str
    description: str
    labels: tuple[str, ...]
    never: str = ""


def _field(name: str, kind: str, description: str, labels: str, never: str = "") -> Field:
    return Field(name, kind, description, tuple(label.strip() for label in labels.split(",")), never)


FIELDS = (
    _field(
        "vendor",
        "text",
        "Name of the company that issued the document.",
        "vendor, supplier, seller, sold by, issued by, lieferant, verkäufer, fournisseur, vendeur, proveedor",
    ),
    _field(
        "company",
        "text",
        "Name of the shop or company at the top of the receipt.",
        "company name, merchant, store name",
    ),
    _field(
        "address",
        "text",
        "Address of the company that issued the document, on one line.",
        "address, anschrift, adresse, dirección",
        r"e\W?mail",
    ),
    _field(
        "customer",
        "text",
        "Name of the person or company that is billed.",
        "bill to, billed to, invoice to, sold to, customer name, customer, client, buyer, kunde, rechnung an, "
        "rechnungsempfänger, facturé à, cliente",
        r"number|\bno\b|\bid\b|nr|copy",
    ),
    _field(
        "invoice_number",
        "code",
        "Number of the invoice as printed.",
        "invoice number, invoice no, invoice nr, invoice id, invoice #, inv no, rechnungsnummer, rechnungs nr, "
        "rechnung nr, numéro de facture, n de facture, facture n, facture no, número de factura, factura n, invoice",
        r"date|datum|due|bill to|invoice to",
    ),
    _field(
        "receipt_number",
        "code",
        "Number of the receipt as printed.",
        "receipt number, receipt no, receipt #, bill no, bon nr, beleg nr, belegnummer, doc no, document no, "
        "cash inv no, cb #, ticket no, invoice no, invoice #",
        r"date:",
    ),
    _field(
        "invoice_date",
        "date",
        "Date of the invoice, YYYY-MM-DD.",
        "invoice date, date of invoice, date of issue, issue date, issued on, rechnungsdatum, date de facture, "
        "date de facturation, date d'émission, fecha de factura, datum, date, fecha",
        r"due|deliver|order date|service date|fallig|echeance|liefer",
    ),
    _field(
        "date",
        "date",
        "Date of the document, YYYY-MM-DD.",
        "date of issue, issue date, receipt date, transaction date, date, datum, fecha, dated",
        r"due|expir|valid|birth",
    ),
    _field(
        "due_date",
        "date",
        "Date by which payment is due, YYYY-MM-DD.",
        "due date, payment due, pay by, payable by, due on, due by, due, fälligkeitsdatum, fällig am, zahlbar bis, "
        "fällig, date d'échéance, échéance, à payer avant, fecha de vencimiento, vencimiento",
        r"amount|balance",
    ),
    _field(
        "delivery_date",
        "date",
        "Date of delivery or service, YYYY-MM-DD.",
        "delivery date, date of delivery, service date, lieferdatum, leistungsdatum, date de livraison",
    ),
    _field(
        "po_number",
        "code",
        "Number of the customer's purchase order.",
        "purchase order number, purchase order no, purchase order, po number, po no, p.o. number, p.o. no, p.o., "
        "po, your order, order number, order no, order #, order ref, bestellnummer, bestell nr, ihre bestellung, "
        "auftragsnummer, auftrags nr, numéro de commande, n de commande, bon de commande, votre commande, "
        "commande n, pedido",
        r"\bdate\b|p\.?o\.? box|order form",
    ),
    _field(
        "customer_number",
        "code",
        "Number of the customer at the vendor.",
        "customer number, customer no, customer id, account number, account no, kundennummer, kunden nr, "
        "numéro client, n client, code client",
    ),
    _field(
        "tax_id",
        "code",
        "Tax registration number of the vendor.",
        "vat number, vat no, vat id, vat reg no, tax id, tax no, gst id no, gst id, gst reg, gst reg no, gst no, "
        "ust id, ust idnr, ust idnr., steuernummer, steuer nr, n tva, tva intracommunautaire, siret",
    ),
    _field("iban", "iban", "IBAN of the account to pay to, without spaces.", "iban"),
    _field("bic", "code_word", "BIC or SWIFT code of the bank.", "bic, swift, swift code"),
    _field("currency", "currency", "Three-letter ISO code of the currency.", "currency, währung, devise, moneda"),
    _field(
        "subtotal",
        "number",
        "Sum of the items before tax.",
        "subtotal, sub total, net total, net amount, total net, total excl tax, total excluding tax, "
        "total sales excluding gst, zwischensumme, nettobetrag, netto, summe netto, sous total, total ht, "
        "montant ht, base imponible",
    ),
    _field(
        "tax_rate",
        "percent",
        "Tax rate in percent.",
        "tax rate, vat rate, vat, tax, gst, mwst, ust, umsatzsteuer, mehrwertsteuer, tva, iva",
    ),
    _field(
        "tax",
        "number",
        "Amount of tax.",
        "total tax, total gst, total vat, tax amount, vat amount, sales tax, gst amount, tax, vat, gst, "
        "umsatzsteuer, mehrwertsteuer, mwst, ust, montant tva, tva, iva",
        r"exclu|inclu|excl|incl|total sales|summary|invoice|\bid\b|\breg\b|\bno\b|(total|summe) ht|code",
    ),
    _field(
        "discount", "number", "Discount on the whole document.", "total discount, discount, rabatt, remise", r"disc:"
    ),
    _field("rounding", "number", "Rounding adjustment.", "rounding adj, rounding adjustment, rounding"),
    _field(
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
    _field(
        "payment_method",
        "text",
        "How it was paid.",
        "payment method, payment type, paid by, zahlungsart, mode de paiement, moyen de paiement",
    ),
    _field(
        "payment_terms",
        "text",
        "Terms of payment as printed.",
        "payment terms, terms of payment, zahlungsbedingungen, zahlungsziel, conditions de paiement",
        r"conditions$",
    ),
    _field("cashier", "text", "Name or number of the cashier.", "cashier, served by, kassierer, caissier, es bediente"),
    _field("email", "email", "E-mail address on the document.", "e-mail, email, courriel"),
    _field(
        "phone",
        "phone",
        "Telephone number of the company that issued the document.",
        "telephone, phone, tel, telefon, téléphone",
    ),
)

COLUMNS = (
    _field(
        "sku",
        "text",
        "Article number.",
        "sku, article no, article number, item no, item code, product code, part no, artikelnummer, artikel nr, "
        "art nr, référence, réf, code",
    ),
    _field(
        "description",
        "text",
        "What was sold.",
        "description, item, items, product, article, service, beschreibung, bezeichnung, artikel, leistung, "
        "désignation, libellé, descripción, code desc, qty item",
    ),
    _field("quantity", "number", "How many.", "quantity, qty, menge, anzahl, quantité, qté, cantidad, pcs, units"),
    _field("unit", "text", "Unit of the quantity.", "unit, einheit, unité, uom"),
    _field(
        "unit_price",
        "number",
        "Price of one.",
        "unit price, price per unit, price each, s price, u p, unit cost, rate, price, einzelpreis, e preis, "
        "stückpreis, preis, prix unitaire, pu, precio",
    ),
    _field("tax_code", "text", "Tax code of the row.", "tax code, tax, ust, mwst, tva"),
    _field(
        "amount",
        "number",
        "Amount of the row.",
        "amount, line total, total price, total, gesamtpreis, gesamt, betrag, summe, montant, montant ht, importe",
    ),
)

BY_NAME = {field.name: field for field in FIELDS}
COLUMN_BY_NAME = {field.name: field for field in COLUMNS}
_SPOKEN = {" ".join(words(label)): f for f in reversed(FIELDS) for label in (*f.labels, f.name)}
_COLUMN_SPOKEN = {" ".join(words(label)): f for f in reversed(COLUMNS) for label in (*f.labels, f.name)}
_SPOKEN |= {f.name.replace("_", " "): f for f in FIELDS}


def lookup_field(spoken: str) -> Field | None:
    """The field that a phrase such as `Invoice no.` or `po_number` means."""
    phrase = " ".join(w for w in words(spoken) if w not in {"the", "a", "an", "of", "field"} or len(words(spoken)) == 1)
    return _SPOKEN.get(phrase) or _SPOKEN.get(" ".join(words(spoken)))


def lookup_column(spoken: str) -> Field | None:
    return _COLUMN_SPOKEN.get(" ".join(words(spoken)))


@dataclass(frozen=True)
class Kind:
    """A kind of document: how it shows and which fields are asked for, `core` ones even when none was seen."""

    name: str
    signs: tuple[str, ...]
    needed: int
    core: tuple[str, ...]
    fields: tuple[str, ...]


_MONEY = ("currency", "subtotal", "discount", "tax_rate", "tax", "total")
KINDS = (
    Kind(
        "Receipt",
        ("receipt", "cashier", "change", "cash", "tendered", "thank you", "kassenbon", "quittung"),
        2,
        ("company", "date", "address", "total"),
        ("company", "address", "date", "receipt_number", "tax_id", "cashier", "payment_method", *_MONEY),
    ),
    Kind(
        "Credit note",
        ("credit note", "gutschrift", "avoir"),
        1,
        ("vendor", "date", "total"),
        ("vendor", "customer", "date", "invoice_number", "iban", *_MONEY),
    ),
    Kind(
        "Invoice",
        ("invoice", "rechnung", "facture", "factura", "rechnungsnummer"),
        1,
        ("vendor", "customer", "invoice_number", "invoice_date", "due_date", "currency", "total"),
        (
            "vendor",
            "customer",
            "invoice_number",
            "invoice_date",
            "due_date",
            "delivery_date",
            "po_number",
            "customer_number",
            "tax_id",
            *_MONEY,
            "iban",
            "bic",
            "payment_terms",
        ),
    ),
    Kind(
        "Purchase order",
        ("purchase order", "bestellung", "bon de commande"),
        1,
        ("vendor", "po_number", "date"),
        ("vendor", "customer", "po_number", "date", "delivery_date", *_MONEY),
    ),
    Kind(
        "Delivery note",
        ("delivery note", "lieferschein", "bon de livraison", "packing slip"),
        1,
        ("vendor", "date"),
        ("vendor", "customer", "date", "delivery_date", "po_number", *_MONEY),
    ),
    Kind(
        "Quote",
        ("quotation", "quote", "angebot", "devis"),
        1,
        ("vendor", "date", "total"),
        ("vendor", "customer", "date", *_MONEY),
    ),
    Kind(
        "Statement",
        ("statement", "kontoauszug", "relevé"),
        1,
        ("date",),
        ("vendor", "customer", "date", "customer_number", "iban", "bic", *_MONEY),
    ),
    Kind("Contract", ("contract", "agreement", "vertrag", "contrat"), 1, ("date",), ("date", "customer", "vendor")),
)
OTHER = Kind("Document", (), 0, (), ("date", "customer", "po_number", "customer_number", "iban", "email", *_MONEY))
