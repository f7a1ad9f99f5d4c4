"""Pages that every kind of definition has: one of them with its versions, the editor, the trash."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, cast

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from documents.definitions import definitions
from documents.definitions.definition_kinds import C, Definition
from documents.definitions.definitions import H, R
from documents.models import Revision
from documents.views.definitions.versions import VersionPair, choose_revision, compare_versions, list_trashed
from kit.errors import AppError, Conflict
from kit.http.undo_buttons import UndoButton
from kit.ids import new_id


@dataclass(frozen=True)
class DefinitionPages(Generic[H, R, C]):
    """Templates, routes and arguments are called like the kind: `schemas/schema.html`, "schema-edit", `schema_id`."""

    definition: Definition[H, R, C]

    @property
    def kind(self) -> str:
        return self.definition.kind

    def fetch(self, request: PageRequest, head_id: str, *related: str) -> H:
        rows = cast("QuerySet[H]", self.definition.heads.objects.select_related("latest", *related))
        return fetch(request.actor, rows, head_id, noun=self.definition.heads.__name__)

    def choose_versions(self, request: PageRequest, head: H, revisions: list[R]) -> tuple[R, VersionPair[R] | None]:
        """`version=<number>` shows that one, else the latest; `with=<number>` compares it with that one."""
        shown = choose_revision(head, revisions, request.GET.get("version", ""))
        return shown, compare_versions(shown, revisions, request.GET.get("with", ""))

    def render_page(
        self,
        request: PageRequest,
        head: H,
        revisions: list[R],
        chosen: tuple[R, VersionPair[R] | None],
        context: Mapping[str, object],
    ) -> HttpResponse:
        shared = {
            "head": head,
            self.kind: head,
            "revisions": revisions,
            "shown": chosen[0],
            "compared": chosen[1],
            "section": f"{self.kind}s",
            "may_build": request.actor.may(Role.BUILDER),
        }
        return render(request, f"documents/{self.kind}s/{self.kind}.html", {**shared, **context})

    def answer_editor(
        self,
        request: PageRequest,
        form: forms.Form,
        save: Callable[[], Revision],
        head: H | None = None,
        **shown: object,
    ) -> HttpResponse:
        """Saves what was typed and shows it, or shows the form again, with what else is `shown` there."""
        if not form.is_valid():
            return self._render_editor(request, form, head, None, shown)
        try:
            saved = cast(R, save())
        except AppError as error:
            return self._render_editor(request, form, head, error, shown)
        return redirect(self.kind, request.actor.organization.pk, saved.head.pk)

    def _render_editor(
        self,
        request: PageRequest,
        form: forms.Form,
        head: H | None,
        error: AppError | None,
        shown: Mapping[str, object],
    ) -> HttpResponse:
        """The form with what was typed. Once a newer version was pointed out, a second press goes on top of it."""
        newer = error.winner.get("latest") if isinstance(error, Conflict) and error.winner else None
        seen = newer or form["seen"].value() or (head and head.latest_id) or ""
        context = {**shown, "form": form, "error": error, "newer": newer, "seen": seen, self.kind: head}
        context |= {"section": f"{self.kind}s", "view": request.POST.get("view", "")}
        status = 422 if request.method == "POST" else 200
        return render(request, f"documents/{self.kind}s/editor.html", context, status=status)

    def build_trash(self, note: str = "") -> Callable[..., HttpResponseBase]:
        @require_POST
        @organization_page(role=Role.BUILDER)
        def trash(request: PageRequest, /, **ids: str) -> HttpResponse:
            head = self.fetch(request, ids[f"{self.kind}_id"])
            self.definition.trash(request.actor, head=head)
            restore = reverse(f"{self.kind}-restore", args=(request.actor.organization.pk, head.pk))
            undo = UndoButton(restore, key=new_id())
            sentence = f"“{head.name}” is in the trash, at the end of this list.{note}"
            messages.info(request, sentence, extra_tags=undo.as_tag())
            return redirect(f"{self.kind}s", request.actor.organization.pk)

        return trash

    def build_return(self) -> Callable[..., HttpResponseBase]:
        """The accepted version with this `number` becomes the newest one, as a version of its own."""

        @require_POST
        @organization_page(role=Role.BUILDER)
        def return_to(request: PageRequest, /, **ids: str) -> HttpResponse:
            head = self.fetch(request, ids[f"{self.kind}_id"])
            accepted = cast("QuerySet[R]", head.revisions.filter(status=Revision.Status.ACCEPTED))
            number = request.POST.get("number", "")
            earlier = get_object_or_404(accepted, number=int(number) if number.isdecimal() and len(number) < 9 else 0)
            try:
                revision = self.definition.return_to(
                    request.actor, head=head, revision=earlier, expected_revid=request.POST.get("seen", "")
                )
            except AppError as error:
                messages.warning(request, error.sentence)
            else:
                messages.info(request, f"Version {revision.number} says what version {earlier.number} said.")
            return redirect(self.kind, request.actor.organization.pk, head.pk)

        return return_to

    def build_restore(self) -> Callable[..., HttpResponseBase]:
        @require_POST
        @organization_page(role=Role.BUILDER)
        def restore(request: PageRequest, /, **ids: str) -> HttpResponse:
            rows = list_trashed(request.actor, cast("type[H]", self.definition.heads))
            head = get_object_or_404(rows, pk=ids[f"{self.kind}_id"])
            definitions.restore(request.actor, head=head)
            address = reverse(self.kind, args=(request.actor.organization.pk, head.pk))
            return redirect_unless_staying(request, address)

        return restore
