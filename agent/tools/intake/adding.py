"""A document that is brought in: a text, the bytes of a file, or what an address answers."""

from __future__ import annotations

import base64
import binascii
from dataclasses import asdict
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.files.base import ContentFile

from accounts.services.outbound.fetching import fetch
from accounts.services.outbound.rules import make_rules
from agent.toolkit.previews import ArgumentRow, Preview, format_count
from agent.toolkit.registry import Draft, Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.documents.tag_effects import describe_effect
from agent.tools.hooks import inverse_by
from documents.catalog.media_types import MEDIA_TYPES, get_extension
from documents.definitions.tags import require_tags
from documents.intake import uploads
from documents.intake.many_parts import MAX_UNASKED, count_parts
from documents.intake.uploads import KeptFile
from documents.models import Document, Tag
from documents.reading import reading
from kit.cleanup import on_failure
from kit.errors import Invalid, Upstream
from kit.outbound.fetching import Bounds, Request
from kit.outbound.targets import parse_target

SOURCES = ("text", "content", "url")
ONE_SOURCE = "Give one of text, content or url: what the document holds, or where it is."
NO_NAME = "Give the document a name with its extension, such as Letter.txt or Invoice 17.pdf."
NO_BASE64 = "content is no base64. Send the bytes of the file as base64, or a text as text."
TOO_LONG = "{name} has {count:,} characters; {most:,} is the most in a call. Larger files are fetched by url."
MANY = (
    "{name} holds {number} files, and each becomes a document. Send unpack_many: true if your user wants them all; the "
    "card says how many."
)
ANY_NUMBER = "If an archive or a mail is there, each file in it becomes a document, however many these are."
ONE = "Adds one document, which is read like an upload."
WITH_PARTS = "Adds one document and {} out of it, which are read like uploads."
MAX_CHARACTERS = 1_000_000
FETCH_SECONDS = 60
# What taking it back rests on.
AS_ADDED = ("name", "tag_ids", "metadata", "verified", "trash")
SHOWN = 2_000


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """Refused here is what would be refused when it runs, as far as it is known without asking the address."""
    if sum(bool(arguments.get(name)) for name in SOURCES) != 1:
        raise Invalid(ONE_SOURCE)
    for name in ("text", "content"):
        if (count := len(arguments.get(name) or "")) > MAX_CHARACTERS:
            raise Invalid(TOO_LONG.format(name=name, count=count, most=MAX_CHARACTERS))
    tags = lookup.find_tags(context, arguments.get("tag_ids") or [])
    pinned = {**arguments, **({"tag_ids": [tag.pk for tag in tags]} if tags else {})}
    if url := arguments.get("url"):
        target = parse_target(url)
        make_rules(context.actor.organization).require_target(target, first=target)
    else:
        pinned["name"], _, _ = uploads.check_file(_require_name(arguments), _read_bytes(arguments))
        if (number := _count_parts(pinned)) > MAX_UNASKED and not arguments.get("unpack_many"):
            raise Invalid(MANY.format(name=pinned["name"], number=number))
    return pinned


def _count_parts(arguments: Arguments) -> int:
    return count_parts(MEDIA_TYPES[get_extension(arguments["name"])], _read_bytes(arguments))


def _require_name(arguments: Arguments) -> str:
    name = str(arguments.get("name") or "").strip()
    if not name:
        raise Invalid(NO_NAME)
    return f"{name}.txt" if arguments.get("text") and get_extension(name) not in MEDIA_TYPES else name


def _read_bytes(arguments: Arguments) -> ContentFile[bytes]:
    if text := arguments.get("text"):
        return ContentFile(str(text).encode())
    try:
        return ContentFile(base64.b64decode(str(arguments["content"]), validate=True))
    except (binascii.Error, ValueError):
        raise Invalid(NO_BASE64) from None


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    """Everybody sees it in the list, and it may start what runs on new documents."""
    return Reach.ORGANIZATION


def _goes_outside(arguments: Arguments) -> bool:
    return bool(arguments.get("url"))


def _takes_any_number(arguments: Arguments) -> bool:
    """No rule allows how many documents come out of an archive: the card says that of each."""
    return bool(arguments.get("unpack_many"))


