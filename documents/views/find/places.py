"""Words by their block id alone, as the agent names them: leads to their document, where they are boxed."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.views.pages import PageRequest, organization_page
from documents.models import Reading
from documents.reading.blocks import fetch_blocks
from documents.views.find.citations import AT


@require_GET
@organization_page()
def show_place(request: PageRequest, block_id: str) -> HttpResponse:
    blocks = fetch_blocks(request.actor, block_id)
    document_id = Reading.objects.values_list("document_id", flat=True).get(pk=blocks[0].id.reading_id)
    address = reverse("document", args=(request.actor.organization.pk, document_id))
    return redirect(f"{address}?{urlencode({AT: block_id})}")
