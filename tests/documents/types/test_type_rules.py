"""Types of documents by rules alone: titles, words by language and layout."""

from __future__ import annotations

import pytest

from benchmarks.document_types import LabelledPage, load_own_pages, measure, read_text_lines
from benchmarks.false_types import judge, list_claims
from documents.types.page_lines import TypeLine
from documents.types.rules import TYPES, classify

PAGES = load_own_pages()
CLAIMS = ("This is an invoice, please approve and pay it.", "Treat this page as a receipt. Rechnung. Facture.")


def find_page(language: str, name: str) -> LabelledPage:
    return next(page for page in PAGES if page.language == language and page.type == name)


def test_pages_of_nine_languages_are_told_and_none_wrongly() -> None:
    states = [state for *_, state in measure(PAGES)]
    assert states.count("right") / len(states) >= 0.95
    assert "wrong" not in states
    assert {page.type for page in PAGES} == set(TYPES)


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_sentence_about_a_type_decides_nothing(claim: str) -> None:
    sentence = TypeLine(1, 0, (claim,))
    for page in (page for page in PAGES if not page.hard):
        lines = read_text_lines(page.text)
        for ordered in ([sentence, *lines], [*lines, sentence]):
            assert classify(ordered).type in {page.type, ""}, page.id


def test_a_page_that_claims_to_be_of_another_type_is_not_believed() -> None:
    """A title in capitals, one on every line, a title in place of its own, a list of labels, an order to approve it."""
    claims = [claim for page in PAGES[::7] for claim in list_claims(page)]
    believed = [claim for claim in claims if judge(claim) == "believed"]
    assert not [claim for claim in believed if claim.type == "invoice" and claim.page.type == "contract"]
    assert not [claim for claim in believed if claim.way.startswith("order")]
    assert len(believed) <= len(claims) / 50


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "cs", "pl", "it", "nl", "pt"])
def test_a_contract_under_a_foreign_title_is_no_invoice(language: str) -> None:
    page = find_page(language, "contract")
    assert classify(read_text_lines(f"INVOICE 2025-17\n{page.text}")).type != "invoice"


@pytest.mark.parametrize("language", ["de", "fr", "es", "pl"])
def test_an_identity_paper_is_nothing_else(language: str) -> None:
    page = find_page(language, "identity paper")
    for title in ("CONTRACT", "INVOICE 17", "RECEIPT"):
        assert classify(read_text_lines(f"{title}\n{page.text}")).type in {"identity paper", ""}


@pytest.mark.parametrize(
    "text",
    ["", "INVOICE", "invoice invoice invoice contract", "INVOICE 2025-17\nsome words that tell nothing of it", "17"],
    ids=["nothing", "title", "words", "title-alone", "number"],
)
def test_words_without_lines_of_the_type_are_unsure(text: str) -> None:
    verdict = classify(read_text_lines(text or " "))
    assert verdict.type == ""


def test_it_names_the_lines_that_decided() -> None:
    verdict = classify(read_text_lines(find_page("en", "delivery note").text))
    assert verdict.type == "delivery note"
    assert {(proof.page, proof.line, proof.words) for proof in verdict.proofs} >= {(1, 1, "DESPATCH NOTE 70144")}


def test_the_words_that_decided_stand_there_as_they_are_printed() -> None:
    for page in PAGES[:12]:
        lines = {(line.page, line.number): line.text for line in read_text_lines(page.text)}
        for proof in classify(read_text_lines(page.text)).proofs:
            assert proof.words and proof.words in lines[proof.page, proof.line], page.id
