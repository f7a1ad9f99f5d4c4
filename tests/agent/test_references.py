"""References: every way in which a person or a model may name an object, and all that they never show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import Thread, ToolCall
from documents import document_changes
from documents.definitions import prompts, schemas, tags
from documents.models import Document, SchemaRevision, Tag
from documents.types.catalogue import find_type
from tests.agent.tool_rows import another_document, change_format
from tests.documents.checked_invoice import store_run
from tests.documents.find.searches import add_document

Do = Callable[..., ToolCall]
NUMBER = {"type": "string", "description": "Of the invoice."}


@pytest.fixture
def papers(actor: Actor, document: Document) -> dict[str, Document]:
    """Two invoices with values, of which the newer has the number of the older on its page; and a letter."""
    Document.objects.filter(pk=document.pk).update(name="own.pdf", name_folded="own.pdf")
    schema = schemas.create(actor, name="Bills", response_format=change_format(invoice_number=NUMBER))
    prompt = prompts.create(actor, name="Bills", content="Read it.", schema_revision=schema)
    older = add_document(actor.organization, ["Invoice RE-4711", "Acme Ltd"], name="Acme invoice.pdf")
    newer = add_document(actor.organization, ["Invoice RE-4712", "not RE-4711", "order 88123"], name="Bolt invoice.pdf")
    letter = add_document(actor.organization, ["Dear Sir", "order 88123"], name="Letter.pdf")
    for document, number, vendor in ((older, "RE-4711", "Acme Ltd"), (newer, "RE-4712", "Bolt GmbH")):
        store_run(actor, prompt, document, {"invoice_number": number, "vendor": vendor, "line_items": []})
    return {"older": older, "newer": newer, "letter": letter}


def resolve(do: Do, text: str, **more: Any) -> dict[str, Any]:
    result: dict[str, Any] = do("resolve_reference", text=text, **more).result
    return result


def list_named(answer: Mapping[str, Any]) -> list[str]:
    return [str(each.get("value") or each[f"{each['type']}_name"]) for each in answer["candidates"]]


@pytest.mark.parametrize(
    ("text", "meant", "why"),
    [
        ("{older}", "older", "its id"),
        ("https://desk.example/orgs/{org}/documents/{older}#page=2", "older", "its address"),
        ("/v0/orgs/{org}/documents/{older}", "older", "its address"),
        ("acme INVOICE.pdf", "older", "its name"),
        ("@Acme invoice.pdf", "older", "its name"),
        ("Acme invoice", "older", "its name without the ending"),
        ("RE-4711", "older", "its invoice_number is RE-4711"),
        ("invoice no. RE-4712", "newer", "its invoice_number is RE-4712"),
        ("the last invoice", "newer", "the newest document whose name or tag says “invoice”, added"),
        ("la factura más antigua", "older", "the oldest document"),
        ("the last document", "letter", "the newest document, added"),
        ("the last invoice from Acme", "older", "and that has “acme”"),
    ],
)
def test_it_finds_the_document_that_is_meant(
    papers: dict[str, Document], actor: Actor, do: Do, settings: Any, text: str, meant: str, why: str
) -> None:
    settings.PUBLIC_URL = "https://desk.example"
    ids = {name: document.pk for name, document in papers.items()}
    text = text.format(**ids, org=actor.organization.pk)
    answer = resolve(do, text)
    (only,) = answer["candidates"]
    assert (only["document_id"], answer["exact"]) == (papers[meant].pk, True)
    assert why in only["why"]
    # Whatever takes a document takes the same words.
    assert do("get_ocr_text", document=text).result["document_id"] == papers[meant].pk


def test_it_finds_definitions_by_label_by_kind_and_the_newest(
    actor: Actor, papers: dict[str, Document], do: Do
) -> None:
    tag, prompt = tags.create(actor, name="Paid"), prompts.create(actor, name="Totals", content="Read.")
    first = resolve(do, "@Bills v1")["candidates"][0]["schema_revid"]
    head = SchemaRevision.objects.get(pk=first).schema
    schemas.save_version(actor, schema=head, response_format=change_format(due_date=None))
    assert do("get_schema", schema_revid="@Bills v1").result["schema_version"] == 1
    assert do("get_schema", schema_revid="Bills").result["schema_version"] == 2
    assert [each["type"] for each in resolve(do, "Bills")["candidates"]] == ["schema", "prompt"]
    assert list_named(resolve(do, "the Bills schema")) == list_named(resolve(do, "the newest schema")) == ["Bills"]
    assert list_named(resolve(do, "that tag")) == []
    assert do("get_tag", tag_id="paid").result["tag_id"] == tag.pk
    assert list_named(resolve(do, "that tag")) == ["Paid"]
    assert do("get_prompt", prompt_revid="the last prompt").result["prompt_revid"] == prompt.pk


def test_a_change_names_all_that_fit_and_changes_none(papers: dict[str, Document], do: Do) -> None:
    card = do("update_document", document_id="the last invoice", document_name="x.pdf", approve=False)
    assert card.effective["document_id"] == papers["newer"].pk
    several = do("update_document", document_id="order 88123", document_name="x.pdf", approve=False)
    error = several.result["error"]
    assert several.status == "invalid" and "fits several. Give the id of one, or ask which is meant" in error
    for name in ("newer", "letter"):
        assert f"({papers[name].pk}): 88123 is printed on page 1" in error
    # A name that is only alike is no reference: nothing is changed by a guess.
    alike = do("update_document", document_id="Bolt invoce", document_name="x.pdf", approve=False)
    assert alike.status == "invalid" and "The nearest are: “Bolt invoice.pdf”" in alike.result["error"]
    assert resolve(do, "Bolt invoce")["exact"] is False
    assert "only alike" in resolve(do, "Bolt invoce")["note"]


def test_what_was_spoken_of_before_says_which(papers: dict[str, Document], do: Do) -> None:
    assert "No list was named" in resolve(do, "the second one")["note"]
    assert "have no value for “supplier”" in resolve(do, "that supplier")["note"]
    do("get_ocr_text", document="RE-4711")
    answer = resolve(do, "dieser Lieferant")
    assert list_named(answer) == ["Acme Ltd"]
    assert answer["candidates"][0]["why"] == "vendor of Acme invoice.pdf: opened last in this conversation"
    do("list_documents", name_search="invoice")
    assert list_named(resolve(do, "the first one")) == list_named(resolve(do, "la primera")) == ["Bolt invoice.pdf"]
    assert do("get_ocr_text", document="the second one").result["document_name"] == "Acme invoice.pdf"
    assert (
        list_named(resolve(do, "the first invoice")) == list_named(resolve(do, "the 1st one")) == ["Bolt invoice.pdf"]
    )


def test_several_that_fit_are_all_named(papers: dict[str, Document], do: Do) -> None:
    do("list_documents", name_search="invoice")
    answer = resolve(do, "that supplier")
    assert list_named(answer) == ["Bolt GmbH", "Acme Ltd"]
    assert answer["note"] == "Several fit, and nothing says which is meant. Ask the person."
    assert resolve(do, "the third one")["candidates"] == []


def test_of_a_list_that_is_kept_in_part_it_does_not_guess_the_end(actor: Actor, thread: Thread, do: Do) -> None:
    for number in range(7):
        another_document(actor, f"{number}.pdf")
    assert thread.document
    do("list_documents")
    assert list_named(resolve(do, "the second one")) == ["5.pdf"]
    for text in ("the last one", "the 7th one"):
        assert "had 8 entries, of which 5 are still in focus" in resolve(do, text)["note"]


def test_it_never_shows_what_is_not_to_be_seen(
    papers: dict[str, Document], actor: Actor, stranger: Actor, do: Do, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://desk.example"
    theirs = add_document(stranger.organization, ["SECRET-9911"], name="Their secret.pdf")
    Tag.objects.create(organization=stranger.organization, name="Their tag")
    address = f"https://desk.example/orgs/{stranger.organization.pk}/documents/{theirs.pk}"
    unfit = f"/orgs/{actor.organization.pk}/documents/{theirs.pk}"
    document_changes.trash(actor, document=papers["older"])
    hidden = [theirs.pk, address, unfit, "Their secret.pdf", "SECRET-9911", "Their tag", "@Their tag"]
    hidden += [papers["older"].pk, "RE-4711 ", "Acme invoice.pdf", f"https://evil.example{unfit}"]
    for text in hidden:
        answer = resolve(do, text)
        assert not [each for each in list_named(answer) if "Their" in each or "Acme" in each], text
        assert "Their" not in str(do("get_ocr_text", document=text).result.get("document_name", "")), text
    elsewhere = f"/orgs/{stranger.organization.pk}/documents/{papers['newer'].pk}"
    assert resolve(do, elsewhere)["candidates"] == []
    assert list_named(resolve(do, "Acme invoice.pdf", in_trash=True)) == ["Acme invoice.pdf"]
    assert resolve(do, "Bolt invoice.pdf", in_trash=True)["exact"] is False


@pytest.mark.parametrize(
    "text",
    ["last " * 50_000, "\u202efdp.eciovni emcA", '"', "%", "' OR 1=1 --", "/", "//", "http://[", "tag:", "\U0001f600"],
)
def test_hostile_texts_mean_nothing(papers: dict[str, Document], do: Do, text: str) -> None:
    call = do("resolve_reference", text=text)
    assert call.status == "succeeded" and call.result["candidates"] == []
    assert call.result["note"].startswith("Nothing that may be seen here fits.")


def test_the_type_of_a_document_goes_before_what_its_name_says(
    papers: dict[str, Document], actor: Actor, do: Do
) -> None:
    organization = actor.organization
    Document.objects.filter(pk=papers["newer"].pk).update(document_type=find_type(organization, "contract"))
    Document.objects.filter(pk=papers["letter"].pk).update(document_type=find_type(organization, "invoice"))
    (only,) = resolve(do, "the last invoice")["candidates"]
    assert only["document_id"] == papers["letter"].pk and "of the type “Invoice”" in only["why"]
    assert list_named(resolve(do, "der letzte Vertrag")) == ["Bolt invoice.pdf"]


def test_names_are_data(actor: Actor, do: Do) -> None:
    another_document(actor, "the last invoice")
    newest = another_document(actor, "invoice 2.pdf")
    assert list_named(resolve(do, "the last invoice")) == ["the last invoice"]
    assert newest.pk == resolve(do, "the newest invoice")["candidates"][0]["document_id"]
    assert do("resolve_reference", text=" ").result["error"] == "The reference is empty."
    assert Thread.objects.count() == 1
