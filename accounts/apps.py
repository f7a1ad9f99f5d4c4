from django.apps import AppConfig
from django.contrib.admin import apps as admin

from accounts.services import access_changes


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        access_changes.connect()


class AdministrationConfig(admin.AdminConfig):
    default = False
    default_site = "accounts.administration.site.AdministrationSite"
