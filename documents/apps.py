from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "documents"

    def ready(self) -> None:
        # Only now: they import models. Backends know no rows, so they are told where to look.
        from documents.backends.llm import pricing, providers  # noqa: PLC0415
        from documents.model_access import model_prices, models_catalogue, provider_keys  # noqa: PLC0415

        providers.use_rows(
            stored_key=provider_keys.read_key,
            is_sealed_off=provider_keys.is_sealed_off,
            listed=models_catalogue.find_listed_provider,
        )
        pricing.use_set_prices(model_prices.find_set_price)
