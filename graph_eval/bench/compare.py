"""Compares two files of one benchmark by their items alone.

An item of A and one of B are a pair if they have the same set, route, and `id` (or `n`, where ids repeat). Every figure
is over the pairs in which both items have what it needs. Intervals and standard errors are over paired resamples: both
items of a pair are drawn together (Efron 1979), and so are all pairs of a source. `only A right` and `only B right` are
the two counts of McNemar's test (1947): the items on which exactly one of the two verdicts agrees with the label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from graph_eval.bench.benchmark import Row, Table
from graph_eval.bench.items import Place, by_place, label_of, number, place_of, resampled, score_of, verdict_of
from graph_eval.bench.sets import title_of
from graph_eval.errors import InputError
from graph_eval.metrics import Array, Sample, auc, balanced_accuracy, mean
from graph_eval.version import __version__

NAME = "compare"  # of the benchmark, in the file of a comparison
IDENTITIES = (("id",), ("n",), ("id", "n"))  # fields that may name an item; the first one without repeats does
JUDGED = ("label", "p_inconsistent", "inconsistent")  # fields that have figures of their own
Pair = tuple[Row, Row]
Routes = tuple[str, str]  # of A and of B


@dataclass
class _Group:
    """The pairs of a set and of a route of each file."""

    set: str
    routes: Routes
    pairs: list[Pair] = field(default_factory=list)

    @property
    def row(self) -> Row:
        one, other = self.routes
        return {"set": title_of(self.set), "route": one if one == other else f"{one}, {other}"}


def compare(
    one: Mapping[str, Any], other: Mapping[str, Any], names: tuple[str, str], routes: Sequence[Routes] = ()
) -> dict[str, Any]:
    """The comparison of A and B as the content of a file: `tables`, and `problems`: what was not compared, and why.

    `one`, `other`: see `record.read`. `names`: of the files. `routes`: a route of A and the route of B that it is
    compared with; by default, each with itself.

    Raises InputError for files of different benchmarks, and for files without a common item of the same data.
    """
    if one["benchmark"] != other["benchmark"]:
        raise InputError(
            f"{names[0]} is of benchmark {one['benchmark']}, {names[1]} of {other['benchmark']}",
            "compare two files of the same benchmark",
        )
    problems: list[str] = []
    groups = list(_groups(one, other, routes, problems))
    if not any(group.pairs for group in groups):
        why = "; ".join(problems) or _places(one, other)
        raise InputError(
            f"{names[0]} and {names[1]} have no common items: {why}",
            "run both on the same data with the same --limit; --route A=B compares a route of A with another of B",
        )
    figures, same = _figures(groups)
    note = f"The same in every pair: {', '.join(same)}." if same else ""
    tables = [
        Table("files", "Files and what differs between them", list(_differences(one, other, names)), ("", "A", "B")),
        Table("items", "Items", list(_counts(one, other, groups)), note=note),
        *figures,
    ]
    return {
        "benchmark": NAME,
        "title": f"Comparison of two runs of {one['benchmark']}",
        "versions": {"graph_eval": __version__},
        "problems": problems,
        "tables": [asdict(table) for table in tables],
        "items": [],
    }


def _groups(
    one: Mapping[str, Any], other: Mapping[str, Any], routes: Sequence[Routes], problems: list[str]
) -> Iterator[_Group]:
    of_one, of_other = by_place(one["items"]), by_place(other["items"])
    told = set()
    for name, route in of_one:
        for partner in [b for a, b in routes if a == route] if routes else [route]:
            if (name, partner) not in of_other:
                continue
            digests = [file["data"].get(name) for file in (one, other)]
            if None not in digests and digests[0] != digests[1]:
                if name not in told:
                    problems.append(f"set {name}: its data differ (A {digests[0]}, B {digests[1]}); not compared")
                told.add(name)
                continue
            group = _Group(name, (route, partner))
            group.pairs = _paired(of_one[name, route], of_other[name, partner], group.row, problems)
            yield group


def _paired(one: Sequence[Row], other: Sequence[Row], where: Row, problems: list[str]) -> list[Pair]:
    """The pairs. A pair whose labels differ is left out."""
    fields = next((names for names in IDENTITIES if _tell_apart(one, names) and _tell_apart(other, names)), None)
    place = f"set {where['set']}, route {where['route']}"
    if fields is None:
        problems.append(f"{place}: several items have the same id and n, or none; not compared")
        return []
    known = {_identity(item, fields): item for item in other}
    pairs = [(item, known[key]) for item in one if (key := _identity(item, fields)) in known]
    kept = [(_with_source(a, b), b) for a, b in pairs if label_of(a) == label_of(b)]
    if len(kept) < len(pairs):
        problems.append(f"{place}: {len(pairs) - len(kept)} items with another label in B; left out")
    return kept


def _with_source(item: Row, other: Row) -> Row:
    """The item, with the source of the other one if it has none, as in older files."""
    return item if item.get("source") else {**item, "source": other.get("source")}


def _identity(item: Row, fields: Sequence[str]) -> str:
    return json.dumps([item[name] for name in fields], sort_keys=True)


def _tell_apart(items: Sequence[Row], fields: Sequence[str]) -> bool:
    if not all(item.get(name) is not None for item in items for name in fields):
        return False
    return len({_identity(item, fields) for item in items}) == len(items)


def _places(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The sets and routes of both files, for a message."""

    def named(places: Iterable[Place]) -> str:
        sets, routes = (", ".join(filter(None, dict.fromkeys(names))) for names in zip(*places, strict=True))
        return f"sets {sets or 'without a name'} and routes {routes or 'without a name'}"

    found = (by_place(file["items"]) for file in (one, other))
    return "; ".join(f"{n} has {named(places) if places else 'none'}" for n, places in zip("AB", found, strict=True))


