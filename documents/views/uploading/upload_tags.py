"""The tags that the next uploads get: chosen where files drop, and remembered by the browser."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.definitions.prompts import list_prompts_by_tag
from documents.find.lists import list_tags
from documents.views.tagging.options import name_prompts
from documents.views.tagging.picker import create_tag
from kit.errors import Invalid
from kit.ids import is_id

MAX_CHOSEN = 20
DELETED = (
    "A tag that was chosen for uploads has been deleted, so the file was not stored. The choice is brought up to date: "
    "drop the file again."
)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
def choose(request: PageRequest) -> HttpResponse:
    """GET: those `chosen` that are still there, and the prompts that they start. POST makes the tag `name`."""
    if request.method == "POST":
        return JsonResponse({"tag_id": create_tag(request, request.POST.get("name", ""))})
    ids = [tag_id for tag_id in request.GET.getlist("chosen")[:MAX_CHOSEN] if is_id(tag_id)]
    tags = list(list_tags(request.actor).filter(pk__in=ids).order_by("name_folded", "pk"))
    by_tag = list_prompts_by_tag(tags) if tags else {}
    names = dict.fromkeys(revision.prompt.name for tag in tags for revision in by_tag.get(tag.pk, ()))
    return render(request, "documents/tagging/upload_tags.html", {"tags": tags, "prompts": name_prompts(list(names))})


def require_present(actor: Actor, tag_ids: Sequence[str]) -> Sequence[str]:
    """Raises Invalid in words that fit the page."""
    known = list_tags(actor).filter(pk__in=filter(is_id, tag_ids)).count() if tag_ids else 0
    if known < len(set(tag_ids)):
        raise Invalid(DELETED)
    return tag_ids
