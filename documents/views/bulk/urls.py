from __future__ import annotations

from django.urls import path

from documents.views.bulk import actions

_BULK = "orgs/<str:org_id>/documents/bulk"
urlpatterns = [
    path(_BULK, actions.actions, name="bulk-actions"),
    path(f"{_BULK}/preview", actions.preview, name="bulk-preview"),
    path(f"{_BULK}/count", actions.count, name="bulk-count"),
    path(f"{_BULK}/<str:bulk_action_id>/file", actions.file, name="bulk-file"),
    path(f"{_BULK}/<str:bulk_action_id>/items", actions.items, name="bulk-items"),
    path(f"{_BULK}/<str:bulk_action_id>/stop", actions.stop, name="bulk-stop"),
    path(f"{_BULK}/<str:bulk_action_id>/undo", actions.undo, name="bulk-undo"),
    path(f"{_BULK}/<str:bulk_action_id>/dismiss", actions.dismiss, name="bulk-dismiss"),
]
