"""The organization's settings: name, default prompt and switches, members with roles, access tokens."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.actor import Actor
from accounts.forms import MemberForm, OrganizationForm, RoleForm, TokenForm
from accounts.models import AccessToken, Member, Role
from accounts.services import invitations, members, organizations, tokens
from accounts.services.mail import outbox
from accounts.views.pages import PageRequest, organization_page
from kit.errors import AppError

NO_ANSWER = "Whatever used it, or a token that it made, gets no answer any more."


@require_GET
@organization_page()
def settings(request: PageRequest) -> HttpResponse:
    return _render_page(request)


@require_POST
@organization_page(role=Role.ADMIN)
def change(request: PageRequest) -> HttpResponse:
    form = OrganizationForm(request.POST)
    if not form.is_valid():
        return _render_page(request, organization_form=form, status=422)
    try:
        organizations.change(request.actor, **form.cleaned_data)
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_page(request, organization_form=form, status=422)
    return _redirect_with(request, "Saved.")


@require_POST
@organization_page(role=Role.ADMIN)
def stop_agent(request: PageRequest) -> HttpResponse:
    """`on` stops every turn of the agent; without it they go on."""
    stopped = "on" in request.POST
    organizations.stop_agent(request.actor, stopped=stopped)
    return _redirect_with(request, "The agent is stopped." if stopped else "The agent may work again.")


@require_POST
@organization_page(role=Role.ADMIN)
def keep_text_local(request: PageRequest) -> HttpResponse:
    """`on` keeps document text on this machine; without it every model may be used."""
    local = "on" in request.POST
    organizations.keep_text_local(request.actor, local=local)
    return _redirect_with(request, "Document text stays on this machine." if local else "Every model may be used.")


@require_POST
@organization_page(role=Role.ADMIN)
def invite_member(request: PageRequest) -> HttpResponse:
    """Whoever has the address may join. The answer is the same whether or not it has an account."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _render_page(request, member_form=form, status=422)
    email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
    try:
        invitation = invitations.invite(request.actor, email=email, role=role)
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_page(request, member_form=form, status=422)
    way = (
        "A link goes there by mail."
        if outbox.has_server()
        else "No mail is sent from here: hand them the link that stands here."
    )
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
        return _render_page(request, refused="This is no role.", status=422)
    try:
        members.change_role(request.actor, member=member, role=Role(form.cleaned_data["role"]))
    except AppError as error:
        return _render_page(request, refused=error.sentence, status=422)
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
        return _render_page(request, refused=error.sentence, status=422)
    if member.user_id == request.actor.user.pk:
        return redirect("home")
    return _redirect_with(request, f"{member.user.shown_name} is no member any more. Their work stays.")


@require_POST
@never_cache
@organization_page()
def new_token(request: PageRequest) -> HttpResponse:
    """The answer shows the secret, this once; it is not kept, so there is no page to go to."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _render_page(request, token_form=form, status=422)
    everywhere, rights = form.cleaned_data["reach"] == "account", form.cleaned_data["rights"]
    try:
        token, secret = tokens.create(
            request.actor.user,
            name=form.cleaned_data["name"],
            organization=None if everywhere else request.actor.organization,
            lifetime_days=form.cleaned_data["lifetime_days"],
            role_ceiling="" if rights == "upload" else rights,
            upload_only=rights == "upload",
        )
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_page(request, token_form=form, status=422)
    return _render_page(request, new_token=token, secret=secret)


@require_POST
@organization_page()
def revoke_token(request: PageRequest, token_id: str) -> HttpResponse:
    token = get_object_or_404(_list_tokens(request.actor), pk=token_id)
    tokens.revoke(request.actor.user, token=token)
    return _redirect_with(request, f"The token “{token.name}” is revoked. {NO_ANSWER}")


def _render_page(request: PageRequest, *, status: int = 200, **state: object) -> HttpResponse:
    actor = request.actor
    context = {
        "section": "settings",
        "members": actor.organization.memberships.select_related("user").order_by("created_at"),
        "invitations": _list_invitations(actor),
        "sends_mail": outbox.has_server(),
        "tokens": _list_tokens(actor).select_related("user", "connection").order_by("-created_at"),
        "roles": Role.choices,
        "lifetimes": TokenForm.LIFETIMES,
        "reaches": TokenForm.REACHES,
        "rights": TokenForm.RIGHTS,
        "may_administrate": actor.may(Role.ADMIN),
    }
    return render(request, "accounts/settings/settings.html", context | state, status=status)


def _list_invitations(actor: Actor) -> list[invitations.SentInvitation]:
    return invitations.list_sent(actor.organization.invitations.open()) if actor.may(Role.ADMIN) else []


def _redirect_with(request: PageRequest, sentence: str) -> HttpResponse:
    messages.info(request, sentence)
    return redirect("settings", request.actor.organization.pk)


def _get_member(request: PageRequest, member_id: str) -> Member:
    return get_object_or_404(request.actor.organization.memberships.select_related("user"), pk=member_id)


def _list_tokens(actor: Actor) -> QuerySet[AccessToken]:
    """One's own for this organization and for the whole account; an admin's page has those of every member here."""
    here = Q(organization=actor.organization)
    if not actor.may(Role.ADMIN):
        here &= Q(user=actor.user)
    return AccessToken.objects.filter(here | Q(user=actor.user, organization=None))
