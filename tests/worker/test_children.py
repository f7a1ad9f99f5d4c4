import time

from worker.supervision.children import LONGEST_DELAY, STEADY_SECONDS, Child


def test_it_waits_twice_as_long_after_each_early_end():
    child = Child("web", ["web"], started=time.monotonic())
    assert [child.plan_restart() for _ in range(7)] == [1, 2, 4, 8, 16, LONGEST_DELAY, LONGEST_DELAY]


def test_it_starts_soon_again_after_a_steady_run():
    child = Child("web", ["web"], started=time.monotonic(), delay=16)
    child.started -= STEADY_SECONDS + 1
    assert child.plan_restart() == 1
