"""The administration as a place of the product: its records by task instead of by Django's apps."""

from __future__ import annotations

from typing import TypedDict

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.administration.groups import GROUPS, RecordGroup, find_group


class ListedModel(TypedDict):
    """A model as Django lists it, as far as the templates need it."""

    name: str
    admin_url: str
    add_url: str | None
    model: type[Model]
    is_detail: bool


class ListedGroup(TypedDict):
    name: str
    summary: str
    app_label: str
    app_url: str
    has_module_perms: bool
    models: list[ListedModel]


class AdministrationSite(admin.AdminSite):
    site_title = site_header = "DocRouter administration"
    index_title = "All records of this installation"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[ListedGroup]:
        """The groups, in the shape of Django's apps. The index shows all of them, so no app is asked for alone."""
        models = [model for app in super().get_app_list(request) for model in app["models"]]
        groups = [_describe_group(group, models) for group in GROUPS]
        return [group for group in groups if group["models"]]

    def app_index(  # type: ignore[override]  # the page of an app is the index itself
        self, request: HttpRequest, app_label: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:index"))


def _describe_group(group: RecordGroup, models: list[ListedModel]) -> ListedGroup:
    own = [row for row in models if find_group(row["model"]) is group]
    for row in own:
        row["is_detail"] = row["model"]._meta.label not in group.main
    return {
        "name": group.title,
        "summary": group.summary,
        "app_label": group.key,
        "app_url": f"{reverse('admin:index')}#{group.key}",
        "has_module_perms": True,
        "models": sorted(own, key=lambda row: _position(group.labels, row["model"]._meta.label)),
    }


def _position(labels: tuple[str, ...], label: str) -> int:
    return labels.index(label) if label in labels else len(labels)
