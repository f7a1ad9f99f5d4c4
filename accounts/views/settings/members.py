"""Members with their roles, and invitations."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRefresh

from accounts.actor import Actor
from accounts.forms import InviteForm, RoleForm
from accounts.models import Invitation, Member, Role
from accounts.services import departures, invitations, members
from accounts.services.mail import outbox
from accounts.views.pages import PageRequest, organization_page
from kit.errors import AppError

# Members that are seen at a glance, and rows of a page.
MAX_UNSEARCHED, MAX_LISTED = 20, 100

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
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _render(request, form=form, status=422)
    emails, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
    invited, refused = invitations.invite_each(request.actor, emails=emails, role=role)
    if not invited:
        for sentence in refused:
            form.add_error(None, sentence)
        return _render(request, form=form, status=422)
    return _redirect_with(request, " ".join([_describe_invited(invited), *refused]))


def _describe_invited(invited: list[Invitation]) -> str:
    is_one = len(invited) == 1
    who = f"{invited[0].email} is" if is_one else f"{len(invited)} people are"
    way = f"Copy {'the link' if is_one else 'each link'} and send it to them."
    return f"{who} invited. {'They get a link by email.' if outbox.has_server() else way}"


@require_POST
@organization_page(role=Role.ADMIN)
def withdraw_invitation(request: PageRequest, invitation_id: str) -> HttpResponse:
    invitation = get_object_or_404(request.actor.organization.invitations.all(), pk=invitation_id)
    invitations.withdraw(request.actor, invitation=invitation)
    return _redirect_with(request, f"The invitation of {invitation.email} is withdrawn.")


@require_POST
@organization_page(role=Role.ADMIN)
def change_member(request: PageRequest, member_id: str) -> HttpResponse:
    """The row alone with htmx, and the page where one's own rights have changed."""
    member, form = _get_member(request, member_id), RoleForm(request.POST)
    refused = "" if form.is_valid() else "This is no role."
    try:
        if not refused:
            member = members.change_role(request.actor, member=member, role=Role(form.cleaned_data["role"]))
    except AppError as error:
        refused = error.sentence
    if request.htmx and (refused or member.user_id != request.actor.user.pk):
        row = {"member": member, "row_refused": refused, "is_saved": not refused}
        return render(request, "accounts/settings/member.html", _describe_rights(request.actor) | row)
    if refused:
        return _render(request, refused=refused, status=422)
    if request.htmx:
        return HttpResponseClientRefresh()
    return _redirect_with(request, f"{member.user.shown_name} is {member.get_role_display()} now.")


@require_http_methods(["GET", "POST"])
@organization_page()
def remove_member(request: PageRequest, member_id: str) -> HttpResponse:
    """An admin removes others; everyone may leave. GET answers what that ends, and who may take over."""
    member = _get_member(request, member_id)
    if member.user_id != request.actor.user.pk:
        request.actor.require(Role.ADMIN)
    if request.method == "GET":
        others = request.actor.organization.memberships.select_related("user").exclude(pk=member.pk)
        context = {
            "member": member,
            "counts": departures.count_belongings(member),
            "heirs": others.exclude(role=Role.VIEWER).order_by("created_at"),
        }
        return render(request, "accounts/settings/leave_menu.html", context)
    try:
        members.remove(request.actor, member=member, heir_id=request.POST.get("heir", ""))
    except AppError as error:
        return _render(request, refused=error.sentence, status=422)
    if member.user_id == request.actor.user.pk:
        return redirect("home")
    return _redirect_with(request, f"{member.user.shown_name} is no member any more. Their work stays.")


def _render(request: PageRequest, *, status: int = 200, **state: object) -> HttpResponse:
    actor, query = request.actor, request.GET.get("q", "").strip()
    everybody = actor.organization.memberships.select_related("user").order_by("created_at")
    named = Q(user__name__icontains=query) | Q(user__email__icontains=query)
    matching = everybody.filter(named) if query else everybody
    context = {
        "section": "settings",
        "subject": "Members",
        "members": matching[:MAX_LISTED],
        "matching": matching.count(),
        "max_listed": MAX_LISTED,
        "query": query,
        "has_search": everybody.count() > MAX_UNSEARCHED,
        "invitations": _list_invitations(actor),
        "sends_mail": outbox.has_server(),
    }
    return render(request, "accounts/settings/members.html", context | _describe_rights(actor) | state, status=status)


def _describe_rights(actor: Actor) -> dict[str, object]:
    roles = [(role.value, role.label, RIGHTS[role]) for role in Role]
    return {"roles": roles, "may_administrate": actor.may(Role.ADMIN)}


def _redirect_with(request: PageRequest, sentence: str) -> HttpResponse:
    messages.info(request, sentence)
    return redirect("members", request.actor.organization.pk)


def _list_invitations(actor: Actor) -> list[invitations.SentInvitation]:
    return invitations.list_sent(actor.organization.invitations.open()) if actor.may(Role.ADMIN) else []


def _get_member(request: PageRequest, member_id: str) -> Member:
    return get_object_or_404(request.actor.organization.memberships.select_related("user"), pk=member_id)
