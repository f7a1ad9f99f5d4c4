"""`ETag`, `If-None-Match` and `If-Match`: nobody overwrites what he has not seen, if he says what he has seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from documents import document_changes
from documents.catalog.row_versions import get_extraction_version
from documents.definitions import prompts, schemas, tags
from documents.extractions import edits
from documents.models import Document, Extraction, PromptRevision, Schema, Tag
from kit.errors import PreconditionFailed
from tests.api.conditional_rows import ALL_KINDS, KINDS, THREADS, Target, make_targets, write_at_once
from tests.conftest import ApiClient
from tests.documents.extraction_rows import FORMAT, RESULT, run_prompt

pytestmark = pytest.mark.django_db


@pytest.fixture
def targets(actor: Actor) -> dict[str, Target]:
    return make_targets(actor)


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


def etag_of(client: ApiClient, target: Target) -> str:
    answer = client.get(target.read)
    assert answer.status_code == 200, answer.content
    return str(answer["ETag"])


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_has_it_already_is_sent_nothing_again(client: ApiClient, targets: Any, kind: str) -> None:
    target: Target = targets[kind]
    etag = etag_of(client, target)
    assert etag.startswith('"') and etag.endswith('"') and etag_of(client, target) == etag
    for known in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        answer = client.get(target.read, headers={"If-None-Match": known})
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag), known
        assert "no-store" in answer["Cache-Control"] and "Authorization" in answer["Vary"]
    assert client.head(target.read, headers={"If-None-Match": etag}).status_code == 304
    other = client.get(target.read, headers={"If-None-Match": '"other"'})
    assert (other.status_code, other["ETag"]) == (200, etag)


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_of_what_somebody_else_has_changed_is_refused_with_what_holds_now(
    client: ApiClient, targets: Any, kind: str
) -> None:
    target: Target = targets[kind]
    stale = etag_of(client, target)
    first = client.put(target.write, target.change(2), headers={"If-Match": stale})
    assert first.status_code == 200, first.content
    current = first["ETag"]
    assert current != stale

    for late in (
        client.put(target.write, target.change(3), headers={"If-Match": stale}),
        client.delete(target.write, headers={"If-Match": stale}),
    ):
        assert late.status_code == 412, late.content
        refusal = late.json()
        assert refusal["code"] == "changed" and "since you read it" in refusal["detail"]
        assert late["ETag"] == current, "what it says holds now is what the first writer was told"
        for name, value in target.change(2).items():
            assert refusal["winner"][name] == value

    second = client.put(target.write, target.change(3), headers={"If-Match": current})
    assert second.status_code == 200, second.content
    assert client.delete(target.write, headers={"If-Match": second["ETag"]}).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_the_header_takes_a_list_and_a_star_but_no_weak_tag_and_no_other_text(
    client: ApiClient, targets: Any, kind: str
) -> None:
    target: Target = targets[kind]
    etag = etag_of(client, target)
    for good in ("*", '"other", {}', 'W/"weak" ,{}'):
        answer = client.put(target.write, target.change(2), headers={"If-Match": good.format(etag)})
        assert answer.status_code == 200, (good, answer.content)
        etag = answer["ETag"]
    for weak in (f"W/{etag}", '"other"', '""'):
        assert client.put(target.write, target.change(3), headers={"If-Match": weak}).status_code == 412, weak
    for broken in (etag.strip('"'), "", f"{etag} {etag}", f"*, {etag}", f"{etag},"):
        for answer in (
            client.put(target.write, target.change(3), headers={"If-Match": broken}),
            client.delete(target.write, headers={"If-Match": broken}),
        ):
            assert (answer.status_code, answer.json().get("code")) == (400, "if_match"), broken
    assert client.put(target.write, target.change(4)).status_code == 200, "without it all goes as ever"


def test_each_change_that_a_client_could_overwrite_gives_another_tag(
    client: ApiClient, actor: Actor, targets: dict[str, Target]
) -> None:
    document, extraction, tag = Document.objects.get(), Extraction.objects.get(), Tag.objects.get()
    schema, prompt = Schema.objects.get(name="Invoice"), PromptRevision.objects.get().prompt
    changes: dict[str, list[Callable[[], object]]] = {
        "document": [
            lambda: document_changes.rename(actor, document=document, name="other.pdf"),
            lambda: document_changes.update(actor, document=document, tag_ids=[tag.pk]),
            lambda: document_changes.update(actor, document=document, metadata={}),
            lambda: (
                document_changes.trash(actor, document=document),
                document_changes.restore(actor, document=document),
            ),
        ],
        "result": [
            lambda: edits.set_field(actor, extraction=extraction, where="number", value="INV-8"),
            lambda: edits.verify(actor, extraction=extraction, where="number"),
            lambda: edits.unverify(actor, extraction=extraction, where="number"),
            lambda: edits.verify(actor, extraction=extraction),
        ],
        "schema": [lambda: schemas.save_version(actor, schema=schema, name="Bill")],
        "prompt": [lambda: prompts.save_version(actor, prompt=prompt, name="Read bills")],
        "tag": [
            lambda: tags.update(actor, tag=tag, name="Other"),
            lambda: tags.update(actor, tag=tag, color="#000000"),
            lambda: tags.update(actor, tag=tag, description="What is to be paid."),
        ],
    }
    for kind, calls in changes.items():
        seen = [etag_of(client, targets[kind])]
        for change in calls:
            change()
            stale = client.put(targets[kind].write, targets[kind].change(2), headers={"If-Match": seen[-1]})
            assert stale.status_code == 412, (kind, stale.content)
            seen.append(etag_of(client, targets[kind]))
        assert len({tag.partition(".")[0] for tag in seen}) == len(seen), (kind, seen)


def test_a_revision_that_is_not_the_newest_any_more_is_no_ground_for_a_change(
    client: ApiClient, actor: Actor, targets: dict[str, Target]
) -> None:
    schema, prompt = Schema.objects.get(name="Invoice"), PromptRevision.objects.get().prompt
    old = {kind: etag_of(client, targets[kind]) for kind in ("schema", "prompt")}
    wider = {**FORMAT, "json_schema": {**FORMAT["json_schema"], "name": "bill"}}
    newest = schemas.save_version(actor, schema=schema, response_format=wider)
    prompts.save_version(actor, prompt=prompt, content="Take all.")
    for kind, etag in old.items():
        assert etag_of(client, targets[kind]) == etag, "the revision itself is as it was"
        late = client.put(targets[kind].write, targets[kind].change(2), headers={"If-Match": etag})
        assert late.status_code == 412, late.content
    assert (
        client.delete(targets["schema"].write, headers={"If-Match": old["schema"]}).json()["winner"]["schema_revid"]
        == newest.pk
    )


def test_a_run_that_came_meanwhile_is_not_corrected_unseen(client: ApiClient, targets: dict[str, Target]) -> None:
    target, first = targets["result"], Extraction.objects.get()
    etag = etag_of(client, target)
    newest = run_prompt(Document.objects.get(), first.prompt_revision)
    for late in (
        client.put(target.write, {"updated_llm_result": RESULT}, headers={"If-Match": etag}),
        client.delete(target.write, headers={"If-Match": etag}),
    ):
        assert (late.status_code, late.json()["winner"]["extraction_id"]) == (412, newest.pk)
    assert Extraction.objects.filter(status="completed").count() == 2


def test_a_run_that_comes_while_a_correction_is_checked_counts_as_well(
    actor: Actor, targets: dict[str, Target]
) -> None:
    first = Extraction.objects.get()
    seen = {get_extraction_version(first)}
    run_prompt(Document.objects.get(), first.prompt_revision)
    with pytest.raises(PreconditionFailed):
        edits.replace_result(actor, extraction=first, result=RESULT, verified=True, expected_versions=seen)
    assert not first.verifications.exists()


def test_a_document_that_is_only_read_further_is_shown_again_but_may_be_changed(
    client: ApiClient, targets: dict[str, Target]
) -> None:
    target = targets["document"]
    etag = etag_of(client, target)
    Document.objects.update(state=Document.State.OCR_COMPLETED)
    assert client.get(target.read, headers={"If-None-Match": etag}).json()["state"] == "ocr_completed"
    assert client.put(target.write, {"document_name": "b.pdf"}, headers={"If-Match": etag}).status_code == 200
    nothing = client.put(target.write, {}, headers={"If-Match": etag})
    assert nothing.status_code == 412, "nothing to change is no reason to say that nothing has changed"


def test_other_refusals_come_before_what_has_changed(client: ApiClient, targets: dict[str, Target]) -> None:
    old = {"If-Match": '"old.one"'}
    assert client.put(targets["tag"].write, {"name": 7}, headers=old).status_code == 422
    unlike = {"updated_llm_result": {"other": 1}}
    assert client.put(targets["result"].write, unlike, headers=old).json()["code"] == "signature"
    assert client.put(targets["document"].write.replace("0", "f"), {}, headers=old).status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_of_many_who_write_at_once_one_succeeds(
    api_as: Callable[[Actor], ApiClient], actor: Actor, targets: dict[str, Target], kind: str
) -> None:
    etag = etag_of(api_as(actor), targets[kind])
    statuses = write_at_once(lambda: api_as(actor), targets[kind], etag)
    assert statuses == [200, *[412] * (THREADS - 1)]
