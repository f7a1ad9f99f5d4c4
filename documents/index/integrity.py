"""The check of all indexes: each document is compared with what it is found by, and what differs is mended."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from django.db import DatabaseError

from accounts.actor import Actor
from accounts.models import Organization
from accounts.services import audit
from documents.index.checked_index import CheckedIndex, Fault
from documents.index.values.integrity import CheckedValues
from documents.index.vectors.integrity import CheckedVectors
from documents.index.words.integrity import CheckedWords, repair_list, verify_list
from documents.models import Document
from kit.errors import AppError, Conflict

log = logging.getLogger(__name__)
AT_ONCE, MAX_NOTED = 200, 10
Verify: TypeAlias = Callable[[], Iterator[Fault]]


@dataclass(frozen=True)
class Finding:
    """`about` names whose fault it is. `outcome` is what has become of it, in a word or two."""

    about: str
    problem: str
    outcome: str

    @property
    def is_left(self) -> bool:
        return self.outcome != REPAIRED


REPAIRED, LEFT, FAILED, BY_HAND = "repaired", "not repaired", "could not be repaired", "needs a person"


@dataclass
class IntegrityCheck:
    """`repairs`: without it nothing is written. `documents` counts those that were looked at."""

    repairs: bool = True
    documents: int = 0

    def run(self) -> Iterator[Finding]:
        """May be broken off at any time and begun anew. What is indexed meanwhile is no fault."""
        for index in (CheckedWords(), CheckedVectors(), CheckedValues()):
            yield from self._settle("All organizations", index.verify_rest, index.repair_rest)
        for organization in Organization.objects.order_by("pk").iterator():
            yield from self._check_organization(organization)

    def _check_organization(self, organization: Organization) -> Iterator[Finding]:
        indexes = _prepare_indexes(organization)
        for document in _iterate_documents(organization):
            self.documents += 1
            yield from self.check_document(document, indexes)
        about = f"{organization.name} ({organization.pk})"
        yield from self._settle(about, partial(verify_list, organization), partial(repair_list, organization))

    def check_document(self, document: Document, indexes: Iterable[CheckedIndex]) -> Iterator[Finding]:
        """Verifies twice where something is wrong: a worker may have been in the middle of it."""
        for index in indexes:
            if any(index.verify(document)):
                about = f"{document.name} ({document.pk})"
                yield from self._settle(about, partial(index.verify, document), partial(index.repair, document))

    def _settle(self, about: str, verify: Verify, repair: Callable[[], None]) -> Iterator[Finding]:
        """Repairs once for all faults, which are all known before."""
        faults = list(verify())
        outcome = self._repair(about, repair) if any(not fault.needs_person for fault in faults) else BY_HAND
        for fault in faults:
            yield Finding(about, fault.problem, BY_HAND if fault.needs_person else outcome)

    def _repair(self, about: str, repair: Callable[[], None]) -> str:
        if not self.repairs:
            return LEFT
        try:
            repair()
        except (AppError, DatabaseError):
            log.exception("an index could not be repaired: %s", about)
            return FAILED
        return REPAIRED


def mend_document(actor: Actor, *, document: Document) -> None:
    """Raises Conflict with what only a person can mend."""
    findings = list(IntegrityCheck().check_document(document, _prepare_indexes(actor.organization)))
    if findings:
        problems = [finding.problem for finding in findings]
        audit.record(actor, "mended the index", document, faults=problems[:MAX_NOTED])
    if left := [finding.problem for finding in findings if finding.is_left]:
        raise Conflict(" ".join(left[:MAX_NOTED]))


def _prepare_indexes(organization: Organization) -> tuple[CheckedIndex, ...]:
    return CheckedWords(), CheckedVectors.prepare(organization), CheckedValues()


def _iterate_documents(organization: Organization) -> Iterator[Document]:
    """By their ids, some at a time: no transaction is open meanwhile. Also those in the trash."""
    last = ""
    while rows := list(
        Document.objects.filter(organization=organization, pk__gt=last)
        .select_related("organization")
        .order_by("pk")[:AT_ONCE]
    ):
        yield from rows
        last = rows[-1].pk
