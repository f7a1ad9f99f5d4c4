"""A forgotten password: who asks for a link to a new one, and who comes by it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.forms import ForgottenPasswordForm, NewPasswordForm
from accounts.services import password_resets
from accounts.services.mail import links, outbox
from kit.errors import AppError, Busy, NotFound, TooMany
from kit.http.client_address import client_address


@require_http_methods(["GET", "POST"])
@login_not_required
@never_cache
def ask_for_password(request: HttpRequest) -> HttpResponse:
    """The answer does not tell whether the address has an account."""
    form = ForgottenPasswordForm(request.POST or None)
    if request.method == "GET":
        return _render_request(request, form)
    if not form.is_valid():
        return _render_request(request, form, status=422)
    email = form.cleaned_data["email"]
    try:
        password_resets.request_link(email, address=client_address(request))
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_request(request, form, status=error.status, retry_after=_get_wait(error))
    return _render_request(request, form, asked_for=email)


def _get_wait(error: AppError) -> float:
    return error.retry_after or 1 if isinstance(error, TooMany | Busy) else 0


def _render_request(
    request: HttpRequest,
    form: ForgottenPasswordForm,
    *,
    asked_for: str = "",
    status: int = 200,
    retry_after: float = 0,
) -> HttpResponse:
    context = {"form": form, "asked_for": asked_for, "sends_mail": outbox.has_server()}
    if not context["sends_mail"]:
        context["contact"] = password_resets.find_contact()
    response = render(request, "accounts/forgotten_password.html", context, status=status)
    if retry_after:
        response["Retry-After"] = str(max(1, round(retry_after)))
    return response


@require_http_methods(["GET", "POST"])
@login_not_required
@never_cache
@sensitive_post_parameters("password")
@sensitive_variables("token")
def set_password(request: HttpRequest, user_id: str, token: str) -> HttpResponse:
    """Opening it uses nothing up: what looks at links in mails does that too."""
    form = NewPasswordForm(request.POST or None)
    try:
        if request.method == "GET":
            user = links.find_reset_user(user_id, token)
            return _render_reset(request, form, user.email)
        return _set_password(request, form, user_id, token)
    except NotFound as error:
        return render(request, "accounts/link_ended.html", {"sentence": error.sentence}, status=404)


def _set_password(request: HttpRequest, form: NewPasswordForm, user_id: str, token: str) -> HttpResponse:
    user = links.find_reset_user(user_id, token)
    if not form.is_valid():
        return _render_reset(request, form, user.email, status=422)
    try:
        password_resets.set_password(
            user_id, token, new=form.cleaned_data["password"], end_tokens=form.cleaned_data["end_tokens"]
        )
    except NotFound:
        raise
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render_reset(request, form, user.email, status=422)
    messages.info(request, "Your password is set. You are signed out everywhere: sign in with it.")
    return redirect("sign-in")


def _render_reset(request: HttpRequest, form: NewPasswordForm, email: str, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/set_password.html", {"form": form, "email": email}, status=status)
