"""Home, sign-in and sign-out, and the first visitor of a new installation."""

from __future__ import annotations

import math

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.forms import FirstRunForm, SignInForm
from accounts.models import Organization, User
from accounts.services import first_run, installation, invitations
from accounts.services.sign_in import devices, hashing, throttle
from kit.errors import AppError, Busy, Conflict, Denied, TooMany
from kit.http.client_address import client_address, network_of

WRONG = "The email or the password is wrong."


@require_safe
@login_not_required
def home(request: HttpRequest) -> HttpResponse:
    """The documents of the organization joined first; where to begin for everyone else."""
    if isinstance(request.user, User):
        own = Organization.objects.filter(memberships__user=request.user, closed_at=None)
        first = own.order_by("memberships__created_at").first()
        waiting = invitations.list_waiting(request.user)
        if first is None:
            return render(request, "accounts/no_organization.html", {"invitations": waiting})
        if waiting:
            messages.info(request, "You are invited to another organization. The answer is given in Your account.")
        return redirect("documents", first.pk)
    return redirect("first-run" if first_run.is_open() else "sign-in")


@require_http_methods(["GET", "POST"])
@login_not_required
@never_cache
@sensitive_post_parameters("password")
def sign_in(request: HttpRequest) -> HttpResponse:
    if first_run.is_open():
        return redirect("first-run")
    form = SignInForm(request.POST or None)
    if request.method == "GET":
        return _sign_in_page(request, form)
    if not form.is_valid():
        return _sign_in_page(request, form, WRONG, status=400)
    try:
        user = _authenticate(request, form.cleaned_data["email"], form.cleaned_data["password"])
    except (TooMany, Busy) as error:
        response = _sign_in_page(request, form, error.sentence, status=error.status)
        response["Retry-After"] = str(math.ceil(error.retry_after or 1))
        return response
    except AppError as error:
        return _sign_in_page(request, form, error.sentence, status=error.status)
    login(request, user)
    return _set_device_cookie(request, HttpResponseRedirect(_get_next_address(request)), user)


def _authenticate(request: HttpRequest, email: str, password: str) -> User:
    """Answer and work must not tell a wrong password from an account that does not exist."""
    device = devices.find_device(request.COOKIES.get(devices.COOKIE, ""), email)
    attempt = throttle.begin_attempt("sign-in", address=client_address(request), account=email, device=device)
    try:
        with hashing.take_place(network_of(client_address(request))):
            user = authenticate(request, username=email, password=password)
    except Busy:
        attempt.withdraw()
        raise
    if not isinstance(user, User):
        raise Denied(WRONG)
    attempt.succeed()
    return user


def _set_device_cookie(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
    response.set_cookie(
        devices.COOKIE,
        devices.remember_device(request.COOKIES.get(devices.COOKIE, ""), user),
        max_age=devices.LIFETIME_SECONDS,
        path=reverse("sign-in"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _sign_in_page(request: HttpRequest, form: SignInForm, sentence: str = "", *, status: int = 200) -> HttpResponse:
    context = {"form": form, "sentence": sentence, "next": request.POST.get("next") or request.GET.get("next", "")}
    return render(request, "accounts/sign_in.html", context, status=status)


def _get_next_address(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    hosts, secure = {request.get_host()}, request.is_secure()
    return target if url_has_allowed_host_and_scheme(target, allowed_hosts=hosts, require_https=secure) else "/"


@require_POST
@login_not_required
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("sign-in")


@require_http_methods(["GET", "POST"])
@login_not_required
@never_cache
@sensitive_post_parameters("password", "code")
def set_up(request: HttpRequest) -> HttpResponse:
    """Makes the first admin and organization, once. Afterwards this page leads to the sign-in."""
    if not first_run.is_open():
        return redirect("sign-in")
    form, free = FirstRunForm(request.POST or None), _is_local_visitor(request)
    if request.method == "GET":
        return _set_up_page(request, form, free)
    if not form.is_valid():
        return _set_up_page(request, form, free, status=400)
    try:
        attempt = throttle.begin_attempt("first-run", address=client_address(request))
        user, organization = first_run.claim(**form.cleaned_data, free=free)
        attempt.succeed()
    except Conflict:
        return redirect("sign-in")
    except AppError as error:
        form.add_error(None, error.sentence)
        return _set_up_page(request, form, free, status=error.status)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return _set_device_cookie(request, redirect("documents", organization.pk), user)


def _set_up_page(request: HttpRequest, form: FirstRunForm, free: bool, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "free": free, "parts": installation.list_parts(), "offline": installation.is_offline()}
    return render(request, "accounts/first_run.html", context, status=status)


def _is_local_visitor(request: HttpRequest) -> bool:
    headers = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
    forwarded = any(name in request.headers for name in headers)
    return first_run.is_local_visitor(
        remote_address=client_address(request), host=request.get_host(), forwarded=forwarded
    )


@login_not_required
def admin_sign_in(request: HttpRequest) -> HttpResponse:
    """The admin's own sign-in counts no attempts, so ours stands in its place."""
    if request.user.is_authenticated:
        raise Denied("The administration is for system admins.")
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