def _counts(one: Mapping[str, Any], other: Mapping[str, Any], groups: Sequence[_Group]) -> Iterator[Row]:
    def count(file: Mapping[str, Any], name: str, route: str) -> tuple[int, int]:
        own = [item for item in file["items"] if place_of(item) == (name, route)]
        return len(own), sum("error" in item for item in own)

    for group in groups:
        (items, errors), (others, other_errors) = (
            count(file, group.set, route) for file, route in zip((one, other), group.routes, strict=True)
        )
        yield group.row | {
            "pairs": len(group.pairs),
            "items of A": items,
            "items of B": others,
            "errors of A": errors,
            "errors of B": other_errors,
        }


def _differences(one: Mapping[str, Any], other: Mapping[str, Any], names: tuple[str, str]) -> Iterator[Row]:
    yield {"": "file", "A": names[0], "B": names[1]}
    for name in ("versions", "machine", "data"):
        yield from _differing(name, one[name], other[name])
    if not one["plans"] and not other["plans"]:
        for name in ("settings", "fingerprints"):
            yield from _differing(name, one[name], other[name])
        return
    plans: dict[tuple[str, str | None, str | None], list[str]] = {}  # what differs, and in which plans
    for plan in dict.fromkeys((*one["plans"], *other["plans"])):
        parts = [file["plans"].get(plan) for file in (one, other)]
        if not all(isinstance(part, dict) for part in parts):
            yield {
                "": f"plan {plan}",
                **{key: None if part is None else "yes" for key, part in zip("AB", parts, strict=True)},
            }
            continue
        for name in ("settings", "fingerprints"):
            for row in _differing(name, *(part.get(name) for part in parts)):
                plans.setdefault((row[""], row["A"], row["B"]), []).append(plan)
    for (name, a, b), of in plans.items():
        yield {"": f"{name} ({', '.join(of)})", "A": a, "B": b}


def _differing(name: str, one: object, other: object) -> Iterator[Row]:
    """A row for each field of two objects that is not the same in both."""
    fields = [value if isinstance(value, dict) else {} for value in (one, other)]
    for key in dict.fromkeys((*fields[0], *fields[1])):
        a, b = (value.get(key) for value in fields)
        if a != b:
            yield {"": f"{name}: {key}", "A": _text(a), "B": _text(b)}


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _figures(groups: Sequence[_Group]) -> tuple[list[Table], list[str]]:
    """The tables, and the names of the fields whose values are the same in all pairs."""
    means = [found for group in groups for found in _means(group)]
    differing = {row["field"] for row, same in means if not same}
    by_name = {
        ("balanced_accuracy", "Balanced accuracy"): [row for group in groups for row in _accuracy(group)],
        ("auc", "AUC"): [row for group in groups for row in _area(group)],
        ("means", "Means of the other fields"): [row for row, _ in means if row["field"] in differing],
    }
    tables = [Table(*names, rows, signed=("B minus A",)) for names, rows in by_name.items() if rows]
    return tables, [name for name in dict.fromkeys(row["field"] for row, _ in means) if name not in differing]


def _accuracy(group: _Group) -> Iterator[Row]:
    values, drawn = _triples(group.pairs, verdict_of)
    if not len(values):
        return
    labels, one, other = values.T
    right, other_right = one == labels, other == labels
    yield (
        group.row
        | _difference(len(values), balanced_accuracy(labels, one, drawn), balanced_accuracy(labels, other, drawn))
        | {"only A right": int((right & ~other_right).sum()), "only B right": int((other_right & ~right).sum())}
    )


def _area(group: _Group) -> Iterator[Row]:
    values, drawn = _triples(group.pairs, score_of)
    if len(values):
        labels, one, other = values.T
        yield group.row | _difference(len(values), auc(labels, one, drawn), auc(labels, other, drawn))


def _means(group: _Group) -> Iterator[tuple[Row, bool]]:
    """The means of the numbers and truth values, apart from those that name or judge the item, and whether the values
    are the same in every pair."""
    left_out = {"n", "id", "set", "route"}
    if any(label_of(item) is not None for item, _ in group.pairs):
        left_out |= set(JUDGED)
    for name in dict.fromkeys(name for pair in group.pairs for item in pair for name in item):
        found = [(a, number(a.get(name)), number(b.get(name))) for a, b in group.pairs]
        kept = [row for row in found if None not in row]
        if name not in left_out and kept:
            one, other = np.array([row[1:] for row in kept], dtype=np.float64).T
            drawn = resampled([row[0] for row in kept])
            row = {"field": name} | _difference(len(kept), mean(one, drawn), mean(other, drawn))
            yield group.row | row, np.array_equal(one, other)


def _triples(pairs: Sequence[Pair], value: Any) -> tuple[Array, Array]:
    """The label and the two values of each pair that has all of them, and how often each of these pairs is drawn."""
    found = [(a, label_of(a), value(a), value(b)) for a, b in pairs]
    kept = [row for row in found if None not in row]
    return np.array([row[1:] for row in kept], dtype=np.float64).reshape(-1, 3), resampled([row[0] for row in kept])


def _difference(n: int, one: Sample, other: Sample) -> Row:
    gap = other.minus(one)
    return {
        "n": n,
        "A": one.figure()._asdict(),
        "B": other.figure()._asdict(),
        "B minus A": gap.figure()._asdict(),
        "standard_error": gap.standard_error(),
    }
