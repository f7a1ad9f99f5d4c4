"""The value checks that a proposal brings: what they say of the documents at hand, and which of them are accepted."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from accounts.actor import Actor
from documents.autosetup.trials import make_unsaved_run
from documents.checks.definitions import describe_checks
from documents.checks.findings import CheckResult, Status
from documents.checks.results import try_checks
from documents.definitions import prompts, schemas
from documents.models import Extraction, PromptRevision, Proposal, Revision, SchemaRevision
from kit.errors import Invalid

MAX_DOCUMENTS = 20


@dataclass(frozen=True)
class ProposedCheck:
    """`number` counts the checks of the proposed revision from 1. The counts are of documents, `reason` is what the
    check says of the first where it fails, else of the first where it cannot be computed."""

    number: int
    words: str
    passed: int
    failed: int
    uncomputed: int
    reason: str
    is_in_force: bool

    @property
    def is_chosen(self) -> bool:
        """Unless the person says otherwise: what no document at hand lets it judge is nothing to rely on."""
        return self.is_in_force or bool(self.passed or self.failed)

    @property
    def verdict(self) -> str:
        all_of_them = self.passed + self.failed + self.uncomputed
        if self.failed:
            return f"fails on {self.failed} of {all_of_them}: {self.reason}"
        if self.passed:
            return "holds here" if all_of_them == 1 else f"holds on {self.passed} of {all_of_them}"
        return f"could not be computed here: {self.reason}" if self.reason else "not tried yet"


def list_proposed_checks(proposal: Proposal) -> list[ProposedCheck]:
    """Of a proposed revision, judged on the results of its group and on what was tried on documents like it."""
    revision = proposal.schema_revision
    if revision is None or revision.status != Revision.Status.PROPOSED or not revision.value_checks:
        return []
    results = list(_judge_documents(proposal, revision))
    in_force = revision.schema.latest.value_checks if revision.schema.latest else []
    described = describe_checks(revision.value_checks, revision.json_schema)
    return [
        _sum_up(number, words, results, is_in_force=revision.value_checks[number - 1] in in_force)
        for number, words in enumerate(described, start=1)
    ]


def _judge_documents(proposal: Proposal, revision: SchemaRevision) -> Iterator[list[CheckResult]]:
    runs = Extraction.objects.filter(
        status=Extraction.Status.COMPLETED,
        pk__in=proposal.members.values("extraction"),
        schema_revision__schema=revision.schema_id,
    )
    of_group = list(runs.order_by("created_at", "pk")[:MAX_DOCUMENTS])
    # One that was tried and shares the proposal counts once.
    others = proposal.siblings.exclude(document__in=[run.document_id for run in of_group])
    tried = (make_unsaved_run(row) for row in others.select_related("prompt_revision", "document"))
    at_hand = [*of_group, *(run for run in tried if run)]
    for run in at_hand:
        is_judged = run.schema_revision_id == revision.pk and not run._state.adding
        yield run.check_results if is_judged else try_checks(run, revision, revision.value_checks)


def _sum_up(number: int, words: str, documents: list[list[CheckResult]], *, is_in_force: bool) -> ProposedCheck:
    verdicts = [[result for result in results if result["check"] == number] for results in documents]
    worst = [_find_worst(results) for results in verdicts if results]
    messages = {status: [each["message"] for each in worst if each["status"] == status] for status in Status}
    failed, uncomputed = messages[Status.FAILED], messages[Status.NOT_COMPUTED]
    return ProposedCheck(
        number,
        words,
        passed=len(messages[Status.PASSED]),
        failed=len(failed),
        uncomputed=len(uncomputed),
        reason=next(iter([*failed, *uncomputed]), ""),
        is_in_force=is_in_force,
    )


def _find_worst(results: list[CheckResult]) -> CheckResult:
    order = (Status.FAILED, Status.NOT_COMPUTED, Status.PASSED)
    return min(results, key=lambda result: order.index(Status(result["status"])))


def keep_checks(actor: Actor, *, proposal: Proposal, numbers: Collection[int] | None) -> None:
    """Leaves those with these numbers in what is proposed; None stands for those that are chosen by themselves.

    In the decision's transaction. Raises Invalid for a number that there is not.
    """
    checks = list_proposed_checks(proposal)
    chosen = {check.number for check in checks if check.is_chosen} if numbers is None else set(numbers)
    if unknown := chosen - {check.number for check in checks}:
        raise Invalid(f"The proposal has no check {min(unknown)}; it has {len(checks)}.")
    if len(chosen) < len(checks):
        _propose_fewer(actor, proposal, chosen)


def _propose_fewer(actor: Actor, proposal: Proposal, chosen: set[int]) -> None:
    """As a version of its own, which the prompt follows: what was tried before the decision stays as it was."""
    former, asking = proposal.schema_revision, proposal.prompt_revision
    assert former and asking  # noqa: S101 - a proposal with checks has both
    kept = [check for number, check in enumerate(former.value_checks, start=1) if number in chosen]
    fewer = schemas.save_version(actor, schema=former.schema, value_checks=kept, base=former, proposed=True)
    follower = prompts.save_version(actor, prompt=asking.prompt, schema_revision=fewer, base=asking, proposed=True)
    _take_trials_along(proposal, follower)
    ids = dict(proposal.created_ids)
    ids["schema_revisions"] = [*ids.get("schema_revisions", []), fewer.pk]
    ids["prompt_revisions"] = [*ids.get("prompt_revisions", []), follower.pk]
    proposal.schema_revision, proposal.prompt_revision, proposal.created_ids = fewer, follower, ids
    proposal.save(update_fields=["schema_revision", "prompt_revision", "created_ids"])


def _take_trials_along(proposal: Proposal, follower: PromptRevision) -> None:
    """The model was asked the same, so what it answered is paid for and counts."""
    for row in proposal.siblings.filter(prompt_revision=proposal.prompt_revision).exclude(trial={}):
        row.trial = {
            **row.trial,
            "prompt_revision_id": follower.pk,
            "schema_revision_id": follower.schema_revision_id,
        }
        row.prompt_revision = follower
        row.save(update_fields=["trial", "prompt_revision"])
