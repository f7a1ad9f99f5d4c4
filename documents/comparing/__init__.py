"""Two texts side by side: which passages stand in both, and what was changed, added, removed or moved.

No model takes part. A text is cut into sentences and rows, equal ones are matched, and only what is left between them
is compared word by word. Lines, pages, running heads and the numbers of clauses may differ without being a difference.
"""

from documents.comparing.comparing import compare_readings
from documents.comparing.results import Change, Comparison, Side, Stretch

__all__ = ["Change", "Comparison", "Side", "Stretch", "compare_readings"]
