"""Questions in whole sentences, and the parts of pages that they get."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.find.search.retrieving import Retrieved, merge, retrieve
from documents.index.vectors.numbers import pack_vector
from documents.index.vectors.query_vectors import VectorQuery
from documents.models import Document
from kit.errors import Invalid
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.find.searches import add_document
from tests.documents.index.vectors.embedded import MODEL, add, count_concepts

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def vectorize(text: str) -> VectorQuery:
    return VectorQuery(MODEL, pack_vector(count_concepts(text)))


def names(retrieved: Retrieved) -> list[str]:
    return [each.document.name for each in retrieved.documents]


def test_a_sentence_finds_the_page_with_most_of_its_rare_words(actor: Actor) -> None:
    for number in range(3):
        add_document(actor.organization, ["the letter of the year", f"roof {number}"], name=f"{number}.pdf")
    right = add_document(actor.organization, ["first page"], ["Fees", "ACME mended the roof for 1,234.50"])
    answer = retrieve(actor, "What did the firm ACME ask for the roof?")
    [passage, *_] = answer.documents[0].passages
    assert names(answer)[0] == "a.pdf" and answer.documents[0].how == ["words"]
    assert (passage.page, passage.reading_id) == (2, right.readings.get().pk)
    assert "mended the roof" in passage.text and passage.citation == f"{passage.reading_id}.2.1"
    assert {"firm", "ask"} <= set(answer.absent)


def test_the_part_with_the_words_comes_before_others_of_its_page(actor: Actor) -> None:
    filler = ["nothing of any interest stands in this line of the letter"] * 20
    add_document(actor.organization, [*filler, "ACME mended the roof"])
    passages = retrieve(actor, "who mended the roof").documents[0].passages
    assert "mended" in passages[0].text and passages[0].first_line > 10 and len(passages) > 1


def test_of_many_documents_one_that_has_all_in_one_part_comes_first(actor: Actor) -> None:
    filler = [f"nothing of interest stands in line {number} of this long letter" for number in range(40)]
    for name in ("roof", "wall"):
        for number in range(4):
            add_document(actor.organization, [f"{name} " * 9], name=f"{name} {number}.pdf")
    add_document(actor.organization, [*filler, "roof and wall"], name="both.pdf")
    documents = retrieve(actor, "is there a roof or a wall", limit=9).documents
    assert documents[0].document.name == "both.pdf"
    assert [each.score for each in documents] == sorted((each.score for each in documents), reverse=True)


def test_a_number_is_found_however_it_is_written_and_in_its_own_passage(actor: Actor) -> None:
    add_document(actor.organization, ["total 9,999.00"], name="other.pdf")
    add_document(actor.organization, ["total 1,234.50"], name="right.pdf")
    answer = retrieve(actor, "total 1234.50")
    assert names(answer)[0] == "right.pdf" and answer.documents[0].passages[0].score == 1.0


def test_the_small_words_of_a_question_find_nothing(actor: Actor) -> None:
    add_document(actor.organization, ["what is in it, and what is it for"], name="prose.pdf")
    add_document(actor.organization, ["Rent Brno 1,350.00"], name="lease.pdf")
    assert names(retrieve(actor, "What is the rent of Brno?")) == ["lease.pdf"]
    vain = retrieve(actor, "What is in the zebra?")
    assert names(vain) == [] and vain.absent == ["zebra"]
    assert names(retrieve(actor, "What is it?")) == ["prose.pdf"]


def test_a_name_in_capitals_is_no_small_word(actor: Actor) -> None:
    for hall in "AB":
        add_document(actor.organization, [f"hall {hall} is rented"], name=f"{hall}.pdf")
    assert names(retrieve(actor, "Who rents hall A?"))[0] == "A.pdf"
    assert retrieve(actor, "who rents a hall").absent == ["rents"]


def test_a_minus_belongs_to_its_number(actor: Actor) -> None:
    add_document(actor.organization, ["credit 99.00"], name="other.pdf")
    add_document(actor.organization, ["credit -40.00"], name="right.pdf")
    answer = retrieve(actor, "Which credit is -40.00?")
    assert names(answer)[0] == "right.pdf" and "40.00" in answer.words


def test_a_word_counts_once_however_often_it_is_asked(actor: Actor) -> None:
    add_document(actor.organization, ["the roof of the house"])
    once, twice = (retrieve(actor, text) for text in ("tiger on the roof", "tiger, tiger on the roof, the roof"))
    assert once.absent == twice.absent == ["tiger"]
    assert once.documents[0].passages[0].score == twice.documents[0].passages[0].score


def test_words_that_no_page_has_count_against_every_part(actor: Actor) -> None:
    add_document(actor.organization, ["the letter says something about boats"])
    asked, unknown = (retrieve(actor, text) for text in ("something about boats", "something about submarine QX-7"))
    assert asked.documents[0].passages[0].score == 1.0
    assert unknown.documents[0].passages[0].score < 0.5 and unknown.absent == ["submarine", "QX-7"]


def test_a_typing_error_is_forgiven(actor: Actor) -> None:
    add_document(actor.organization, ["the scaffolding was taken down"])
    assert names(retrieve(actor, "whose scafolding?")) == ["a.pdf"]


def test_values_are_found_in_whatever_form_they_are_asked_for(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    store_invoice(actor, prompt, "a.pdf", total="1,250.00 EUR", due_date="2026-03-05")
    store_invoice(actor, prompt, "b.pdf", total="77.00", due_date="2026-03-06", number="Zeta 5")
    for question in ("what is due on March 5, 2026", "whose total is 1250"):
        [document] = retrieve(actor, question).documents
        assert (document.document.name, document.how) == ("a.pdf", ["values"])
        assert document.passages[0].text == "Invoice"
    assert names(retrieve(actor, "What does Zeta ask for?")) == ["b.pdf"]


def test_meaning_is_fused_with_words(actor: Actor) -> None:
    add(actor.organization, ["nothing of the kind"], ["an automobile is red"], name="meaning.pdf")
    assert not retrieve(actor, "whose vehicle").documents
    [document] = retrieve(actor, "whose vehicle", vectorize=vectorize).documents
    assert (document.how, document.passages[0].page) == (["meaning"], 2)
    add(actor.organization, ["one vehicle"], name="both.pdf")
    assert names(retrieve(actor, "whose vehicle", vectorize=vectorize))[0] == "both.pdf"


def test_what_words_or_meaning_alone_are_sure_of_stays_however_the_others_vote(actor: Actor) -> None:
    """Fused ranks prefer what stands in the middle of both orders."""
    for number in range(30):
        add(actor.organization, [f"a vehicle reference of letter {number}"], name=f"{number}.pdf")
    add(actor.organization, ["reference AZ-1/0042"], name="number.pdf")
    asked = "which vehicle has the reference AZ-1/0042"
    assert names(retrieve(actor, asked, limit=5))[0] == "number.pdf"
    assert "number.pdf" in names(retrieve(actor, asked, limit=5, vectorize=vectorize))
    for number in range(30):
        add(actor.organization, [f"greetings from Dachau {number}"], name=f"Dachau {number}.pdf")
    add(actor.organization, ["the tenancy has ended"], name="meaning.pdf")
    assert "meaning.pdf" in names(retrieve(actor, "whose lease in Dachau", limit=5, vectorize=vectorize))


def test_nothing_comes_of_the_trash_of_others_or_beyond_the_scope(actor: Actor, stranger: Actor) -> None:
    add_document(actor.organization, ["roof of ACME"], name="a.pdf")
    gone = add_document(actor.organization, ["roof of ACME"], name="gone.pdf")
    add_document(stranger.organization, ["roof of ACME"], name="theirs.pdf")
    Document.objects.filter(pk=gone.pk).update(trashed_at="2026-01-01T00:00Z")
    assert names(retrieve(actor, "roof")) == ["a.pdf"]
    assert names(retrieve(stranger, "roof", documents=Document.objects.all())) == ["theirs.pdf"]
    assert names(retrieve(actor, "roof", documents=Document.objects.all())) == ["a.pdf"]
    assert not retrieve(actor, "roof", documents=Document.objects.none()).documents


def test_answers_to_several_questions_are_one_list_that_names_them(actor: Actor) -> None:
    for name, line in (("a.pdf", "roof and wall"), ("b.pdf", "wall")):
        add_document(actor.organization, [line], name=name)
    merged = merge({text: retrieve(actor, text) for text in ("roof", "wall")})
    assert [(each.document.name, each.queries) for each in merged] == [("a.pdf", ["roof", "wall"]), ("b.pdf", ["wall"])]


def test_each_question_shows_its_own_best_passage(actor: Actor) -> None:
    filler = ["nothing of any interest stands in this line of the letter"] * 20
    add_document(actor.organization, *([f"roof {number}", *filler] for number in range(3)), ["copper", *filler])
    [both] = merge({text: retrieve(actor, text) for text in ("roof", "copper gutter")})
    assert [passage.page for passage in both.passages[:2]] == [1, 4]


@pytest.mark.parametrize(
    "question", ["???", "-", '"', "* * *", "{terms} : x", "' OR 1=1 --", "x" * 100_000, "q " * 999]
)
def test_what_names_nothing_finds_nothing(actor: Actor, question: str) -> None:
    add_document(actor.organization, ["ACME Fittings"])
    assert not retrieve(actor, question).documents


def test_an_empty_question_and_a_wrong_number_get_a_sentence(actor: Actor) -> None:
    with pytest.raises(Invalid, match="is empty"):
        retrieve(actor, "  ")
    with pytest.raises(Invalid, match="1 to 50"):
        retrieve(actor, "roof", limit=0)
