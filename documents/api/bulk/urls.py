"""Addresses of bulk actions. They stand before those of one document, whose id `bulk` is none."""

from __future__ import annotations

from django.urls import path

from documents.api.bulk import actions

_BULK = "orgs/<str:organization_id>/documents/bulk"
_ONE = f"{_BULK}/<str:bulk_action_id>"
urlpatterns = [
    path(_BULK, actions.BulkActions.as_view(), name="v0-bulk-actions"),
    path(_ONE, actions.OneBulkAction.as_view(), name="v0-bulk-action"),
    path(f"{_ONE}/stop", actions.BulkStop.as_view(), name="v0-bulk-stop"),
    path(f"{_ONE}/undo", actions.BulkUndo.as_view(), name="v0-bulk-undo"),
    path(f"{_ONE}/download", actions.BulkFile.as_view(), name="v0-bulk-file"),
]
