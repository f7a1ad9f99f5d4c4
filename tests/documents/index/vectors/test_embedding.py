"""The job that makes vectors of pages: what is asked of the model, paid once, and kept."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from documents.index.vectors import embedding
from documents.index.vectors.choice import choose_model, find_model, remove_choice
from documents.index.words.indexing import index_document
from documents.models import Budget, Document, EmbeddingChoice, PageChunk, Reading, Usage
from kit.errors import Invalid
from tests.documents.find.searches import add_document
from tests.documents.index.vectors.embedded import MODEL, add_embedded, embed_concepts, embed_due, get_reading
from tests.documents.reading_rows import add_reading
from tests.scripted_model import ScriptedModel, embeds_all, fails

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
LEASE, CAR = ["The lease ends in May"], ["The car is red"]


def list_texts(model: ScriptedModel) -> list[list[str]]:
    return [request["input"] for request in model.requests]


def list_places(document: Document) -> list[tuple[int, int, int]]:
    rows = PageChunk.objects.filter(document=document).order_by("page", "first_line")
    return list(rows.values_list("page", "first_line", "last_line"))


def make_due(document: Document) -> str:
    Reading.objects.filter(pk=get_reading(document).pk).update(vectors_due_at=timezone.now())
    return get_reading(document).pk


def test_it_makes_a_vector_of_each_part_and_books_its_cost(concepts: ScriptedModel, organization: Organization) -> None:
    document = add_embedded(concepts, organization, LEASE, CAR)
    assert list_texts(concepts) == [[LEASE[0], CAR[0]]] and list_places(document) == [(1, 1, 1), (2, 1, 1)]
    assert {(row.model, row.dimensions, len(row.vector)) for row in document.chunks.all()} == {(MODEL, 4, 8)}
    assert Usage.objects.values_list("purpose", "subject_id").get() == ("embedding", document.pk)
    assert get_reading(document).vectors_due_at is None
    assert not embed_due() and len(concepts.requests) == 1


def test_without_a_model_nothing_is_asked_for(organization: Organization) -> None:
    document = add_document(organization, LEASE)
    assert get_reading(document).vectors_due_at is None
    call_command("reindex", "--embeddings")
    assert not embedding.list_due().exists()


def test_a_new_reading_pays_for_new_text_alone(concepts: ScriptedModel, organization: Organization) -> None:
    document = add_embedded(concepts, organization, LEASE, CAR)
    add_reading(document, CAR, ["The heating is cold"])
    index_document(document)
    concepts.will(embed_concepts)
    embed_due()
    assert list_texts(concepts)[1:] == [["The heating is cold"]]
    assert {row.reading for row in document.chunks.all()} == {get_reading(document)}
    assert list_places(document) == [(1, 1, 1), (2, 1, 1)]


def test_the_same_text_twice_is_paid_once(concepts: ScriptedModel, organization: Organization) -> None:
    document = add_embedded(concepts, organization, LEASE, LEASE, CAR)
    assert list_texts(concepts) == [[LEASE[0], CAR[0]]] and len(list_places(document)) == 3


def test_what_was_stored_before_a_failure_is_not_paid_again(
    concepts: ScriptedModel, organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "TEXTS_A_CALL", 1)
    document = add_document(organization, LEASE, CAR, ["The boiler"])
    concepts.will(embed_concepts, fails(500))
    assert embedding.embed_reading(get_reading(document).pk)
    assert list_places(document) == [(1, 1, 1)] and get_reading(document).vectors_due_at > timezone.now()
    assert not embedding.embed_reading(get_reading(document).pk)
    concepts.will(embed_concepts, embed_concepts)
    assert embedding.embed_reading(make_due(document))
    assert list_texts(concepts) == [[LEASE[0]], [CAR[0]], [CAR[0]], ["The boiler"]]
    assert len(list_places(document)) == 3


def test_who_lost_the_claim_writes_nothing_more(concepts: ScriptedModel, organization: Organization) -> None:
    document = add_document(organization, LEASE)

    def answer_late(request: dict[str, list[str]]) -> object:
        make_due(document)  # another has it now
        return embed_concepts(request)

    concepts.will(answer_late)  # type: ignore[arg-type]
    assert embedding.embed_reading(get_reading(document).pk)
    assert not list_places(document) and embedding.list_due().count() == 1


@pytest.mark.parametrize(
    "vectors",
    [
        [[1.0, 2.0]],
        [[1.0, 2.0]] * 3,
        [[1.0, 2.0], [1.0]],
        [[1.0, float("nan")]] * 2,
        [[float("inf"), 1.0]] * 2,
        [[0.0, 0.0]] * 2,
        [[], []],
        [[1.0] * 20_000] * 2,
    ],
    ids=["fewer", "more", "unequal", "NaN", "infinite", "nothing", "empty", "long"],
)
def test_a_model_that_answers_nonsense_leaves_nothing(
    vectors: list[list[float]], concepts: ScriptedModel, organization: Organization
) -> None:
    document = add_document(organization, LEASE, CAR)
    concepts.will(embeds_all(*vectors))
    assert embedding.embed_reading(get_reading(document).pk)
    assert not list_places(document) and get_reading(document).vectors_due_at > timezone.now()
    # It may have been billed.
    assert Usage.objects.count() == 1


def test_a_budget_that_is_used_up_waits_without_a_call(
    concepts: ScriptedModel, organization: Organization, unpriced: None
) -> None:
    document = add_document(organization, LEASE)
    Budget.objects.update_or_create(organization=organization, defaults={"limit_micros": 0})
    assert embedding.embed_reading(get_reading(document).pk)
    assert not concepts.requests and get_reading(document).vectors_due_at > timezone.now()


def test_an_organization_has_a_model_of_its_own_or_none(concepts: ScriptedModel, organization: Organization) -> None:
    choice = EmbeddingChoice.objects.create(organization=organization, model="openai/other")
    document = add_embedded(concepts, organization, LEASE)
    assert document.chunks.get().model == "openai/other" and concepts.requests[0]["model"] == "other"
    choice.model = ""
    choice.save()
    assert get_reading(add_document(organization, CAR)).vectors_due_at is None


def test_text_goes_to_no_model_outside(concepts: ScriptedModel, organization: Organization, unpriced: None) -> None:
    Organization.objects.filter(pk=organization.pk).update(local_models_only=True)
    document = add_document(organization, LEASE)
    embed_due()
    assert not concepts.requests and not list_places(document)
    # There is nothing to try again.
    assert get_reading(document).vectors_due_at is None


def test_a_new_model_replaces_all_vectors_once(concepts: ScriptedModel, organization: Organization) -> None:
    document = add_embedded(concepts, organization, LEASE)
    EmbeddingChoice.objects.create(organization=organization, model="openai/newer")
    call_command("reindex", "--embeddings")
    concepts.will(embed_concepts)
    assert embed_due() == 1
    assert [row.model for row in document.chunks.all()] == ["openai/newer"]
    call_command("reindex", "--embeddings")
    assert embed_due() == 1 and len(concepts.requests) == 2


def test_out_of_the_trash_nothing_is_paid_again(concepts: ScriptedModel, organization: Organization) -> None:
    document = add_embedded(concepts, organization, LEASE)
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now())
    make_due(document)
    assert embed_due() == 1 and list_places(document)
    Document.objects.filter(pk=document.pk).update(trashed_at=None)
    make_due(document)
    assert embed_due() == 1 and len(concepts.requests) == 1


def test_only_a_model_that_embeds_can_be_chosen(actor: Actor, concepts: ScriptedModel) -> None:
    for model in ("offline/rules", "gpt-4o-mini", "nobody/nothing"):
        with pytest.raises(Invalid):
            choose_model(actor, model=model)
    choice = choose_model(actor, model="")
    assert (
        find_model(actor.organization) == ""
        and "embedding" in actor.organization.audit_entries.latest("created_at").action
    )
    remove_choice(actor, choice=choice)
    assert find_model(actor.organization) == MODEL
