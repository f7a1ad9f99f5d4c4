"""Value checks: what must hold between the values of an extraction, judged by the product and never by a model."""
