"""Account, tax and company numbers, by their check digits (python-stdnum)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum import bic, iban, lei, vatin
from stdnum.au import abn
from stdnum.be import vat as belgium
from stdnum.br import cnpj
from stdnum.ch import uid
from stdnum.de import handelsregisternummer
from stdnum.dk import cvr
from stdnum.es import cif
from stdnum.eu import vat as europe
from stdnum.exceptions import InvalidChecksum, InvalidLength, ValidationError
from stdnum.fi import ytunnus
from stdnum.fr import siren, siret
from stdnum.gb import vat as britain
from stdnum.in_ import gstin
from stdnum.it import iva
from stdnum.no import orgnr as norway
from stdnum.pl import nip
from stdnum.se import orgnr as sweden
from stdnum.sg import uen
from stdnum.us import ein

from documents.checks.checked_values import CheckedValues, quote
from documents.checks.findings import Finding, make_failure
from documents.checks.parameters import Parameter, ParameterType
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck

MAX_LETTERS = 60
_STANDARDS: dict[str, tuple[str, Callable[[str], str]]] = {
    "iban": ("IBAN", iban.validate),
    "bic": ("BIC", bic.validate),
    "vat": ("VAT number with its country", vatin.validate),
    "eu_vat": ("VAT number of the European Union", europe.validate),
    "lei": ("Legal Entity Identifier", lei.validate),
    "au_abn": ("Australian Business Number", abn.validate),
    "be_enterprise": ("Belgian enterprise number", belgium.validate),
    "br_cnpj": ("Brazilian CNPJ", cnpj.validate),
    "ch_uid": ("Swiss UID", uid.validate),
    "de_hrb": ("German commercial register number", handelsregisternummer.validate),
    "dk_cvr": ("Danish CVR number", cvr.validate),
    "es_cif": ("Spanish CIF", cif.validate),
    "fi_ytunnus": ("Finnish business ID", ytunnus.validate),
    "fr_siren": ("French SIREN", siren.validate),
    "fr_siret": ("French SIRET", siret.validate),
    "gb_vat": ("British VAT number", britain.validate),
    "in_gstin": ("Indian GSTIN", gstin.validate),
    "it_iva": ("Italian partita IVA", iva.validate),
    "no_orgnr": ("Norwegian organization number", norway.validate),
    "pl_nip": ("Polish NIP", nip.validate),
    "se_orgnr": ("Swedish organization number", sweden.validate),
    "sg_uen": ("Singaporean UEN", uen.validate),
    "us_ein": ("US employer identification number", ein.validate),
}


@dataclass(frozen=True)
class IdentifierCheck(ValueCheck):
    kind = "identifier"
    title = "An account, tax or company number is valid"
    parameters = (
        Parameter("field", "The field", ParameterType.TEXT_FIELD),
        Parameter(
            "standard",
            "What it is",
            ParameterType.TEXT,
            options=tuple((name, title) for name, (title, _) in _STANDARDS.items()),
        ),
    )

    field: str
    standard: str

    def describe(self, paths: SchemaPaths) -> str:
        return f"{paths.title_of(self.field)} is a valid {_STANDARDS[self.standard][0]}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        for cell in values.list_cells(self.field):
            if not cell.is_empty and (problem := _find_problem(self.standard, str(cell.value))):
                title = _STANDARDS[self.standard][0]
                yield make_failure(f"{quote(cell.value)} is not a valid {title}: {problem}.", cell.where)


def _find_problem(standard: str, number: str) -> str:
    if len(number) > MAX_LETTERS:
        return "it is too long"
    try:
        _STANDARDS[standard][1](number)
    except InvalidChecksum:
        return "its check digits do not match"
    except InvalidLength:
        return "it has too few or too many characters"
    except ValidationError:
        return "it is not written like one"
    return ""
