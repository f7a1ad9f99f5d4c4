"""The tools. Importing this package registers each of them."""

from agent.tools import extraction, fields, pages, prompts, schemas

__all__ = ["extraction", "fields", "pages", "prompts", "schemas"]