def _preview(context: ToolContext, arguments: Arguments) -> Preview:
    tags = list(Tag.objects.for_org(context.actor.organization).filter(pk__in=arguments.get("tag_ids") or []))
    name = arguments.get("name") or _name_of_address(arguments["url"])
    rows: list[ArgumentRow] = [{"name": "Name", "value": name or "as its address says"}]
    warnings, parts = [], 0
    if url := arguments.get("url"):
        rows.append({"name": "Address", "value": url})
        warnings.append("DocRouter asks this address. All that it says leaves DocRouter.")
        warnings += [ANY_NUMBER] if arguments.get("unpack_many") else []
    else:
        _, digest, size = uploads.check_file(name, _read_bytes(arguments))
        rows.append({"name": "Size", "value": f"{size:,} bytes"})
        parts = _count_parts({**arguments, "name": name})
        if same := Document.objects.for_org(context.actor.organization).filter(sha256=digest).first():
            warnings.append(f"The same file is here already: {same.name}.")
    if tags:
        rows.append({"name": "Tags", "value": ", ".join(tag.name for tag in tags)})
    return {
        "title": f"Add {name or 'a document'}",
        "done": f"Added {name or 'a document'}",
        "rows": rows,
        "text": str(arguments.get("text") or "")[:SHOWN],
        "effect": describe_effect(tags, WITH_PARTS.format(format_count(parts, "document")) if parts else ONE),
        "warnings": warnings,
    }


def _store(context: ToolContext, draft: Draft) -> Result:
    file = KeptFile(**draft["file"])
    with on_failure(lambda: uploads.discard(file)):
        tags = require_tags(context.actor, draft["tag_ids"])
        # No client can send this one: a line break is not printable.
        document = uploads.build_document(context.actor, file, key=f"\ncall {context.call_id}")
        uploads.create_document(
            context.actor, document, tags, start_reading=lambda: reading.start(context.actor, document=document)
        )
    result: Result = {"document_id": document.pk, "document_name": document.name}
    if same := document.duplicate_of:
        result["same_file_as"] = {"document_id": same.pk, "document_name": same.name}
    return result


@tool(
    category="document",
    access="write",
    effect="prepared",
    title="Add a document",
    icon="i-file-plus",
    creates=True,
    resolve=_resolve,
    reach=_reach,
    preview=_preview,
    apply=_store,
    inverse=inverse_by("uploads.trash", "document", AS_ADDED),
    goes_outside=_goes_outside,
    is_persons_word=_takes_any_number,
    unlisted=("content",),
    is_rare=True,
)
def add_document(
    context: ToolContext,
    name: str | None = None,
    text: str | None = None,
    content: str | None = None,
    url: str | None = None,
    tag_ids: list[str] | None = None,
    unpack_many: bool = False,
) -> Draft:
    """Brings a document in: a text, the bytes of a file, or the file at an address. It is then read like an upload.

    name: with its extension, such as Letter.txt; may be left out where an address says it
    text: what it holds
    content: instead the bytes of the file as base64, 700 kB at most; larger files by url
    url: instead the http or https address of the file
    tag_ids: ids or names of tags that it gets
    unpack_many: true takes an archive or mail of more than 20 files, each of which becomes a document
    """
    if url:
        name, file = _fetch(context, url, name or "")
    else:
        name, file = name or "", _read_bytes({"text": text, "content": content})
    kept = uploads.keep_file(context.actor, name=name, content=file, unpack_many=unpack_many)
    return {"file": asdict(kept), "tag_ids": tag_ids or []}


def _fetch(context: ToolContext, url: str, name: str) -> tuple[str, ContentFile[bytes]]:
    bounds = Bounds(settings.MAX_UPLOAD_MB * 1024 * 1024, seconds=FETCH_SECONDS, content_types=frozenset())
    organization, user = context.actor.organization, context.actor.user
    answer = fetch(Request(url), purpose="a document to add", organization=organization, user=user, bounds=bounds)
    if answer.status != 200:
        raise Upstream(f"The address answers {answer.status} in place of a file.")
    name = name or _name_of_address(answer.url) or "Document"
    if get_extension(name) not in MEDIA_TYPES:
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        name += next((f".{extension}" for extension, known in MEDIA_TYPES.items() if known == kind), "")
    return name, ContentFile(answer.content)


def _name_of_address(url: str) -> str:
    return unquote(urlsplit(url).path).rpartition("/")[2][:200]
