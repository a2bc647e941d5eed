"""Makes pairs out of the language of policies and manuals: the same quantity said otherwise, and other quantities.

    python training/nli/quantities.py --rows 4000 --seed 1 --out quantities.jsonl.gz

"The warranty lasts 24 months": that it lasts two years is entailed, that it lasts three years is contradicted. Rows as
train.py reads them: {"p", "h", "l", "split", "src", "kind": "quantity", "g", "w"}. A premise states two or three facts,
each with a quantity; a group is a claim about one of them and its near miss, in the same wording. The near miss takes
a quantity that the fact has not, every second time one that stands elsewhere in the premise, or it turns a limit round
("at most four" for "at least four"). Other groups are about lists: how many things stand in one, and which.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from marks import marked
from packed import writer

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
Sayings = Callable[[int], list[str]]  # all ways to say a quantity

# Two wordings of a fact or more, divided by "|"; {} is the quantity.
LENGTHS = """The warranty lasts {}|The device is covered by a warranty of {}|The manufacturer's guarantee runs for {}
Contracts run for {}|The term of a contract is {}|A contract is concluded for {}
Records are kept for {}|We store records for {}|Records are deleted after {}
New members wait {} before they can vote|The waiting period before new members can vote is {}
The licence is valid for {}|A licence expires after {}|The validity of the licence is {}
Employees on probation can be dismissed during the first {}|The probation period is {}|Probation lasts {}
The filter has to be changed every {}|Change the filter once every {}|A filter lasts {}
Gift cards expire {} after purchase|A gift card can be used for {} after purchase
An account that is not used is closed after {}|Accounts are closed when nobody has used them for {}
The battery is expected to last {}|The expected life of the battery is {}
Claims have to be submitted within {}|The period for submitting claims is {}|Claimants have {} to submit a claim
The visa allows a stay of up to {}|Holders of the visa may stay for no more than {}
Parental leave can be taken for up to {}|Parents may take no more than {} of leave"""
SHORT = """Orders can be returned within {}|Customers have {} to return an order|The return period is {}
Refunds are paid within {}|It takes no longer than {} until a refund is paid
The library lends books for {}|Books are due back after {}|The loan period for books is {}
Notice has to be given {} in advance|The notice period is {}
The medicine is taken for {}|The treatment with the medicine lasts {}|Patients take the medicine for {}
Delivery takes {}|Parcels arrive after {}|Customers wait {} for a delivery
The trial version can be used for {}|The free trial ends after {}
Opened bottles keep for {}|Once opened, a bottle can be kept for {}
Complaints are answered within {}|The office answers complaints in no more than {}"""
HOURS = """The machine must rest for {} after use|After use leave the machine to rest for {}
The course takes {}|The length of the course is {}|Participants spend {} in the course
The dough has to rise for {}|Let the dough rise for {}
Charging the battery takes {}|The battery is full after {} of charging
The meeting may last no longer than {}|Meetings are limited to {}
Tickets are valid for {}|A ticket expires after {}
The glue dries in {}|Wait {} until the glue is dry|The glue needs {} to dry"""
SHARES = """The insurance pays {} of the costs|The insurance covers {} of the costs
Members get back {} of the fee|{} of the fee is returned to members
The deposit is {} of the price|A deposit of {} of the price is due
The employer pays {} of the contributions|Employers bear {} of the contributions
{} of the budget goes to repairs|Repairs take up {} of the budget
Students have to attend {} of the lessons|Attendance at {} of the lessons is required
The tank must be filled to {} of its capacity|Fill {} of the tank
The grant covers {} of the rent|{} of the rent is paid by the grant"""
AMOUNTS = """The hall holds {} people|There is room for {} people in the hall
The annual fee is {} euros|Members pay {} euros a year
The company employs {} people|{} people work for the company
The fine is {} dollars|Offenders pay a fine of {} dollars
The archive keeps {} maps|{} maps are kept in the archive
The engine is serviced every {} kilometres|A service of the engine is due after {} kilometres
The town has {} inhabitants|{} people live in the town
The lift carries {} kilograms|The lift can bear a load of {} kilograms
The maximum loan is {} euros|Borrowers get {} euros at most
The printer prints {} pages with one cartridge|One cartridge is enough for {} pages"""
AGES = """Applicants must be {}|Only people who are {} can apply
To rent a car, drivers have to be {}|Cars are rented only to drivers who are {}
Visitors who are {} may enter without company|To enter without company one has to be {}
Volunteers have to be {}|Volunteering is open to people who are {}
Players must be {}|The game is for players who are {}"""
COUNTS = """The form must be handed in with {} copies|Hand in the form together with {} copies
The committee consists of {} members|There are {} members on the committee
The team may make {} changes a game|{} changes a game are allowed to a team
The house has {} rooms|There are {} rooms in the house
Each customer can use {} vouchers|A customer may redeem {} vouchers
A password needs at least {} characters|Passwords of fewer than {} characters are refused
The product passes {} tests before sale|Before sale the product goes through {} tests
The train stops {} times on the way|On its way the train makes {} stops
A table seats {} guests|There is room for {} guests at a table
The toolkit comes with {} screwdrivers|{} screwdrivers are part of the toolkit"""
LIMITS = """A group may have {} visitors|Groups of {} visitors are admitted
Each household may borrow {} bicycles|A household can have {} bicycles on loan
A reader may keep {} books|Readers can have {} books at a time
Members may bring {} guests|A member can be accompanied by {} guests
A team has {} players|Teams consist of {} players
An essay has {} pages|Essays of {} pages are accepted
A trailer carries {} canoes|{} canoes fit on a trailer
The licence allows {} installations|The software may be installed {} times"""
FLOORS = """A course takes place with {} participants|{} participants are needed for a course
The board meets {} times a year|There are {} meetings of the board a year
A petition needs {} signatures|{} signatures are required for a petition
The crew has {} members|A crew of {} members is required
Students attend {} seminars|Attendance at {} seminars is required
A shift has {} nurses|{} nurses are on duty in a shift"""
VOTES = """The motion was carried by {}|The council passed the motion by {}|The motion won by {}
The proposal was rejected by {}|The assembly turned the proposal down by {}
The budget was approved by {}|The committee approved the budget by {}
The bylaw was adopted by {}|Members adopted the bylaw by {}
The home side won by {}|The home side beat the visitors by {}"""
# Who has a list, what it is a list of, one of them; the members.
LISTS = """The box holds|tools|tool|a drill;a saw;a hammer;a file;a level;a wrench;a chisel;a plane
The museum offers|tours|tour|a garden tour;a night tour;a roof tour;a family tour;an audio tour;a cellar tour
The firm has|offices|office|one in Leeds;one in Turin;one in Porto;one in Ghent;one in Malmo;one in Graz
The school teaches|languages|language|French;Latin;Polish;Greek;Korean;Arabic;Danish
The manual lists|codes|code|E1 (blocked filter);E3 (low water);E4 (worn belt);E7 (open door);E9 (leak)
The plan names|stages|stage|survey;design;tender;building;handover;review
The shop sells|cheeses|cheese|a blue one;a smoked one;a goat's cheese;a soft one;a hard one;a young one
The festival has|stages|stage|the Main Stage;the Barn;the Pier;the Lawn;the Chapel;the Yard
The clinic runs|departments|department|surgery;cardiology;radiology;dermatology;paediatrics;neurology
The app supports|formats|format|PDF;EPUB;plain text;HTML;Markdown;Word
The ferry calls at|islands|island|Arran;Bute;Mull;Iona;Tiree;Coll;Jura
The committee consists of|people|person|a chair;a treasurer;a secretary;a librarian;an auditor;a clerk"""
FILLERS = tuple(
    """Please keep the receipt.|Further details are given in the appendix.|The rules were last revised by the board.
    Exceptions need the consent of the manager.|Questions are answered at the front desk.
    This section applies to all customers.|Read the instructions carefully before use.|The office is closed on Sundays.
    Damage has to be reported at once.|Prices include taxes.""".replace("\n", "|").split("|")
)


def words(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    raise ValueError(number)


def plain(number: int) -> list[str]:
    """A count in figures and in words."""
    return [str(number)] + ([words(number)] if number < 100 else [])


def counted(number: int, unit: str) -> list[str]:
    return [f"{said} {unit}{'' if number == 1 else 's'}" for said in plain(number)]


def months(number: int) -> list[str]:
    said = counted(number, "month")
    if number % 12 == 0:
        said += counted(number // 12, "year") + (["a year"] if number == 12 else [])
    return said + {6: ["half a year"], 18: ["a year and a half", "one and a half years"]}.get(number, [])


def days(number: int) -> list[str]:
    said = counted(number, "day")
    if number % 7 == 0:
        said += counted(number // 7, "week") + (["a week"] if number == 7 else [])
    return said + (["a fortnight"] if number == 14 else [])


def minutes(number: int) -> list[str]:
    said = counted(number, "minute")
    if number % 60 == 0:
        said += counted(number // 60, "hour") + (["an hour"] if number == 60 else [])
    more = {30: ["half an hour"], 90: ["an hour and a half", "1.5 hours"], 45: ["three quarters of an hour"]}
    return said + more.get(number, [])


def share(number: int) -> list[str]:
    names = {
        100: ["all", "the whole", "the full 100 percent"],
        50: ["half", "one half"],
        25: ["a quarter", "one fourth"],
        75: ["three quarters"],
        20: ["a fifth", "one fifth"],
        80: ["four fifths"],
        10: ["a tenth", "one tenth"],
    }
    said = [f"{number}%", f"{number} percent", f"{words(number)} percent" if number < 100 else "100 %"]
    return said + names.get(number, [])


def amount(number: int) -> list[str]:
    said = [f"{number:,}", str(number)]
    if number % 1_000_000 == 0:
        return [*said, f"{number // 1_000_000} million", *(f"{one} million" for one in plain(number // 1_000_000)[1:])]
    if number % 1000 == 0 and number < 100_000:
        said.append(f"{words(number // 1000)} thousand")
    if number % 100 == 0 and 1000 < number < 100_000:
        said.append(f"{number / 1000:g} thousand")
    return said + (
        [f"{words(number // 100)} hundred"] if number % 100 == 0 and number < 2000 and number != 1000 else []
    )


def age(number: int) -> list[str]:
    return [
        f"at least {number}",
        f"at least {number} years old",
        f"{number} or older",
        f"no younger than {number}",
        f"{words(number)} years of age or older",
        f"aged {number} or over",
    ]


def most(number: int) -> list[str]:
    """Ways to say "at most so many": behind "no more than four" stands that there may be four."""
    forms = ("at most {}", "no more than {}", "up to {}", "a maximum of {}", "not more than {}")
    return [form.format(said) for said in plain(number) for form in forms] + [f"fewer than {words(number + 1)}"]


def least(number: int) -> list[str]:
    """Ways to say "at least so many"."""
    forms = ("at least {}", "no fewer than {}", "{} or more", "a minimum of {}", "not less than {}")
    return [form.format(said) for said in plain(number) for form in forms] + [f"more than {words(number - 1)}"]


def vote(number: int) -> list[str]:
    """1409: 14 against 9."""
    ours, theirs = divmod(number, 100)
    forms = ("{} to {}", "{} votes to {}", "a vote of {} to {}", "a margin of {} to {}", "{}-{}", "{} against {}")
    return [form.format(ours, theirs) for form in forms] + [f"{words(ours)} to {words(theirs)}"]


@dataclass(frozen=True, slots=True)
class Measure:
    facts: tuple[tuple[str, ...], ...]
    values: tuple[int, ...]
    said: Sayings
    opposite: Sayings | None = None  # of a limit: says of a value what is not said where `said` is
    stricter: int = 0  # of a limit: -1 if smaller values say more, so that larger ones follow; 1 if larger ones do


def measure(
    facts: str, values: tuple[int, ...], said: Sayings, opposite: Sayings | None = None, stricter: int = 0
) -> Measure:
    return Measure(tuple(tuple(line.split("|")) for line in facts.splitlines()), values, said, opposite, stricter)


MEASURES = (
    measure(LENGTHS, (1, 3, 6, 9, 12, 18, 24, 24, 36, 36, 48, 60, 84, 120), months),
    measure(SHORT, (1, 3, 5, 7, 10, 14, 14, 21, 28, 30, 42, 56, 90), days),
    measure(HOURS, (10, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 300), minutes),
    measure(SHARES, (10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 90, 100, 100), share),
    measure(
        AMOUNTS,
        (120, 150, 300, 450, 800, 1000, 1200, 1500, 1800, 2000, 2500, 3000, 4500, 12_000, 15_000, 40_000, 2_000_000),
        amount,
    ),
    measure(AGES, (12, 14, 16, 18, 21, 25, 60, 65), age),
    measure(COUNTS, (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 20, 24, 30), plain),
    measure(LIMITS, (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30), most, least, -1),
    measure(FLOORS, (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30), least, most, 1),
    measure(VOTES, (302, 403, 504, 705, 806, 907, 1009, 1107, 1206, 1409, 1508, 2114, 3318, 4139, 5520), vote),
)


@dataclass(frozen=True, slots=True)
class Fact:
    measure: Measure
    forms: tuple[str, ...]
    value: int

    def told(self, form: str, said: str) -> str:
        text = form.format(said)
        return text[0].upper() + text[1:] + "."


def groups(count: int, chance: random.Random) -> Iterator[list[dict[str, object]]]:
    """Rows of a claim and its near miss, one group each, about `count` rows."""
    made = 0
    while made < count:
        facts = []
        for kind in [chance.choice(MEASURES)] * chance.choice((1, 2)) + chance.sample(MEASURES, 1):
            fact = Fact(kind, chance.choice(kind.facts), chance.choice(kind.values))
            if all(fact.forms != other.forms and fact.value != other.value for other in facts):
                facts.append(fact)
        sayings = [chance.choice(fact.measure.said(fact.value)) for fact in facts]
        told = [fact.told(chance.choice(fact.forms), said) for fact, said in zip(facts, sayings, strict=True)]
        told += [text.strip() for text in chance.sample(FILLERS, chance.choice((0, 1, 2)))]
        chance.shuffle(told)
        for fact, stated in zip(facts, sayings, strict=True):
            form = chance.choice(fact.forms)
            ways = fact.measure.said(fact.value)
            others = [said for said in ways if said != stated]
            said = chance.choice(others if others and chance.random() < 0.85 else ways)
            elsewhere = [other.value for other in facts if other.measure is fact.measure and other is not fact]
            values = [value for value in fact.measure.values if value != fact.value]
            if stricter := fact.measure.stricter:
                values, elsewhere = (
                    [v for v in own if v * stricter > fact.value * stricter] for own in (values, elsewhere)
                )
            other = ""
            if values:
                value = chance.choice(elsewhere if elsewhere and chance.random() < 0.5 else values)
                other = chance.choice(fact.measure.said(value))
            if fact.measure.opposite and (not other or chance.random() < 0.3):
                other = chance.choice(fact.measure.opposite(fact.value))
            rows: list[dict[str, object]] = [
                {"h": fact.told(form, said), "l": 0},
                {"h": fact.told(form, other), "l": 3 if stricter else 2},
            ]
            made += len(rows)
            yield list(marked([{"p": " ".join(told), **row} for row in rows]))


def joined(items: Sequence[str]) -> str:
    """ "a saw, a file and a drill"."""
    return f"{', '.join(items[:-1])} and {items[-1]}"


def listed(count: int, chance: random.Random) -> Iterator[list[dict[str, object]]]:
    """As `groups`, of lists: how many things they have, and which. "a saw, a drill and a file" are three tools."""
    lists = [line.split("|") for line in LISTS.splitlines()]
    made = 0
    while made < count:
        opening, many, one, members = chance.choice(lists)
        pool = members.split(";")
        chance.shuffle(pool)
        number = chance.randrange(2, len(pool))
        inside, outside = pool[:number], pool[number:]
        form = chance.choice(("{} these {many}: {}.", "{} the following {many}: {}.", "{} {number} {many}: {}."))
        told = [form.format(opening, joined(inside), many=many, number=words(number))]
        told += [text.strip() for text in chance.sample(FILLERS, chance.choice((0, 1, 2)))]
        chance.shuffle(told)
        if chance.random() < 0.65:
            wrong = chance.choice([other for other in range(2, len(pool) + 2) if other != number])
            form = chance.choice(
                ("{0} {1} {2}.", "{0} {1} {2}.", "{0} {1} different {2}.", "{0} more than one {3}, {1} in all.")
            )
            claims = [form.format(opening, chance.choice(plain(each)), many, one) for each in (number, wrong)]
        else:
            part = chance.sample(inside, chance.randrange(1, number))
            claims = [f"{opening} {joined([*part, each])}." for each in (inside_other(inside, part), outside[0])]
        made += 2
        yield list(
            marked([{"p": " ".join(told), "h": claims[0], "l": 0}, {"p": " ".join(told), "h": claims[1], "l": 2}])
        )


def inside_other(inside: Sequence[str], part: Sequence[str]) -> str:
    """The first member that `part` has not: "Bute" of Arran and Bute, beside a part with Arran."""
    return next(each for each in inside if each not in part)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=4000)
    options.add_argument("--lists", type=float, default=0.2, help="share of rows about lists")
    options.add_argument("--heldout", type=int, default=200, help="rows")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    with writer(given.out) as write:
        for split, count in (("train", given.rows), ("heldout", given.heldout)):
            chance = random.Random(f"{given.seed} {split}")
            of_lists = round(count * given.lists)
            found = [*groups(count - of_lists, chance), *listed(of_lists, chance)]
            for number, rows in enumerate(found):
                for row in rows:
                    known = {"split": split, "src": "quantities", "kind": "quantity", "g": f"{split}{number}"}
                    write(row | known)
            print(f"{split}: {sum(map(len, found))} rows")


if __name__ == "__main__":
    main()
