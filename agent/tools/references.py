"""The tool that tells what a person means by words that are neither an id nor a name."""

from __future__ import annotations

from agent.references.candidates import VALUE, Asker, Candidate, Resolution
from agent.references.resolving import resolve
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from kit.errors import Invalid

MAX_VALUE = 300
SEVERAL = "Several fit, and nothing says which is meant. Ask the person."
ALIKE = "Nothing fits exactly; these names are only alike. Ask the person whether one is meant."
NOTHING = "Nothing that may be seen here fits."
IN_TRASH = "The trash alone was looked through."


def _summarize(arguments: Arguments, result: Result) -> str:
    candidates = result.get("candidates", [])
    names = [str(each.get("value") or each.get("name") or each.get("document_name")) for each in candidates]
    return f"“{arguments.get('text', '')[:40]}”: {', '.join(names) or 'nothing fits'}"


@tool(
    category="resolution",
    access="read",
    title="Resolve a reference",
    icon="i-search",
    is_rare=True,
    shows_any=True,
    summary=_summarize,
)
def resolve_reference(context: ToolContext, text: str, in_trash: bool | None = None) -> Result:
    """Finds the document, schema, prompt, tag or value that the person means, with the reason. All tools take the same
    words where they take a name or id: call it for a value such as "that supplier", or to see what else fits.

    text: id, name, address, @name, printed number, "the second one", "the last invoice", "that supplier"
    in_trash: true: only what lies in the trash
    """
    if not text.strip():
        raise Invalid("The reference is empty.")
    resolution = resolve(Asker(context, in_trash=bool(in_trash)), text)
    answer: Result = {"exact": resolution.is_exact, "candidates": [_describe(each) for each in resolution.candidates]}
    if resolution.more:
        answer["more"] = resolution.more
    return {**answer, "note": note} if (note := _explain(resolution, bool(in_trash))) else answer


def _describe(candidate: Candidate) -> Result:
    if candidate.kind == VALUE:
        value = candidate.value[:MAX_VALUE] if isinstance(candidate.value, str) else candidate.value
        about = {"document_id": candidate.row_id, "document_name": candidate.name}
        return {"type": VALUE, "field": candidate.path, "value": value, **about, "why": candidate.why}
    ids = {f"{candidate.kind}_id": candidate.row_id, f"{candidate.kind}_name": candidate.name}
    if candidate.revision_id:
        ids[f"{candidate.kind}_revid"] = candidate.revision_id
    return {"type": candidate.kind, **ids, "why": candidate.why}


def _explain(resolution: Resolution, in_trash: bool) -> str:
    if not resolution.candidates:
        return " ".join(filter(None, [NOTHING, resolution.note, IN_TRASH if in_trash else ""]))
    if not resolution.is_exact:
        return f"{resolution.note} {ALIKE}".strip()
    return SEVERAL if len(resolution.candidates) > 1 else ""
