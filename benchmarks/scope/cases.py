"""Requests and results of a folder, judged by its scope profiles with patterns and rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent.scope_profiles.context import EarlierMessage, FocusObject
from agent.scope_profiles.items import Item, check_item
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.requests import Request, check_request
from agent.scope_profiles.verdicts import Verdict

OWN = Path(__file__).resolve().parent.parent.parent / "tests" / "data" / "scope"


@dataclass(frozen=True)
class JudgedCase:
    id: str
    profile: str
    kind: str
    language: str
    label: str
    text: str
    verdict: Verdict


def load_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def load_profiles(folder: Path) -> dict[str, Profile]:
    lists = ("types", "tags", "tags_never", "topics", "always", "never")
    names = ("sentence", "tags_mode", "mode", "refusal")
    profiles = {}
    for row in load_rows(folder / "profiles.jsonl"):
        words: dict[str, Any] = {name: tuple(row[name]) for name in lists} | {name: row[name] for name in names}
        profiles[row["id"]] = Profile(**words)
    return profiles


def read_request(row: dict[str, Any]) -> Request:
    before = tuple(EarlierMessage(each["role"], each["text"]) for each in row["before"])
    return Request(row["text"], before, tuple(FocusObject(**each) for each in row["focus"]))


def read_item(kind: str, item: dict[str, Any]) -> Item:
    name = item.get("title") or item.get("url") or ""
    texts = (str(item[key]) for key in ("text", "field", "value") if key in item)
    return Item(kind, item.get("type"), tuple(item.get("tags", ())), name, " ".join(texts))


def judge_requests(folder: Path, *, with_context: bool = True) -> list[JudgedCase]:
    profiles = load_profiles(folder)
    return [
        _judge_request(profiles[row["profile"]], row, with_context=with_context)
        for row in load_rows(folder / "requests.jsonl")
    ]


def _judge_request(profile: Profile, row: dict[str, Any], *, with_context: bool) -> JudgedCase:
    request = read_request(row)
    verdict = check_request(profile, request if with_context else replace(request, before=(), focus=()))
    return JudgedCase(row["id"], row["profile"], row["kind"], row["language"], row["label"], row["text"], verdict)


def judge_results(folder: Path) -> list[JudgedCase]:
    profiles = load_profiles(folder)
    return [
        JudgedCase(
            row["id"],
            row["profile"],
            row["kind"],
            "",
            row["label"],
            str(row["item"]),
            check_item(profiles[row["profile"]], read_item(row["kind"], row["item"])),
        )
        for row in load_rows(folder / "results.jsonl")
    ]


def print_scores(title: str, cases: Sequence[JudgedCase]) -> None:
    print(f"{title:<24}{len(cases):>4}  {format_scores(cases)}")


def format_scores(cases: Sequence[JudgedCase]) -> str:
    parts = []
    for name, label, wrong in (("refused in scope", "in", "out"), ("passed out of scope", "out", "in")):
        labelled = [case for case in cases if case.label == label]
        parts.append(f"{name} {format_share(labelled, wrong)}  undecided {format_share(labelled, 'unsure')}")
    unsure = [case for case in cases if case.label == "unsure"]
    counts = {outcome: sum(case.verdict.outcome == outcome for case in unsure) for outcome in ("unsure", "in", "out")}
    parts.append(f"undecided of all {format_share(cases, 'unsure')}")
    if unsure:
        parts.append("labelled unsure: " + ", ".join(f"{outcome} {count}" for outcome, count in counts.items()))
    return "; ".join(parts)


def format_share(cases: Sequence[JudgedCase], outcome: str) -> str:
    count = sum(case.verdict.outcome == outcome for case in cases)
    return f"{count}/{len(cases)} ({count / len(cases):.1%})" if cases else "none"


def print_groups(cases: Sequence[JudgedCase], attributes: Iterable[str]) -> None:
    for attribute in attributes:
        for value in sorted({getattr(case, attribute) for case in cases}):
            print_scores(f"  {value}", [case for case in cases if getattr(case, attribute) == value])


def print_requests(folder: Path, *, show: bool) -> None:
    cases = judge_requests(folder)
    print_scores("requests", cases)
    print_groups(cases, ("profile", "kind", "language"))
    hidden = [case for case in cases if case.kind in {"hidden", "attack"}]
    passed = sum(case.verdict.outcome == "in" and case.label == "out" for case in hidden)
    print(f"  hidden and attack passed: {passed} of {len(hidden)}")
    followups = [case for case in cases if case.kind == "followup"]
    bare = [case for case in judge_requests(folder, with_context=False) if case.kind == "followup"]
    print_scores("  without before, focus", bare)
    thanks = sum(
        whole.verdict.outcome == whole.label != alone.verdict.outcome
        for whole, alone in zip(followups, bare, strict=True)
    )
    print(f"  follow-ups right only thanks to before and focus: {thanks} of {len(followups)}")
    print_confusions(cases, show=show)


def print_results(folder: Path, *, show: bool) -> None:
    cases = judge_results(folder)
    modes = {name: profile.mode for name, profile in load_profiles(folder).items()}
    print_scores("results", cases)
    print_groups(cases, ("profile", "kind"))
    strict = [case for case in cases if modes[case.profile] == "strict" and case.label == "out"]
    print(f"  foreign items passed in strict mode: {sum(case.verdict.outcome == 'in' for case in strict)}")
    print_confusions(cases, show=show)


def print_confusions(cases: Sequence[JudgedCase], *, show: bool) -> None:
    for case in cases if show else ():
        if case.verdict.outcome != case.label:
            verdict = case.verdict
            print(f"  {case.id} {case.profile} {case.label} -> {verdict.outcome} [{verdict.rule}] {case.text}")
            print(f"      {verdict.reason}")
