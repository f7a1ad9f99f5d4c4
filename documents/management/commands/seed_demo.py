from __future__ import annotations

import time
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from accounts.services import organizations
from documents.management import demo
from kit.errors import AppError
from kit.rows.models import fold_case


class Command(BaseCommand):
    help = (
        "Fills an organization with demo documents, tags, schemas and prompts, to see DocRouter at size. "
        "All documents share one stored sample file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--documents", type=int, required=True)
        parser.add_argument("--organization", default="Demo", help="name; made when it is missing (default: Demo)")
        parser.add_argument("--prompts-revisions", type=int, default=2000, help="of prompts and as many of schemas")
        parser.add_argument("--tags", type=int, default=200)
        parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same rows")

    def handle(
        self, *, documents: int, organization: str, prompts_revisions: int, tags: int, seed: int, **options: object
    ) -> None:
        if min(documents, prompts_revisions, tags) < 0:
            raise CommandError("The numbers cannot be negative.")
        began = time.monotonic()
        try:
            actor = _admin_of(organization)
            counts = demo.seed_rows(
                actor, documents=documents, prompt_revisions=prompts_revisions, tags=tags, seed=seed
            )
            for number in counts:
                self.stdout.write(f"{number} of {documents} documents")
        except AppError as error:
            raise CommandError(error.sentence) from None
        self.stdout.write(f"{documents:,} documents in {time.monotonic() - began:.0f} s")


def _admin_of(name: str) -> Actor:
    organization = Organization.objects.filter(name_folded=fold_case(name)).first()
    if organization is None:
        return _founder_of(name)
    admin = Member.objects.select_related("user").filter(organization=organization, role=Role.ADMIN).first()
    if admin is None:
        raise CommandError(f"{organization} has no admin.")
    return enter(admin.user, organization.pk)


def _founder_of(name: str) -> Actor:
    user = User.objects.order_by("-is_superuser", "created_at").filter(is_active=True).first()
    if user is None:
        raise CommandError("There is nobody yet who could own the organization. Make a person with create_user first.")
    return enter(user, organizations.create(user, name=name, type=Organization.Type.TEAM).pk)
