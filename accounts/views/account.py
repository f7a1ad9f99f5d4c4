"""One's own account, outside of any organization: the password, and the access tokens of every reach."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts.forms import PasswordForm, ProfileForm, ThemeForm
from accounts.models import Theme, User
from accounts.services import addresses, invitations, tokens, users
from accounts.services.mail import outbox
from kit import formats
from kit.errors import AppError


@require_safe
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    return _render_page(request)


@require_POST
@never_cache
def change_profile(request: HttpRequest) -> HttpResponse:
    form, user = ProfileForm(request.POST), _get_user(request)
    if not form.is_valid():
        return _render_page(request, profile_form=form, status=422)
    users.change(user, user=user, **form.cleaned_data)
    return _redirect_with(request, "Your profile is saved.")


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme. The button in the navigation has changed the page already."""
    form, user = ThemeForm(request.POST), _get_user(request)
    if not form.is_valid():
        return HttpResponse("This is no theme.", status=422, content_type="text/plain")
    if user.theme != form.cleaned_data["theme"]:
        users.change(user, user=user, **form.cleaned_data)
    return HttpResponse(status=204)


@require_POST
@never_cache
@sensitive_post_parameters("old_password", "new_password")
def change_password(request: HttpRequest) -> HttpResponse:
    """This session goes on; every other one of the account ends."""
    form, user = PasswordForm(request.POST), _get_user(request)
    if not form.is_valid():
        return _render_page(request, password_form=form, status=422)
    old, new = form.cleaned_data["old_password"], form.cleaned_data["new_password"]
    try:
        stored = users.hash_new_password(user, user=user, new=new, old=old)
        changed = users.change(user, user=user, password_hash=stored, end_tokens=form.cleaned_data["end_tokens"])
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_page(request, password_form=form, status=422)
    update_session_auth_hash(request, changed)
    ended = " Your access tokens have ended too." if form.cleaned_data["end_tokens"] else ""
    return _redirect_with(request, f"Your password is changed. You are signed out everywhere else.{ended}")


@require_POST
def send_address_check(request: HttpRequest) -> HttpResponse:
    user = _get_user(request)
    addresses.send_check(user, user=user)
    return _redirect_with(request, f"A link is on its way to {user.email}. Open it there.")


@require_POST
def revoke_token(request: HttpRequest, token_id: str) -> HttpResponse:
    user = _get_user(request)
    token = get_object_or_404(user.access_tokens.all(), pk=token_id)
    tokens.revoke(user, token=token)
    return _redirect_with(request, f"The token “{token.name}” is revoked. Anything that uses it has lost access.")


@require_POST
def accept_invitation(request: HttpRequest, invitation_id: str) -> HttpResponse:
    user = _get_user(request)
    member = invitations.accept(user, invitation=get_object_or_404(invitations.list_waiting(user), pk=invitation_id))
    messages.info(request, f"Your role in {member.organization} is {member.role} now.")
    return redirect("documents", member.organization_id)


@require_POST
def decline_invitation(request: HttpRequest, invitation_id: str) -> HttpResponse:
    user = _get_user(request)
    invitation = get_object_or_404(invitations.list_waiting(user), pk=invitation_id)
    invitations.decline(user, invitation=invitation)
    messages.info(request, f"You declined the invitation of {invitation.organization}.")
    return redirect("home")


def _render_page(request: HttpRequest, *, status: int = 200, **state: object) -> HttpResponse:
    user = _get_user(request)
    context = {
        "invitations": invitations.list_waiting(user),
        "sends_mail": outbox.has_server(),
        "themes": Theme.choices,
        "theme": user.theme or request.COOKIES.get("theme", ""),
        "formats": formats.list_choices(),
        "tokens": user.access_tokens.select_related("organization", "connection").order_by("-created_at"),
    }
    return render(request, "accounts/account.html", context | state, status=status)


def _redirect_with(request: HttpRequest, sentence: str) -> HttpResponse:
    messages.info(request, sentence)
    return redirect("account")


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - LoginRequiredMiddleware let them in
    return request.user
