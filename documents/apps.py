from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "documents"

    def ready(self) -> None:
        # Only now: they import models. The client of models knows no rows, so it is told where to look.
        from llm import models_catalogue, provider_keys  # noqa: PLC0415
        from llm.client import pricing, providers  # noqa: PLC0415
        from llm.money import model_prices  # noqa: PLC0415

        providers.use_rows(
            stored_key=provider_keys.read_key,
            is_sealed_off=provider_keys.is_sealed_off,
            listed=models_catalogue.find_listed_provider,
        )
        pricing.use_set_prices(model_prices.find_set_price)
