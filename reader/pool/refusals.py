"""Refusals and silences of a reader, as errors for the code that asked."""

import signal

from kit.errors import AppError, Invalid, TooLarge, Upstream
from reader import frames

# The code of what was late by the clock, which may be a busy machine's fault.
LATE = "late"
CRASHED = "The file made its reader crash: it is damaged, or needs more memory than reading may use."
TWICE = "It was tried twice."
# Native code ends with these when memory is refused to it, or when it is broken.
CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP)


class ReaderDied(Exception):
    """A reader died of what it was asked, or answered what makes its memory suspect. No AppError, since what it comes
    to, `refusal`, is told to nobody before a fresh reader has fared no better."""

    def __init__(self, refusal: AppError) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


def make_refusal(reply: frames.FailureReply) -> AppError:
    kind = TooLarge if reply["kind"] == "too_large" else Invalid
    return kind(reply["error"], code=reply.get("code", ""))


def explain_failure(failure: Exception, code: int, seconds: float) -> AppError:
    """Why two readers gave no answer, the second of them a fresh one, or one was late. What the file caused is Invalid,
    so it is not tried again; what may pass by itself is Upstream."""
    if isinstance(failure, frames.Late):
        return Invalid(f"Reading the file took longer than {seconds:g} seconds and was stopped.", code=LATE)
    if code == -signal.SIGXCPU:
        return Invalid(f"Reading the file used more computing time than it may. {TWICE}")
    if -code in CRASHES:
        return Invalid(f"{CRASHED} {TWICE}")
    return Upstream("The reader process ended before it answered.", retryable=True)
