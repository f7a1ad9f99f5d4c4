"""Long documents: which pages go to the model together, what of a cut answer is kept, and one whole result of it."""

from documents.extractions.windowing.merging import WindowResult, add_pages
from documents.extractions.windowing.windowed_run import WindowedRun, format_spans
from documents.extractions.windowing.windows import WINDOW_TOKENS

__all__ = ["WINDOW_TOKENS", "WindowResult", "WindowedRun", "add_pages", "format_spans"]
