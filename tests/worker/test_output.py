import io
from contextlib import suppress

from worker.supervision.output import Output


def test_it_names_the_child_before_each_line():
    stream = io.StringIO()
    Output(stream).feed("web", b"one\ntwo\n")
    assert stream.getvalue() == "web       | one\nweb       | two\n"


def test_it_keeps_half_a_line_until_the_rest_comes():
    stream = io.StringIO()
    output = Output(stream)
    output.feed("web", b"Gr\xc3")
    output.feed("agent", b"between\n")
    output.feed("web", b"\xbc\xc3\x9fe\n")
    assert stream.getvalue() == "agent     | between\nweb       | Grüße\n"


def test_it_says_the_last_half_line_at_the_end():
    stream = io.StringIO()
    output = Output(stream)
    output.feed("web", b"last words")
    output.feed("web", b"")
    assert stream.getvalue() == "web       | last words\n"


def test_it_goes_on_when_nobody_reads_any_more():
    stream = io.StringIO()
    output = Output(stream)
    stream.close()
    output.say("web", "into the void")


def test_it_goes_on_when_its_log_has_no_room():
    """The file refuses what is left to write also when it is closed."""
    full = open("/dev/full", "w", buffering=1, encoding="utf-8")  # noqa: SIM115
    try:
        Output(full).say("web", "of a full disk")
    finally:
        with suppress(OSError):
            full.close()
