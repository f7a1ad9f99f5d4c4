"""Days of the week that a text names. Of seven languages, never in short."""

from __future__ import annotations

import re

_NAMES = (
    "monday montag lundi lunes lunedì maandag segunda-feira poniedziałek",
    "tuesday dienstag mardi martes martedì dinsdag terça-feira wtorek",
    "wednesday mittwoch mercredi miércoles mercoledì woensdag quarta-feira środa środę",
    "thursday donnerstag jeudi jueves giovedì donderdag quinta-feira czwartek",
    "friday freitag vendredi viernes venerdì vrijdag sexta-feira piątek",
    "saturday samstag sonnabend samedi sábado sabato zaterdag sobota sobotę",
    "sunday sonntag dimanche domingo domenica zondag niedziela niedzielę",
)
WEEKDAYS = {name: number for number, names in enumerate(_NAMES) for name in names.split()}
"""As `date.weekday` counts them."""
_DAY = re.compile(rf"(?<!\w)(?:{'|'.join(WEEKDAYS)})(?=s?(?!\w))", re.I)


def find_weekdays(text: str) -> dict[str, int]:
    """By their names as they are written."""
    return {match[0]: WEEKDAYS[match[0].lower()] for match in _DAY.finditer(text)}
