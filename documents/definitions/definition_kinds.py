"""A kind of definition says how its content is read from a revision, checked, compared and written into the next one.

Schemas and prompts are two kinds. A third is one more class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import ClassVar, Generic, TypedDict, TypeVar, Unpack, cast

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import definitions
from documents.definitions.definitions import H, R
from documents.models import Prompt, PromptRevision, Revision, Schema, SchemaRevision
from kit.errors import NotFound

C = TypeVar("C", bound=Mapping[str, object])


class VersionOptions(TypedDict, total=False):
    """Conditions of a new revision.

    `expected_revid`: the latest revision that the caller has seen; Conflict when there is a newer one.
    `expected_versions` covers the name too; PreconditionFailed when it has none of them.
    `base` stands in the place of the latest: a revision that is only proposed is changed by another that is.
    `always` adds a revision even when nothing differs.
    """

    name: str | None
    expected_revid: str | None
    expected_versions: Collection[str] | None
    base: Revision | None
    proposed: bool
    always: bool


class Definition(ABC, Generic[H, R, C]):
    """A kind of definition. Its `content` is all that makes one revision differ from another."""

    heads: ClassVar[type[Schema] | type[Prompt]]
    revisions: ClassVar[type[SchemaRevision] | type[PromptRevision]]
    clearable: ClassVar[frozenset[str]] = frozenset()

    @property
    def kind(self) -> str:
        """ "schema" or "prompt", as ids, events and routes name it."""
        return self.heads.__name__.lower()

    @abstractmethod
    def read(self, revision: R) -> C:
        """The content of a revision."""

    def merge(self, former: C, changes: C) -> C:
        """The content after the changes. A part that is not given stays; so does one of None, if that says nothing."""
        given = {name: part for name, part in changes.items() if part is not None or name in self.clearable}
        return cast(C, {**former, **given})

    @abstractmethod
    def check(self, actor: Actor, content: C, former: R | None, changes: C) -> C:
        """The content as it is kept. Raises Invalid, and NotFound for rows of another organization."""

    @abstractmethod
    def is_same(self, one: C, other: C) -> bool: ...

    @abstractmethod
    def build(self, head: H, content: C) -> R:
        """A revision that is not saved yet."""

    def complete(self, actor: Actor, revision: R, content: C) -> None:
        """Writes what needs the row of the revision."""

    def require_unused(self, head: H) -> None:
        """Raises Invalid (code `in_use`) for what cannot go to the trash."""

    @transaction.atomic
    def create(self, actor: Actor, *, name: str, content: C, proposed: bool = False) -> R:
        """A new head. Conflict (with the ids of the other) when the name is taken; Invalid for the rest."""
        actor.require(definitions.get_required_role(proposed=proposed))
        checked = self.check(actor, content, None, content)
        own = {"organization": actor.organization, "created_by": actor.user}
        head = cast(H, self.heads(name=definitions.clean_name(name), **own))
        revision = self._build(actor, head, checked, number=1, proposed=proposed)
        if not proposed:
            head.latest_id = revision.pk  # at once, since references are checked at the end of a transaction
        definitions.save_head(head, force_insert=True)
        revision.save(force_insert=True)
        self.complete(actor, revision, checked)
        definitions.publish_change(actor, head, "created", proposed=proposed)
        return revision

    @transaction.atomic
    def save_version(self, actor: Actor, *, head: H, changes: C, **options: Unpack[VersionOptions]) -> R:
        """Renames, and adds a revision when anything else differs from the latest. Returns the latest (or proposed)."""
        proposed = options.get("proposed", False)
        actor.require(definitions.get_required_role(proposed=proposed))
        head = definitions.lock_head(head)
        definitions.require_latest(head, options.get("expected_revid"))
        definitions.require_head_version(head, options.get("expected_versions"))
        definitions.rename_head(actor, head, options.get("name"), proposed=proposed)
        latest = cast(R, options.get("base") or definitions.get_newest_revision(head))
        former = self.read(latest)
        after = self.merge(former, changes)
        if self.is_same(after, former) and not options.get("always"):
            return latest
        checked = self.check(actor, after, latest, changes)
        number = definitions.get_next_number(head)
        revision = self._build(actor, head, checked, number=number, proposed=proposed)
        revision.save(force_insert=True)
        self.complete(actor, revision, checked)
        if not proposed:
            definitions.put_in_force(head, revision)
        definitions.publish_change(actor, head, "revised", number=number, proposed=proposed)
        return revision

    def save_given(self, actor: Actor, head: H, given: Mapping[str, object]) -> R:
        """Saves a version of parts of the content and of options, which have other names."""
        options = {name: value for name, value in given.items() if name in VersionOptions.__annotations__}
        changes = {name: part for name, part in given.items() if name not in options}
        return self.save_version(actor, head=head, changes=cast(C, changes), **cast(VersionOptions, options))

    def return_to(
        self,
        actor: Actor,
        *,
        head: H,
        revision: Revision,
        name: str | None = None,
        base: Revision | None = None,
        proposed: bool = False,
        expected_revid: str | None = None,
    ) -> R:
        """Makes what an earlier revision said the latest again, or proposes it again, as a new revision; with `name`
        its name too."""
        earlier = cast(R, revision)
        if earlier.head.pk != head.pk:
            raise NotFound(f"{type(head).__name__} not found")
        # What nobody has accepted yet stays proposed.
        proposed = proposed or head.latest_id is None
        options: VersionOptions = {"name": name, "base": base, "proposed": proposed, "expected_revid": expected_revid}
        return self.save_version(actor, head=head, changes=self.read(earlier), **options)

    @transaction.atomic
    def trash(self, actor: Actor, *, head: H, expected_versions: Collection[str] | None = None) -> None:
        """Takes it out of every list. What it made stays, with the name of the revision that did it."""
        actor.require(Role.BUILDER)
        head = definitions.lock_head(head)
        definitions.require_head_version(head, expected_versions)
        self.require_unused(head)
        head.trashed_at = timezone.now()
        head.save()
        definitions.publish_change(actor, head, "trashed")

    def _build(self, actor: Actor, head: H, content: C, *, number: int, proposed: bool) -> R:
        revision = self.build(head, content)
        revision.number, revision.created_by = number, actor.user
        revision.status = Revision.Status.PROPOSED if proposed else Revision.Status.ACCEPTED
        return revision
