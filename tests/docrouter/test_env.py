import pytest
from django.core.exceptions import ImproperlyConfigured

from docrouter.kit import env


def test_a_value_wins_over_its_file_and_an_empty_one_counts_as_unset(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("from file\n")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("KEY", "")
    assert env.text("KEY") == "from file"
    monkeypatch.setenv("KEY", "direct")
    assert env.text("KEY") == "direct"


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (lambda: env.number("N", 1, least=1), "0", "N: '0' is not a whole number of at least 1."),
        (lambda: env.number("N", 1), "many", "N: 'many' is not a whole number of at least 0."),
        (lambda: env.flag("N", True), "maybe", "N: 'maybe' is not true or false."),
        (lambda: env.choice("N", "a", {"a", "b"}), "c", "N: 'c' is not one of a, b."),
        (lambda: env.decimal("N", 1.0), "ten", "N: 'ten' is not a number."),
    ],
)
def test_a_bad_value_stops_the_start_with_a_sentence_that_names_the_variable(monkeypatch, read, value, sentence):
    monkeypatch.setenv("N", value)
    with pytest.raises(ImproperlyConfigured) as caught:
        read()
    assert str(caught.value) == sentence


def test_a_missing_file_is_named(monkeypatch):
    monkeypatch.setenv("KEY_FILE", "/nowhere")
    with pytest.raises(ImproperlyConfigured, match="KEY_FILE: the file /nowhere cannot be read"):
        env.text("KEY")
