"""Members with their roles, and invitations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.actor import Actor
from accounts.forms import MemberForm, RoleForm
from accounts.models import Member, Role
from accounts.services import invitations, members
from accounts.services.mail import outbox
from accounts.views.pages import PageRequest, organization_page
from kit.errors import AppError

RIGHTS = {
    Role.VIEWER: "reads",
    Role.REVIEWER: "also uploads, edits, verifies and chats",
    Role.BUILDER: "also changes schemas, prompts and tags",
    Role.ADMIN: "also changes settings and members",
}


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    return _render(request)


@require_POST
@organization_page(role=Role.ADMIN)
def invite_member(request: PageRequest) -> HttpResponse:
    """Whoever has the address may join. The answer is the same whether or not it has an account."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _render(request, form=form, status=422)
    email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
    try:
        invitation = invitations.invite(request.actor, email=email, role=role)
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render(request, form=form, status=422)
    way = "They get a link by email." if outbox.has_server() else "Copy the link and send it to them."
    return _redirect_with(request, f"{invitation.email} is invited. {way}")


@require_POST
@organization_page(role=Role.ADMIN)
def withdraw_invitation(request: PageRequest, invitation_id: str) -> HttpResponse:
    invitation = get_object_or_404(request.actor.organization.invitations.all(), pk=invitation_id)
    invitations.withdraw(request.actor, invitation=invitation)
    return _redirect_with(request, f"The invitation of {invitation.email} is withdrawn.")


@require_POST
@organization_page(role=Role.ADMIN)
def change_member(request: PageRequest, member_id: str) -> HttpResponse:
    member, form = _get_member(request, member_id), RoleForm(request.POST)
    if not form.is_valid():
        return _render(request, refused="This is no role.", status=422)
    try:
        members.change_role(request.actor, member=member, role=Role(form.cleaned_data["role"]))
    except AppError as error:
        return _render(request, refused=error.sentence, status=422)
    return _redirect_with(request, f"{member.user.shown_name} is {form.cleaned_data['role']} now.")


@require_POST
@organization_page()
def remove_member(request: PageRequest, member_id: str) -> HttpResponse:
    """An admin removes others; everyone may leave."""
    member = _get_member(request, member_id)
    if member.user_id != request.actor.user.pk:
        request.actor.require(Role.ADMIN)
    try:
        members.remove(request.actor, member=member, heir_id=request.POST.get("heir", ""))
    except AppError as error:
        return _render(request, refused=error.sentence, status=422)
    if member.user_id == request.actor.user.pk:
        return redirect("home")
    return _redirect_with(request, f"{member.user.shown_name} is no member any more. Their work stays.")


def _render(request: PageRequest, *, status: int = 200, **state: object) -> HttpResponse:
    actor = request.actor
    context = {
        "section": "settings",
        "subject": "Members",
        "members": actor.organization.memberships.select_related("user").order_by("created_at"),
        "invitations": _list_invitations(actor),
        "sends_mail": outbox.has_server(),
        "roles": [(role.value, role.label, RIGHTS[role]) for role in Role],
        "may_administrate": actor.may(Role.ADMIN),
    }
    return render(request, "accounts/settings/members.html", context | state, status=status)


def _redirect_with(request: PageRequest, sentence: str) -> HttpResponse:
    messages.info(request, sentence)
    return redirect("members", request.actor.organization.pk)


def _list_invitations(actor: Actor) -> list[invitations.SentInvitation]:
    return invitations.list_sent(actor.organization.invitations.open()) if actor.may(Role.ADMIN) else []


def _get_member(request: PageRequest, member_id: str) -> Member:
    return get_object_or_404(request.actor.organization.memberships.select_related("user"), pk=member_id)
