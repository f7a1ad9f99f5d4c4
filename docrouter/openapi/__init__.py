"""The description of /v0: the OpenAPI document and the page that shows it."""
