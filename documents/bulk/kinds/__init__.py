"""The kinds of bulk actions, one class each."""

from documents.bulk.kinds.asking import Ask
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut
from documents.bulk.kinds.changing import ChangeDocuments, RevertDocuments
from documents.bulk.kinds.downloading import Download
from documents.bulk.kinds.judging import JudgeAgain, TakeJudgementBack
from documents.bulk.kinds.retrying import Retry
from documents.bulk.kinds.running import RunPrompt, WithdrawRuns
from documents.bulk.kinds.set_types import SetType, TakeTypeBack
from documents.bulk.kinds.setting_up import SetUp
from documents.bulk.kinds.tagging import SetTag, TakeTagOff
from documents.bulk.kinds.trashing import DeleteForGood, MoveToTrash, Restore
from documents.bulk.kinds.verifying import TakeVerificationBack, Verify
from kit.errors import Invalid

KINDS: dict[str, BulkKind] = {
    str(each.kind): each
    for each in (
        SetTag(),
        TakeTagOff(),
        SetType(),
        TakeTypeBack(),
        RunPrompt(),
        WithdrawRuns(),
        SetUp(),
        Verify(),
        TakeVerificationBack(),
        Download(),
        MoveToTrash(),
        Restore(),
        DeleteForGood(),
        Retry(),
        ChangeDocuments(),
        RevertDocuments(),
        Ask(),
        JudgeAgain(),
        TakeJudgementBack(),
    )
}


def get_kind(name: str) -> BulkKind:
    """Raises Invalid."""
    if name not in KINDS:
        raise Invalid(f"There is no bulk action {name[:40]!r}. There are: {', '.join(KINDS)}.")
    return KINDS[name]


__all__ = ["KINDS", "ActionOver", "BulkKind", "Change", "LeftOut", "get_kind"]
