from django.apps import AppConfig

from accounts.services import access_changes


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        access_changes.connect()
