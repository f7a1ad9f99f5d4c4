from __future__ import annotations

from argparse import ArgumentParser
from getpass import getpass

from django.core.management.base import BaseCommand, CommandError

from accounts.services import users
from kit import env
from kit.errors import AppError


class Command(BaseCommand):
    help = "Makes a person. The password is asked for, or comes from the variable USER_PASSWORD."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--email", required=True)
        parser.add_argument("--name", default="")
        parser.add_argument("--admin", action="store_true", help="a system admin, who may enter the administration")

    def handle(self, *, email: str, name: str, admin: bool, **options: object) -> None:
        password = env.text("USER_PASSWORD") or getpass("Password: ")
        try:
            user = users.create(None, email=email, password=password, name=name, is_superuser=admin)
        except AppError as error:
            raise CommandError(error.sentence) from None
        self.stdout.write(f"{user.email} can sign in. Id:\n{user.pk}")
