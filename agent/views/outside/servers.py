"""The page of outside MCP servers: what their tools say of themselves, and which of them are on."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from agent.forms import OutsideServerForm, OutsideToolForm
from agent.models import OutsideServer, OutsideTool
from agent.outside import listing_runs, servers
from agent.outside.known_servers import KNOWN_SERVERS
from kit.errors import AppError, Conflict, Invalid

MAX_SHOWN = 12


@require_GET
@organization_page(role=Role.BUILDER)
def list_servers(request: PageRequest) -> HttpResponse:
    """The page; it asks for its list alone while a server is being asked."""
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "agent/outside/servers.html", _read_rows(request))
    known = KNOWN_SERVERS.get(request.GET.get("known", ""))
    form = OutsideServerForm(initial=known._asdict() if known else None)
    return _page(request, form, key=known.key if known else "")


@require_POST
@organization_page(role=Role.ADMIN)
def add(request: PageRequest) -> HttpResponse:
    """Stores what has just answered; with `untried` also what does not."""
    form = OutsideServerForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    is_untried = "untried" in request.POST
    try:
        added = _add_untried(request, form) if is_untried else _add_tried(request, form)
    except AppError as error:
        may_leave_out = not isinstance(error, Invalid | Conflict)
        if request.htmx:
            return render(request, "agent/outside/tried.html", {"problem": error.sentence, "may_add": may_leave_out})
        form.add_error(None, error.sentence)
        return _page(request, form, status=422, may_add=may_leave_out)
    messages.success(request, f"{added} Each is off until you switch it on.")
    return redirect_unless_staying(request, reverse("outside", args=(request.actor.organization.pk,)))


def _add_tried(request: PageRequest, form: OutsideServerForm) -> str:
    server, count = listing_runs.add_tried(request.actor, **form.cleaned_data)
    return f"{server.name} is added with {count} tool{'s' * (count != 1)}."


def _add_untried(request: PageRequest, form: OutsideServerForm) -> str:
    server = servers.add_server(request.actor, **form.cleaned_data)
    return f"{server.name} is added and asked for its tools."


@require_POST
@organization_page(role=Role.ADMIN)
def try_connection(request: PageRequest) -> HttpResponse:
    """Asks the server in the form for its tools, and stores nothing."""
    form = OutsideServerForm({"name": "server", **request.POST.dict()})
    if not form.is_valid():
        return render(request, "agent/outside/tried.html", {"problem": "Enter the address of the server."})
    try:
        server = servers.build_server(request.actor, **form.cleaned_data | {"name": "server"})
        listed = listing_runs.try_server(server, user=request.actor.user)
    except AppError as error:
        return render(request, "agent/outside/tried.html", {"problem": error.sentence})
    return render(request, "agent/outside/tried.html", {"tools": listed[:MAX_SHOWN], "count": len(listed)})


@require_POST
@organization_page(role=Role.ADMIN)
def list_again(request: PageRequest, server_id: str) -> HttpResponse:
    server = _fetch_server(request, server_id)
    servers.list_again(request.actor, server=server)
    messages.info(request, f"{server.name} is being asked for its tools.")
    return redirect("outside", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.ADMIN)
def remove(request: PageRequest, server_id: str) -> HttpResponse:
    server = _fetch_server(request, server_id)
    servers.remove_server(request.actor, server=server)
    messages.info(request, f"{server.name} is removed with its tools. Their work stays in the record.")
    return redirect("outside", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.ADMIN)
def change_secret(request: PageRequest, server_id: str) -> HttpResponse:
    """Stores a secret that the server has just taken; with `untried` also one that it has not."""
    server = _fetch_server(request, server_id)
    given = {"header": request.POST.get("header", ""), "secret": request.POST.get("secret", "")}
    try:
        saved = _change_secret(request, server, given)
    except AppError as error:
        if request.htmx:
            may_save = not isinstance(error, Invalid)
            context = {"problem": error.sentence, "may_add": may_save, "anyway": "Save anyway"}
            return render(request, "agent/outside/tried.html", context)
        messages.error(request, f"{error.sentence} Nothing was saved.")
        return redirect("outside", request.actor.organization.pk)
    messages.success(request, saved)
    return redirect_unless_staying(request, reverse("outside", args=(request.actor.organization.pk,)))


def _change_secret(request: PageRequest, server: OutsideServer, given: dict[str, str]) -> str:
    if "untried" in request.POST:
        servers.change_secret(request.actor, server=server, **given)
        return f"Saved untried. {server.name} is asked with it from now on."
    count = listing_runs.change_tried_secret(
        request.actor, server=server, header=given["header"], secret=given["secret"]
    )
    return f"Saved. {server.name} answered with {count} tool{'s' * (count != 1)}."


@require_POST
@organization_page(role=Role.ADMIN)
def switch(request: PageRequest, tool_id: str) -> HttpResponse:
    tool = fetch(request.actor, OutsideTool.objects.select_related("server"), tool_id, noun="Tool")
    form = OutsideToolForm(request.POST)
    if not form.is_valid():
        raise Invalid("Say whether the tool is to be on.")
    try:
        tool = servers.switch_tool(request.actor, tool=tool, **form.cleaned_data)
    except (Conflict, Invalid) as error:
        messages.error(request, error.sentence)
    else:
        messages.info(request, f"{tool.tool} is {'on: each call of it is a card' if tool.is_on else 'off'}.")
    return redirect("outside", request.actor.organization.pk)


def _fetch_server(request: PageRequest, server_id: str) -> OutsideServer:
    return fetch(request.actor, OutsideServer.objects.all(), server_id, noun="Server")


def _read_rows(request: PageRequest) -> dict[str, object]:
    rows = OutsideServer.objects.for_org(request.actor.organization).select_related("created_by")
    shown = Prefetch("tools", OutsideTool.objects.select_related("seen_by"))
    listed = list(rows.prefetch_related(shown))
    is_asking = any(servers.is_being_listed(server) for server in listed)
    return {"servers": listed, "is_asking": is_asking, "may_change": request.actor.may(Role.ADMIN)}


def _page(
    request: PageRequest, form: OutsideServerForm, *, status: int = 200, may_add: bool = False, key: str = ""
) -> HttpResponse:
    context = {
        "section": "settings",
        "subject": "Outside servers",
        "form": form,
        "known": KNOWN_SERVERS,
        "key": key,
        "may_add": may_add,
        **_read_rows(request),
    }
    return render(request, "agent/outside/page.html", context, status=status)
