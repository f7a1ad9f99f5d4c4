"""The check of all indexes: each document is compared with what it is found by, and what differs is mended."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import DatabaseError

from accounts.actor import Actor
from accounts.models import Organization
from accounts.services import audit
from documents.index.faults import Fault, Find
from documents.index.values import integrity as values
from documents.index.vectors import integrity as vectors
from documents.index.vectors.integrity import VectorCheck
from documents.index.words import integrity as words
from documents.models import Document
from kit.errors import AppError, Conflict

log = logging.getLogger(__name__)
AT_ONCE, MAX_NOTED = 200, 10


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
        for find in (words.find_orphans, vectors.find_orphans, values.find_orphans):
            yield from (self._settle("All organizations", fault) for fault in find())
        for organization in Organization.objects.order_by("pk").iterator():
            yield from self._check_organization(organization)

    def _check_organization(self, organization: Organization) -> Iterator[Finding]:
        finds = _list_finds(organization)
        for document in _iterate_documents(organization):
            self.documents += 1
            yield from self.check_document(document, finds)
        for fault in words.find_list_faults(organization):
            yield self._settle(f"{organization.name} ({organization.pk})", fault)

    def check_document(self, document: Document, finds: Iterable[Find]) -> Iterator[Finding]:
        """Twice where something is wrong: a worker may have been in the middle of it."""
        for find in finds:
            if any(find(document)):
                for fault in find(document):
                    yield self._settle(f"{document.name} ({document.pk})", fault)

    def _settle(self, about: str, fault: Fault) -> Finding:
        return Finding(about, fault.problem, self._repair(fault))

    def _repair(self, fault: Fault) -> str:
        if fault.repair is None:
            return BY_HAND
        if not self.repairs:
            return LEFT
        try:
            fault.repair()
        except (AppError, DatabaseError):
            log.exception("%s", fault.problem)
            return FAILED
        return REPAIRED


def mend_document(actor: Actor, *, document: Document) -> None:
    """Raises Conflict with what only a person can mend."""
    findings = list(IntegrityCheck().check_document(document, _list_finds(actor.organization)))
    if findings:
        problems = [finding.problem for finding in findings]
        audit.record(actor, "mended the index", document, faults=problems[:MAX_NOTED])
    if left := [finding.problem for finding in findings if finding.is_left]:
        raise Conflict(" ".join(left[:MAX_NOTED]))


def _list_finds(organization: Organization) -> tuple[Find, ...]:
    return words.find_faults, VectorCheck.prepare(organization).find_faults, values.find_faults


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
