"""Running prompts on documents. The model is called by a worker; the request only waits for the row to change."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView, renew_v0
from accounts.api.wire.described import Flag, Header, Number, Text, describe
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import read_flag, read_list, read_number
from accounts.api.wire.responses import Accepted, Answer
from accounts.models import Role
from documents import extractions
from documents.api import extraction_answers as answers
from documents.api.documents import fetch_document
from documents.api.llm.prompt_results import DEFAULT, fetch_prompt_revision, serialize_result
from documents.extractions.requesting import KEY_USED
from documents.models import Extraction
from documents.reading import reading
from kit.errors import AppError, Invalid, NotFound, OutOfBudget
from kit.timestamps import format_timestamp

NOT_READ = "OCR required but not run for this document"
FORCE_OR_GO_ON = "Give force for a new run of all pages, or go_on for the pages that the result misses, not both."
PAGES_ALONE = "pages go with go_on=true. A new run reads all pages."
MAX_KEY, MAX_DIGITS = 255, 9
OTHER_TYPE = "Its type is Contract. “Invoice fields” is for Invoice. Run it anyway, or choose another prompt."
Status = Extraction.Status


CALL_REFUSALS = {
    400: ["claude-sonnet-4-6 cannot be used yet: set ANTHROPIC_API_KEY."],
    402: ["Insufficient SPU credits: This call may cost $0.24, and $0.00 is left of this month's budget of $50.00."],
    502: ["Anthropic could not be reached or answered with an error (529). Try again later."],
    504: ["claude-sonnet-4-6 did not answer within 25 seconds. With stream: true there is more time."],
}


class RunFailed(AppError):
    """The run ended without a result, for the reason in the sentence."""

    status = 500


class RunPrompt(OrganizationView):
    """Run a prompt on a document and wait for its result.

    A stored result is answered at once unless `force` is true; a new run never touches the stored one before it has
    succeeded. An identical run under way is joined, and the same `Idempotency-Key` gets the same run;
    with another prompt, `force` or `go_on` on this document it is 409.

    With `go_on` a stored result that misses pages (`pages_missing`) is gone on with: only these pages are asked for, or
    those that `pages` names, and all that the result has stays, with its edits. It is 409 when the document was read
    anew since.

    `result` holds the current values, with the corrections of people on top; `extraction` is all that is known of the
    run, as `llm/result` gives it.

    Whoever names a prompt and a document gets a run on any type of document: programs know no other answer.
    With `check_type=true` a new run on a document that is surely of another type is 409 of code `another_type` instead,
    unless somebody has let the prompt run on it; send the request without it to run it all the same.

    The answer comes when the run ends, at most RUN_WAIT_SECONDS (25) later: then, or at once with `wait=0`, it is 202
    with the run's id and its status; `result` and `extraction` are null, `detail` says so in a sentence and `Location`
    where the result will be. The run goes on, also when the client goes away.
    """

    roles = {"POST": Role.REVIEWER}

    @describe(
        "Run a prompt on a document",
        query=[
            Text("prompt_revid", "A prompt revision, or `default` for the summary.", default="default"),
            Flag("force", "Run again although there is a result."),
            Flag("go_on", "Ask only for the pages that the result misses."),
            Text("pages", "With go_on: these pages instead, comma-separated."),
            Flag("check_type", "Refuse a new run where the document is surely of another type than the prompt is for."),
            Number("wait", "Seconds at most.", maximum=settings.RUN_WAIT_SECONDS),
            Header("Idempotency-Key", "The same key gets the same run; for another it is 409."),
        ],
        refusals={
            400: CALL_REFUSALS[400],
            402: CALL_REFUSALS[402],
            404: ["Prompt not found", NOT_READ],
            409: [KEY_USED, OTHER_TYPE],
            500: ["Error processing document: The answer of claude-sonnet-4-6 broke off in the middle. Try again."],
        },
    )
    def post(self, request: Request, document_id: str) -> Answer[answers.RunAnswer] | Accepted[answers.RunUnderWay]:
        document = fetch_document(self.actor, document_id)
        revision = fetch_prompt_revision(self.actor, request.query_params.get("prompt_revid") or DEFAULT)
        force = read_flag(request, "force", False)
        seconds = read_number(request, "wait", settings.RUN_WAIT_SECONDS, minimum=0, maximum=settings.RUN_WAIT_SECONDS)
        key, rest = _read_key(request), _read_rest(request)
        if force and rest:
            raise Invalid(FORCE_OR_GO_ON)
        if revision and revision.prompt.trashed_at:
            raise NotFound("Prompt not found")
        if reading.get_newest(document) is None:
            raise NotFound(NOT_READ)
        run = extractions.request(
            self.actor,
            document=document,
            prompt_revision=revision,
            force=force,
            rest=rest,
            key=key,
            checks_type=read_flag(request, "check_type", False),
        )
        ended = extractions.wait_for(run, seconds=seconds or 0, check=partial(renew_v0, self.actor))
        if _has_result(ended):
            whole = serialize_result(ended)
            return Answer(
                answers.RunAnswer(
                    status="success", result=whole["updated_llm_result"], extraction=whole, run_id=ended.pk
                )
            )
        _raise_failure(ended)
        at = f"/v0/orgs/{self.actor.organization.pk}/llm/runs/{ended.pk}"
        detail = f"There is no result yet: the run is {ended.status}. GET {at} gives it once the run has ended."
        under_way = answers.RunUnderWay(
            status=ended.status, run_id=ended.pk, result=None, extraction=None, reason=ended.reason, detail=detail
        )
        return Accepted(under_way, headers={"Location": at, "Retry-After": "2"})


class Run(OrganizationView):
    """One run: its status and, once it has completed, its values in `result` and the whole in `extraction`."""

    roles = {"GET": Role.VIEWER}

    @describe("Get a run")
    def get(self, request: Request, run_id: str) -> Answer[answers.Run]:
        rows = Extraction.objects.filter(document__trashed_at=None).select_related("prompt_revision__prompt")
        run = fetch(self.actor, rows, run_id, noun="Run")
        # Null where there is no result: an empty object would pass for a document without values.
        whole = serialize_result(run) if _has_result(run) else None
        body: answers.Run = {
            "status": run.status,
            "run_id": run.pk,
            "result": whole and whole["updated_llm_result"],
            "extraction": whole,
            "reason": run.reason,
            "document_id": run.document_id,
            "prompt_revid": run.prompt_revision_id or DEFAULT,
            "model": run.model,
            "created_at": format_timestamp(run.created_at),
            "finished_at": format_timestamp(run.finished_at) if run.finished_at else None,
        }
        return Answer(body)


def _read_rest(request: Request) -> extractions.Rest | None:
    """None where the whole document is wanted. Raises Unprocessable."""
    sent = read_list(request, "pages")
    if not all(page.isdecimal() and len(page) < MAX_DIGITS for page in sent):
        message = "Input should be page numbers, separated by commas"
        raise Unprocessable([make_fault("query", "pages", message, ",".join(sent)[:200], type="int_parsing")])
    if not read_flag(request, "go_on", False):
        if sent:
            raise Invalid(PAGES_ALONE)
        return None
    return extractions.Rest([int(page) for page in sent])


def _read_key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > MAX_KEY:
        message = f"String should have at most {MAX_KEY} characters"
        raise Unprocessable([make_fault("header", "Idempotency-Key", message, type="string_too_long")])
    return key


def _has_result(run: Extraction) -> bool:
    """One that was withdrawn before it was done has none."""
    return run.status == Status.COMPLETED or (run.status == Status.WITHDRAWN and run.result is not None)


def _raise_failure(run: Extraction) -> None:
    if run.status in (Status.FAILED, Status.WITHDRAWN):
        raise RunFailed(f"Error processing document: {run.reason}")
    if run.waits_for_budget:
        raise OutOfBudget(run.reason)
