from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "documents"

    def ready(self) -> None:
        # Only now: they import models. Backends know no rows, so they are told where stored keys are.
        from documents.backends.llm import providers  # noqa: PLC0415
        from documents.services import provider_keys  # noqa: PLC0415

        providers.use_stored_keys(provider_keys.opened)
