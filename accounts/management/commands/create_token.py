from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Organization, Role, User
from accounts.services import tokens
from kit.errors import AppError
from kit.rows.models import fold_case


class Command(BaseCommand):
    help = "Makes an access token and prints it alone on the last line. It is not shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--email", required=True, help="whose token it is")
        reach = parser.add_mutually_exclusive_group(required=True)
        reach.add_argument("--org", help="name or id of the organization that it opens")
        reach.add_argument("--account", action="store_true", help="opens every organization of the person")
        parser.add_argument("--name", required=True)
        limits = parser.add_mutually_exclusive_group()
        limits.add_argument("--role-ceiling", default="", choices=Role.values, help="the most that it may do")
        limits.add_argument("--upload-only", action="store_true", help="it uploads documents and does nothing else")
        parser.add_argument("--days", type=int, default=0, help="lifetime; 0, the default, never ends")

    def handle(self, *, email: str, org: str | None, name: str, **options: Any) -> None:
        user = User.objects.filter(email=User.objects.normalize_email(email)).first()
        if user is None:
            raise CommandError(f"Nobody here has the e-mail {email}.")
        try:
            _, secret = tokens.create(
                user,
                name=name,
                organization=_organization(org) if org else None,
                lifetime_days=options["days"],
                role_ceiling=options["role_ceiling"],
                upload_only=options["upload_only"],
            )
        except AppError as error:
            raise CommandError(error.sentence) from None
        self.stdout.write(secret)


def _organization(name: str) -> Organization:
    organization = (
        Organization.objects.filter(name_folded=fold_case(name)).first() or Organization.objects.filter(pk=name).first()
    )
    if organization is None:
        raise CommandError(f"There is no organization {name}.")
    return organization
