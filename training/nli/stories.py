"""Small made-up reports, and claims about them in other words: who did what to whom, when, where and how much.

An event is told in one of several forms that all say the same ("A sold X to B", "B bought X from A"). A story is two
to four events that share people and places. A claim tells one event in another form, or part of it; its near misses
exchange two who took part, or take a time, place, number or name from another event of the story, or one that the
story lacks. So no word tells a claim from its miss, only who, when and where belong together.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# events.txt: one event a line, its forms divided by "|". {a} {b} people, {A} {B} organisations, {x} a thing, {p} {q}
# places, {n} a number, {m} a sum of money. Forms behind "||" say less than the others, and are claims only.
EVENTS = tuple((Path(__file__).parent / "events.txt").read_text("utf-8").splitlines())
FIRST = tuple(
    """Anna Boris Clara David Emma Felix Greta Hassan Irene Jonas Karim Laura Milan Nora Oscar Petra Rahul Sofia Tomas
    Ursula Victor Wanda Yusuf Zoe Amina Bruno Carmen Dora Elias Fiona Gustav Helen Ivan Julia Kofi Lena Marco Nadia
    Otto Paula Renata Stefan Tara Vera Walter Mei Kenji Rosa Pablo Ingrid""".split()
)
LAST = tuple(
    """Adler Bennett Costa Duarte Eriksen Fischer Garcia Haddad Ivanova Jensen Kowalski Lindgren Moreau Novak Okafor
    Petrov Quinn Rossi Silva Tanaka Ueda Vargas Weber Yilmaz Zhang Abbott Brennan Castillo Dvorak Engel Ferrari Grant
    Hughes Ibsen Joshi Keller Larsen Mbeki Nilsson Ortega Popov Ramos Schmidt Turner Vogel Wright Young Zeller Khan
    Cohen""".split()
)
PLACES = tuple(
    """Lisbon Oslo Graz Turin Leeds Porto Ghent Cork Lyon Bergen Basel Krakow Seville Aarhus Utrecht Malmo Zagreb Riga
    Tartu Bristol Dundee Nantes Bilbao Parma Linz Boston Denver Austin Quito Lima Accra Nairobi Osaka Pune Hanoi Perth
    Tunis Cairo Halifax Kingston""".split()
)
COMPANIES = tuple(
    "Northwind Alder Vega Corvus Lumen Halden Rhine Tidal Summit Orion Maple Delta Zenith Harbour Atlas".split()
)
ORGANISATIONS = tuple(
    f"{name} {kind}" for name in COMPANIES for kind in ("Bank", "Foods", "Motors", "Energy", "Museum", "University")
)
THINGS = tuple(
    """the old mill|the red boat|the farm|the painting|the hotel|the gold watch|the bakery|the vineyard|the bridge
    the manuscript|the patent|the theatre|the island|the violin|the castle|the garden|the statue|the clinic|the mine
    the bookshop|the letter|the ring|the map|the cinema|the tower""".replace("\n", "|").split("|")
)
TIMES = tuple(
    [f"in {year}" for year in range(1921, 2024)]
    + [f"on {day}" for day in "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()]
    + [f"in {month}" for month in "January February March April May June July August September October".split()]
)
TOGETHER = (("a", "b"), ("A", "B"), ("p", "q"))  # slots that one event could exchange
SYMMETRIC = ("married", "wedding", "did not shake hands", "kilometres away")


@dataclass(frozen=True, slots=True)
class Event:
    full: tuple[str, ...]
    part: tuple[str, ...]
    slots: dict[str, str]
    time: str

    def told(self, form: str, *, time: bool, slots: dict[str, str] | None = None, at: str | None = None) -> str:
        text = form.format(**(slots or self.slots))
        text = f"{text} {at or self.time}" if time else text
        return text[0].upper() + text[1:] + "."


def story(chance: random.Random) -> list[Event]:
    people = [f"{first} {last}" for first, last in zip(chance.sample(FIRST, 5), chance.sample(LAST, 5), strict=True)]
    places, organisations = chance.sample(PLACES, 4), chance.sample(ORGANISATIONS, 4)
    things, times = [thing.strip() for thing in chance.sample(THINGS, 4)], chance.sample(TIMES, 4)
    events = []
    for line, time in zip(chance.sample(EVENTS, chance.choice((2, 3, 3, 4))), times, strict=False):
        full, _, part = line.partition("||")
        (a, b), (org_a, org_b), (p, q) = (chance.sample(pool, 2) for pool in (people, organisations, places))
        slots = {"a": a, "b": b, "A": org_a, "B": org_b, "p": p, "q": q, "x": chance.choice(things)}
        slots |= {"n": str(chance.randrange(2, 60)), "m": f"{chance.randrange(2, 900)},000 euros"}
        events.append(Event(tuple(full.split("|")), tuple(part.split("|")), slots, time))
    return events


def misses(event: Event, form: str, others: list[Event], chance: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
    """Slots that make the form false, by kind."""
    used = {slot for slot in event.slots if "{" + slot + "}" in form}
    symmetric = any(word in form for word in SYMMETRIC)
    for first, second in TOGETHER:
        if {first, second} <= used and not symmetric:
            yield "role", event.slots | {first: event.slots[second], second: event.slots[first]}
        elif first in used and "{" + second + "}" in event.full[0] and not symmetric:
            yield "role", event.slots | {first: event.slots[second]}
        elif second in used and "{" + first + "}" in event.full[0] and not symmetric:
            yield "role", event.slots | {second: event.slots[first]}
    for slot in sorted(used):
        elsewhere = [other.slots[slot] for other in others if "{" + slot + "}" in other.full[0]]
        elsewhere = [value for value in elsewhere if value not in event.slots.values()]
        if elsewhere:
            yield ("number" if slot in "nm" else "name"), event.slots | {slot: chance.choice(elsewhere)}


def groups(count: int, chance: random.Random) -> Iterator[list[dict[str, object]]]:
    """Rows of a claim and its near misses, one premise a group."""
    made = 0
    while made < count:
        events = story(chance)
        timed = chance.random() < 0.7
        premise = " ".join(event.told(chance.choice(event.full), time=timed) for event in events)
        for event in chance.sample(events, min(2, len(events))):
            others = [other for other in events if other is not event]
            form = chance.choice(event.full + event.part)
            with_time = timed and form in event.full and chance.random() < 0.5
            rows: list[dict[str, object]] = [{"h": event.told(form, time=with_time), "l": 0, "kind": "entailed"}]
            found = list(misses(event, form, others, chance))
            if with_time:
                found.append(("date", event.slots))
            if not found:
                continue
            for kind, slots in chance.sample(found, min(2, len(found))):
                at = chance.choice(others).time if kind == "date" and others else None
                rows.append({"h": event.told(form, time=with_time, slots=slots, at=at), "l": 3, "kind": kind})
            if all(row["h"] != rows[0]["h"] for row in rows[1:]):
                made += 1
                yield [{"p": premise, "src": "story", **row} for row in rows]
