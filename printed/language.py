"""The table of words that each language fills in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Table = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Language:
    """Words are parted by spaces, and `_` is the space inside a phrase; what stands in tables is parted by commas.

    A `*` at the end of a word or before it means that more letters may follow or precede. A language fills what it has.
    """

    code: str
    """Empty for a collection of words whose languages have no tables of their own."""
    capitalizes_nouns: bool = False
    bends_names: bool = False
    """Names get endings, so a name in a sentence may stand otherwise in its line. Its words are not looked up."""

    months: str = ""
    """Twelve, parted by commas, each with its short and bent forms."""
    weekdays: str = ""
    """Seven, parted by commas, from Monday."""
    date_joiners: str = ""
    ordinals: str = ""
    """Endings of the number of a day."""
    year_suffixes: str = ""
    """Letters that may be glued to a year: 03.02.2026r."""
    weeks: str = ""
    """Before the number of a week: KW 45/2026."""
    quarters: str = ""
    quarter_numbers: str = ""
    """As numbers: 1 first."""
    eras: str = ""
    """As numbers, behind the year before their first one: 2018 令和 R. A single letter stands only before points."""

    numbers: str = ""
    """Parted by commas, each in digits before its words: 2 two."""
    number_joiners: str = ""
    """Between the parts of a number in words: one hundred and two."""
    minus: str = ""
    scales: str = ""
    """As numbers, behind thousand, lakh, million, crore, billion and trillion."""
    debits: str = ""
    """Behind an amount as they are written: 12.00 DR. The amount is negative."""
    credits: str = ""
    currencies: str = ""
    """As numbers, behind a code, or behind several that share the word: SEK/NOK kronen."""
    units: str = ""
    """As numbers, behind the name of the unit: day tag tage."""
    unit_adjectives: str = ""
    """Words between a number and its unit: five working days."""
    yearly: str = ""
    """Words that name the year only behind one of `each`: per annum."""
    each: str = ""
    times: str = ""

    stopwords: str = ""
    homographs: str = ""
    """Words that tell something here, or name something else, although other languages have them as stopwords or
    months."""
    yes: str = ""
    no: str = ""
    negations: str = ""
    late_negations: str = ""
    """Negations that may stand behind the verb they deny."""
    denials: str = ""
    """The beginnings of words that deny in another way: refuse, exclude, lack."""
    limits: str = ""
    """Behind a negation these deny nothing: not later than, not only."""
    exceptions: str = ""
    passed_over: str = ""
    """Words between a negation and what it denies."""
    more: str = ""
    """The beginnings of words for something that becomes more."""
    less: str = ""
    minimum: str = ""
    maximum: str = ""
    minimum_behind: str = ""
    """Phrases that stand behind the number: or more."""
    maximum_behind: str = ""

    titles: str = ""
    """Before the name of a person."""
    approved: str = ""
    """Participles of what a person does to a paper: signed."""
    approves: str = ""
    """Verbs for that, and others of which only a person is the subject."""
    has: str = ""
    """Before a participle with words between: has in due time approved."""
    by: str = ""
    signers: str = ""
    """Roles of a person beside a paper, before “is” or a colon."""
    approvals: str = ""
    """Nouns of what belongs to a person: signature."""
    paid_to: str = ""

    pages: str = ""
    lines: str = ""
    page_joiners: str = ""
    """Between the number of a page and that of the last one: page 1 of 3."""
    list_joiners: str = ""
    documents: str = ""
    """Words for a document, as sentences about one have them."""
    sources: str = ""
    """Words of a sentence that says only where the one before it stands."""
    abbreviations: str = ""
    numbered: str = ""
    """Abbreviations before a number: no. 5."""

    kinds: Table = field(default_factory=dict)
    """By the kind of a document the signs that it shows."""
    till_words: str = ""
    fields: Table = field(default_factory=dict)
    """By a field of the offline model its labels, the surest first; what stands behind a semicolon is vaguer."""
    passed_labels: Table = field(default_factory=dict)
    """By a field a regular expression for cells that are not its label."""
    columns: Table = field(default_factory=dict)
    label_words: str = ""
    """As numbers, behind the word of field names that they mean in labels: date datum."""
    counts: str = ""
    """Words of field names whose numbers are no money."""
    carried: str = ""
    """Words of a row that carries a sum to the next page."""
    sum_rows: str = ""
    totals: str = ""
    adjustments: str = ""
    """Taxes, discounts, payments: amounts beside a table that are neither rows nor totals."""
    table_ends: str = ""
    company_forms: str = ""
    shops: str = ""
    """Words of a company's name that say what it is."""
    streets: str = ""
    address_ends: str = ""
