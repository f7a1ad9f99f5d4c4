from importlib import import_module

from django.apps import AppConfig


class BusinessDaysConfig(AppConfig):
    name = "business_days"

    def ready(self) -> None:
        import_module("business_days.tools")
