import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from kit import env
from kit.processes import embedded
from tests.product import ROOT

NO_ORIGINS = (
    "app.example.com",
    "https://",
    "https://a.example/",
    "https://a.example/x",
    "https://a.example?x",
    "https://*.a.example",
    "https://a.example, *",
    "https://u@a.example",
    "https://a.example:x",
    "https://a.example:99999",
    "https://a.example:",
    "https://a.example:0",
    "https://münchen.example",
    "ftp://a.example",
    "null",
    "https://a b.example",
    "https://[::1",
)
BY_NAME = "is not a whole number of at least 1, or such as openai=8, anthropic=4."


def test_a_value_wins_over_its_file_and_an_empty_one_counts_as_unset(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("from file\n")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("KEY", "")
    assert env.text("KEY") == "from file"
    monkeypatch.setenv("KEY", "direct")
    assert env.text("KEY") == "direct"


def test_several_secrets_are_a_list_and_one_stays_as_it_is():
    first, second = "a" * 20, "b" * 30
    assert env.split_secrets("N", f"{first}, {second}") == [first, second]
    assert env.split_secrets("N", " short ") == [" short "]
    with pytest.raises(ImproperlyConfigured, match="^N: keys between commas have 20 characters or more"):
        env.split_secrets("N", f"{first},short")


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (lambda: env.number("N", 1, minimum=1), "0", "N: '0' is not a whole number of at least 1."),
        (lambda: env.number("N", 1), "many", "N: 'many' is not a whole number of at least 0."),
        (lambda: env.flag("N", True), "maybe", "N: 'maybe' is not true or false."),
        (lambda: env.choice("N", "a", {"a", "b"}), "c", "N: 'c' is not one of a, b."),
        (lambda: env.number("N", 1, minimum=1, maximum=9), "10", "N: '10' is not a whole number from 1 to 9."),
        (lambda: env.amount("N", 1.0), "ten", "N: 'ten' is not a number of at least 0."),
        (lambda: env.amount("N", 1.0), "nan", "N: 'nan' is not a number of at least 0."),
        (lambda: env.amount("N", 1.0), "inf", "N: 'inf' is not a number of at least 0."),
        (lambda: env.amount("N", 1.0), "-5", "N: '-5' is not a number of at least 0."),
        (lambda: env.program("N", "sh"), "/no/such", "N: '/no/such' is no program that can be run here."),
        (lambda: env.time_zone("N", "UTC"), "Mars/X", "N: 'Mars/X' is not a time zone such as Europe/Berlin."),
        (lambda: env.time_zone("N", "UTC"), "Europe", "N: 'Europe' is not a time zone such as Europe/Berlin."),
        (lambda: env.numbers_by_name("N"), "x=0", f"N: 'x=0' {BY_NAME}"),
        (lambda: env.numbers_by_name("N"), "x=8,y", f"N: 'x=8,y' {BY_NAME}"),
        *[
            (
                lambda: env.origins("N"),
                value,
                f"N: {value!r} is not a list of origins such as https://app.example.com, http://localhost:3000, or *.",
            )
            for value in NO_ORIGINS
        ],
        (lambda: env.time_zone("N", "UTC"), "../x", "N: '../x' is not a time zone such as Europe/Berlin."),
    ],
)
def test_a_bad_value_stops_the_start_with_a_sentence_that_names_the_variable(monkeypatch, read, value, sentence):
    monkeypatch.setenv("N", value)
    with pytest.raises(ImproperlyConfigured) as caught:
        read()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("value", "read"), [("", {}), ("8", {"": 8}), ("openai=8, anthropic=4,2", {"openai": 8, "anthropic": 4, "": 2})]
)
def test_a_number_may_hold_for_everything_or_by_name(monkeypatch, value, read):
    monkeypatch.setenv("N", value)
    assert env.numbers_by_name("N") == read


def test_names_are_separated_by_commas(monkeypatch):
    monkeypatch.setenv("N", " openai/a*, ollama/b ,")
    assert env.names("N") == ("openai/a*", "ollama/b")


def test_a_missing_file_is_named(monkeypatch):
    monkeypatch.setenv("KEY_FILE", "/nowhere")
    with pytest.raises(ImproperlyConfigured, match="KEY_FILE: the file /nowhere cannot be read"):
        env.text("KEY")


def test_a_data_folder_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"DATA_DIR: .*/file/data cannot be written to \(Not a directory\)"):
        embedded.secret_key(tmp_path / "file" / "data", required=False)


def test_a_bad_value_is_said_without_a_traceback():
    environment = {**os.environ, "TIME_ZONE": "Mars/X"}
    answer = subprocess.run(
        [sys.executable, "manage.py", "up"], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stderr) == (1, "TIME_ZONE: 'Mars/X' is not a time zone such as Europe/Berlin.\n")


def test_origins_are_written_as_browsers_send_them(monkeypatch):
    assert env.origins("N") == ()
    monkeypatch.setenv(
        "N", "https://App.Example.com, https://app.example.com:443,http://localhost:3000, http://[::1]:80"
    )
    assert env.origins("N") == ("https://app.example.com", "http://localhost:3000", "http://[::1]")
    monkeypatch.setenv("N", " * ")
    assert env.origins("N") == ("*",)


@pytest.mark.parametrize(("value", "default", "path"), [("sh", "none", True), ("", "sh", True), ("", "no-such", False)])
def test_a_program_is_its_path_or_nothing(monkeypatch, value, default, path):
    monkeypatch.setenv("N", value)
    assert env.program("N", default).endswith("/sh") == path


def test_ports_and_hosts_of_the_outside(monkeypatch):
    monkeypatch.setenv("PORTS", "443, 8443")
    assert env.ports("PORTS", (80,)) == (443, 8443) and env.ports("NONE", (80,)) == (80,)
    monkeypatch.setenv("HOSTS", "Tools.corp.example., 10.0.0.5:8080, [::1]:9000,[fd00::1]")
    assert env.hosts("HOSTS") == ("tools.corp.example", "10.0.0.5:8080", "::1:9000", "fd00::1")
    for wrong in ("0", "65536", "x", "-1"):
        monkeypatch.setenv("PORTS", wrong)
        with pytest.raises(ImproperlyConfigured, match="PORTS: .* is not a list of ports"):
            env.ports("PORTS", ())
    for wrong in ("http://a", "a b", "a:0", "a:x", "a/b", "u@a", "*.a"):
        monkeypatch.setenv("HOSTS", wrong)
        with pytest.raises(ImproperlyConfigured, match="HOSTS: .* is not a list of hosts"):
            env.hosts("HOSTS")
