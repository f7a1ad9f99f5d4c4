"""Long documents: which pages go to the model together, what of a cut answer is kept, and one whole result of it."""

from documents.extractions.windowing.windowed_run import WindowedRun
from documents.extractions.windowing.windows import WINDOW_TOKENS

__all__ = ["WINDOW_TOKENS", "WindowedRun"]
