from importlib import import_module

from django.apps import AppConfig


class AgentConfig(AppConfig):
    name = "agent"

    def ready(self) -> None:
        # Importing a module of tools registers them; it can only happen once the models are loaded.
        import_module("agent.tools")
        import_module("agent.conversation.departures").connect()
