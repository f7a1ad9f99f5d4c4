from __future__ import annotations

import pytest

from kit.cleanup import on_failure


@pytest.mark.parametrize(
    ("error", "acts"), [(None, False), (ValueError(), True), (SystemExit(), True), (KeyError(), False)]
)
def test_it_acts_on_every_failure_but_those_that_are_answered_elsewhere(
    error: BaseException | None, acts: bool
) -> None:
    done: list[str] = []
    try:
        with on_failure(lambda: done.append("acted"), but=KeyError):
            if error:
                raise error
    except BaseException as seen:  # noqa: BLE001
        assert seen is error
    else:
        assert error is None
    assert bool(done) is acts
