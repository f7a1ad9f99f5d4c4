"""Pages behind the link of a mail or of an admin: an invitation, and the proof of an address."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms import JoinForm
from accounts.models import Member, User
from accounts.services import addresses, joining
from accounts.services.mail import links
from accounts.services.mail.links import OpenedInvitation
from kit.errors import AppError, NotFound


@require_http_methods(["GET", "POST"])
@login_not_required
@never_cache
@sensitive_post_parameters("password")
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Opening it answers nothing: what looks at links in mails does that too."""
    form = JoinForm(request.POST or None)
    try:
        opened = links.find_invitation(token)
        if request.method == "GET":
            return _render_page(request, opened, form)
        return _accept(request, opened, form)
    except NotFound as error:
        return render(request, "accounts/link_ended.html", {"sentence": error.sentence}, status=404)


def _accept(request: HttpRequest, opened: OpenedInvitation, form: JoinForm) -> HttpResponse:
    if isinstance(request.user, User):
        return _enter(request, joining.accept(request.user, opened))
    if not form.is_valid():
        return _render_page(request, opened, form, status=422)
    try:
        member = joining.join(opened, **form.cleaned_data)
    except NotFound:
        raise
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_page(request, opened, form, status=422)
    login(request, member.user, backend="django.contrib.auth.backends.ModelBackend")
    return _enter(request, member)


def _enter(request: HttpRequest, member: Member) -> HttpResponse:
    messages.info(request, f"Your role in {member.organization} is {member.role} now.")
    return redirect("documents", member.organization_id)


def _render_page(request: HttpRequest, opened: OpenedInvitation, form: JoinForm, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/join.html", {"form": form, "invitation": opened.invitation}, status=status)


@require_http_methods(["GET", "POST"])
@login_not_required
@never_cache
def prove_address(request: HttpRequest, token: str) -> HttpResponse:
    try:
        if request.method == "GET":
            return render(request, "accounts/prove_address.html", {"email": links.find_checked_user(token).email})
        user = addresses.prove(token)
    except NotFound as error:
        return render(request, "accounts/link_ended.html", {"sentence": error.sentence}, status=404)
    messages.info(request, f"{user.email} is proven to be yours.")
    return redirect("account" if request.user.is_authenticated else "sign-in")
