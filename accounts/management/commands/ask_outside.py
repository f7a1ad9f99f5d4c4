from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Organization
from accounts.services.outbound import fetching
from kit.errors import AppError
from kit.outbound.fetching import Bounds, Request
from kit.rows.models import fold_case


class Command(BaseCommand):
    help = "Asks an address as requests to the outside are asked, and says what came of it: for rules and firewalls."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url")
        parser.add_argument("--org", default="", help="name of the organization whose rules hold")

    def handle(self, *, url: str, org: str, **options: object) -> None:
        organization = Organization.objects.filter(name_folded=fold_case(org)).first()
        if org and organization is None:
            raise CommandError(f"There is no organization {org}.")
        bounds = Bounds(content_types=frozenset())
        try:
            answer = fetching.fetch(Request(url), purpose="manage.py", organization=organization, bounds=bounds)
        except AppError as error:
            raise CommandError(error.sentence) from None
        self.stdout.write(f"{answer.url} answered {answer.status} with {len(answer.content):,} bytes.")
