"""Clause rules: one behaviour a test, on sentences that the parser reads well."""

import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Barrier

import pytest

from graph_eval import registry
from graph_eval.errors import MissingPartError
from graph_eval.extractors.coverage import Coverage
from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.extractors.wording import present
from graph_eval.isolation import isolated
from graph_eval.parsing.parser import Parser
from graph_eval.resources import folder
from graph_eval.types import Claim, ItemError, Kind, Slot, Span, Text

RULES = registry.create("extractor", "rules")


@pytest.fixture(autouse=True)
def any_confidence(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rules read is tested here, not which triplets are sure enough."""
    monkeypatch.setattr(f"{RulesExtractor.__module__}.LEAST_CONFIDENCE", 0.0)


def claims(text: str, question: str | None = None) -> list[Claim]:
    extracted: list[Claim] = RULES.extract([Text("t", text, question)])[0]
    return extracted


def triplets(text: str, question: str | None = None) -> list[tuple[str, ...]]:
    return [tuple(slot.text for slot in claim.slots) for claim in claims(text, question) if claim.kind is Kind.TRIPLET]


def slots_of(text: str, words: tuple[str, str, str]) -> tuple[Slot, ...]:
    return next(claim.slots for claim in claims(text) if tuple(slot.text for slot in claim.slots) == words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marie Curie discovered radium.", [("Marie Curie", "discovered", "radium")]),
        (
            "Emil received the prize in 1984.",
            [("Emil", "received the prize in", "1984")],
        ),
        ("Radium was discovered by Marie Curie.", [("Radium", "was discovered by", "Marie Curie")]),
        (
            "Emil bought apples, pears and plums.",
            [("Emil", "bought", "apples"), ("Emil", "bought", "pears"), ("Emil", "bought", "plums")],
        ),
        (
            "Anna was born in Oslo and raised in Bergen.",
            [("Anna", "was born in", "Oslo"), ("Anna", "was raised in", "Bergen")],
        ),
        ("The council did not close the bridge.", [("council", "did not close", "bridge")]),
        ("Jon began to write novels.", [("Jon", "began to write", "novels")]),
        ("The club has no members.", [("club", "has", "no members")]),
        ("The letter that Emil wrote was found in 1990.", [("letter that Emil wrote", "was found in", "1990")]),
        ("The house in which Anna lived was sold.", [("house in which Anna lived", "was sold", "")]),
        ("Anna is the one that won.", [("Anna", "is", "one that won")]),
        ("People who smoke die younger.", [("People who smoke", "die", "younger")]),
        ("Taking part in the race made Emil famous.", [("Taking part in the race", "made Emil", "famous")]),
        ("The treaty took effect in 1992.", [("treaty", "took effect in", "1992")]),
        ("Emil was named captain of the team.", [("Emil", "was named", "captain of the team")]),
        ("There is hope.", [("There", "is", "hope")]),
        ("The idea is that everyone pays.", [("idea", "is", "that everyone pays")]),
        ("Emil left after Anna arrived.", [("Emil", "left after", "Anna arrived")]),
        ("Emil resigned because of the scandal.", [("Emil", "resigned because of", "scandal")]),
        ("Anna gave Emil a book.", [("Anna", "gave Emil", "book")]),
        ("Emil died yesterday.", [("Emil", "died", "yesterday")]),
        ("Drop-off runs from 7 to 9 am.", [("Drop-off", "runs from", "7 to 9 am")]),
        (
            "You only need to de-register if you sell the boat.",
            [("You", "only need to de-register", "if you sell the boat")],
        ),
        (
            "The firm has withdrawn the offer and apologised.",
            [("firm", "has withdrawn", "offer"), ("firm", "has apologised", "")],
        ),
        ("Hand in your essay by Friday.", [("You", "hand in", "your essay by Friday")]),
        ("A repair can take up to a working day.", [("repair", "can take", "up to a working day")]),
        ("Losing a key costs £5 and can take a week.", [("Losing a key", "can take", "week")]),
        (
            "Wait for the reminder e-mail, which arrives two days before the lesson begins.",
            [("reminder e-mail", "arrives two days before", "lesson begins")],
        ),
        ("The old lease ends after the first term. You can renew it once.", [("You", "can renew", "old lease once")]),
        ("After the trial, the lease goes on and you can end it.", [("you", "can end", "lease")]),
        (
            "The club buys a boat, on condition that the town pays half of it.",
            [("club", "buys", "boat on condition that the town pays half of it")],
        ),
        ("Tools are insured, as is the van.", [("Tools", "are insured", ""), ("van", "is insured", "")]),
        (
            "You may end the lease, but only once you have paid the rent.",
            [("You", "may end", "lease but only once you have paid the rent")],
        ),
        (
            "You can swap shifts, but only after you have asked the manager.",
            [("You", "can swap shifts but only after", "you have asked the manager")],
        ),
        (
            "You pay 2 euros per day for each late book, capped at 12 euros.",
            [("You", "pay", "2 euros per day for each late book, capped at 12 euros")],
        ),
        ("Emil ran quickly.", [("Emil", "ran quickly", "")]),
        ("Emil slept.", [("Emil", "slept", "")]),
        ("Anna is a singer, dancer and actor.", [("Anna", "is", "singer"), ("Anna", "is", "actor")]),
        ("Anna is able to sing.", [("Anna", "is", "able to sing")]),
        ("According to the report, sales fell in May.", [("sales", "fell in", "May")]),
        (
            "The film, which was released in 1999, won three awards.",
            [("film", "was released in", "1999"), ("film", "won", "three awards")],
        ),
        ("In 1999, Emil was no longer president.", [("Emil", "was no longer", "president in 1999")]),
        ("The well-known lab opened.", [("well-known lab", "opened", "")]),
        ("Emil is said to be rich.", [("Emil", "is said to be", "rich")]),
        ("Ada's brother, a doctor, moved abroad.", [("Ada's brother", "is", "doctor")]),
        ("Emil worked as a clerk for the bank.", [("Emil", "worked as", "clerk for the bank")]),
        ("The mayor says nothing about the plan.", [("mayor", "says", "nothing about the plan")]),
        ("The organisation (founded 1901) grew.", [("organisation", "was founded", "1901")]),
        (
            "Kim (12 April 1881 - 3 November 1949) was a botanist.",
            [("Kim", "lived", "12 April 1881 - 3 November 1949")],
        ),
        ("Mystic River (2003) is a film.", [("Mystic River", "dates from", "2003")]),
    ],
)
def test_clauses(text: str, expected: list[tuple[str, ...]]) -> None:
    extracted = triplets(text)
    assert all(triplet in extracted for triplet in expected), extracted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A red light means that the pump has stopped.", [("red light", "means that", "pump has stopped")]),
        ("Officials believe that the bridge is safe.", [("Officials", "believe that", "bridge is safe")]),
        ("The time depends on how firm you like the yolk.", [("time", "depends on", "how firm you like the yolk")]),
        ("Assistance dogs are exempt from this rule.", [("Assistance dogs", "are", "exempt from this rule")]),
        ("Tell your doctor if you are pregnant.", [("You", "tell", "your doctor if you are pregnant")]),
        (
            "The board expects the works to last at least six weeks.",
            [("board", "expects the works to last", "at least six weeks")],
        ),
        ("The leave needn't be taken in one block.", [("leave", "needn't be taken in", "one block")]),
        ("Anna paid $30 and Ben $20.", [("Anna", "paid", "$30"), ("Ben", "paid", "$20")]),
        ("Vantry & Holm was founded in 1932.", [("Vantry & Holm", "was founded in", "1932")]),
        ("Only the lid and the cup are dishwasher safe.", [("Only the lid and the cup", "are", "dishwasher safe")]),
        ("The flu and the cold are two different illnesses.", [("flu and the cold", "are", "two different illnesses")]),
        ("The bridge carries both road and rail traffic.", [("bridge", "carries", "both road and rail traffic")]),
        (
            "Nobody may take a laptop to a country that is not listed.",
            [("Nobody", "may take", "laptop to a country that is not listed")],
        ),
        (
            "The capsules should neither be chewed nor opened.",
            [("capsules", "should not be chewed", ""), ("capsules", "should not be opened", "")],
        ),
        ("The choice should not solely be based on cost.", [("choice", "should not solely be based on", "cost")]),
        ("Authors are paid on delivery and no longer on publication.", [("Authors", "are paid on", "delivery")]),
        ("The bonus depends no longer on turnover but on profit.", [("bonus", "depends no longer on", "turnover")]),
        (
            "Outdated pages are not deleted but redirected.",
            [("Outdated pages", "are not deleted", ""), ("Outdated pages", "are redirected", "")],
        ),
        (
            "Don't move the bag, don't open the bag, clear the hall.",
            [("You", "don't move", "bag"), ("You", "don't open", "bag"), ("You", "clear", "hall")],
        ),
        ("You never came late or left early.", [("You", "never came late", ""), ("You", "never left early", "")]),
        ("Alcohol neither helped nor harmed.", [("Alcohol", "neither helped nor harmed", "")]),
        ("The clock stops when the hips sink, not when you say stop.", [("clock", "stops", "when the hips sink")]),
        ("Add chicken and brown slightly.", [("You", "add", "chicken"), ("You", "brown slightly", "")]),
        (
            "Remove the steak from the oven and heat oil in a medium skillet over high heat.",
            [
                ("You", "remove", "steak from the oven"),
                ("You", "heat", "oil in a medium skillet over high heat"),
            ],
        ),
        (
            "Bring tomatoes to a boil and simmer for 10 minutes.",
            [("You", "bring", "tomatoes to a boil"), ("You", "simmer for", "10 minutes")],
        ),
        ("It takes about five months for new hens to start laying.", []),
        (
            "The days can be split but not carried over.",
            [("days", "can be split", ""), ("days", "can not be carried over", "")],
        ),
        (
            "The parts may overheat and void the warranty.",
            [("parts", "may overheat", ""), ("parts", "may void", "warranty")],
        ),
        ("The ticket costs more than it did last year.", [("ticket", "costs", "more than it did last year")]),
        (
            "The council voted to ban cars, a measure that had been debated for years.",
            [("council", "voted to ban", "cars")],
        ),
        ("You can choose a 401(k) plan.", [("You", "can choose", "401(k) plan")]),
        ("The shirts can be washed on or off the frame.", [("shirts", "can be washed on or off", "frame")]),
        (
            "Pupils who come without their uniform are sent home.",
            [("Pupils who come without their uniform", "are sent home", "")],
        ),
        (
            "The nurses check the pumps. They record the results.",
            [("nurses", "check", "pumps"), ("nurses", "record", "results")],
        ),
        ("Here is how the plans compare:\n- **Price:** Plan A costs $5.", [("Plan A", "costs", "$5")]),
        ("Follow these steps:\n1. Close the lid.", [("You", "close", "lid")]),
        ("The tasks are to:\n- clean the filter", [("tasks", "are to clean", "filter")]),
        ("- **Saturn** – bright rings of ice", []),
        ("Passage 1 mentions a cost. (Passage 1, Passage 2)", [("Passage 1", "mentions", "cost")]),
        (
            "The loan is repaid in full if the hall is clean and the key is back by noon.",
            [("loan", "is repaid", "in full if the hall is clean and the key is back by noon")],
        ),
        (
            "The committee asked for figures broken down by department.",
            [("committee", "asked for", "figures broken down by department")],
        ),
        (
            "Ida Holm was a painter. She married Piet Onckx in 1903. He died in 1911.",
            [
                ("Ida Holm", "was", "painter"),
                ("Ida Holm", "married Piet Onckx in", "1903"),
                ("Piet Onckx", "died in", "1911"),
            ],
        ),
        # Twins of the above, which are no exceptions
        ("This means that the bag weighs 3 kg.", [("bag", "weighs", "3 kg")]),
        ("The passage suggests that the bridge is safe.", [("bridge", "is", "safe")]),
        (
            "Scientists estimate that the lake, which formed in 1900, is deep.",
            [("Scientists", "estimate that", "lake, which formed in 1900, is deep"), ("lake", "formed in", "1900")],
        ),
        ("Under this plan, users pay $9.", [("users", "pay", "$9 under this plan")]),
        ("Both alarms go off at the same time.", [("Both alarms", "go off at", "same time")]),
        ("Remove the staple from the document.", [("You", "remove", "staple from the document")]),
        ("The hotel has no pool either and charges $9 for parking.", [("hotel", "charges", "$9 for parking")]),
        (
            "At least five workers died. They were trapped.",
            [("At least five workers", "died", ""), ("At least five workers", "were", "trapped")],
        ),
        (
            "Ada Berg, the mayor of a town which has 3,000 people, resigned in May.",
            [("Ada Berg", "resigned in", "May"), ("Ada Berg", "is", "mayor of a town which has 3,000 people")],
        ),
        (
            "Osmosis, the process of water moving through a membrane, is slow.",
            [("Osmosis", "is", "slow"), ("Osmosis", "is", "process of water moving through a membrane")],
        ),
        ("McDonald's opened its first restaurant in 1955.", [("McDonald's", "opened its first restaurant in", "1955")]),
        (
            "The company earned more than $5 million because the factory closed.",
            [
                ("company", "earned", "more than $5 million"),
                ("company", "earned more than $5 million because", "factory closed"),
                ("factory", "closed", ""),
            ],
        ),
        (
            "- Breads: rye, **wheat**, spelt",
            [("Breads", "include", "rye"), ("Breads", "include", "wheat"), ("Breads", "include", "spelt")],
        ),
        ("- Aspirin – thins the blood", [("Aspirin", "thins", "blood")]),
        ("- Berlin – the capital of Germany", [("Berlin", "is", "capital of Germany")]),
        ("Avoid these foods:\n- liver", [("You", "avoid", "liver")]),
        ("The program helps those at risk.", [("program", "helps", "those at risk")]),
        ("The deadline is when the shop closes.", [("deadline", "is", "when the shop closes")]),
        (
            "Do not boil or freeze it. Do not boil or freeze the sauce.",
            [("You", "do not boil", "sauce"), ("You", "do not freeze", "sauce")],
        ),
        ("The tower is 30 m. It was built in 1990.", [("tower", "is", "30 m"), ("tower", "was built in", "1990")]),
        ("The kit includes:\n- flour; 200 g", [("kit", "includes", "flour; 200 g")]),
        # alternatives of commands and duties
        ("Pause or cancel your plan in the app.", [("You", "pause or cancel", "your plan in the app")]),
        (
            "Call us or send a message if it breaks.",
            [("You", "call", "us or send a message if it breaks")],
        ),
        (
            "The plant should be misted in winter or placed on a tray because the air is dry.",
            [
                ("plant", "should be misted in", "winter or placed on a tray"),
                ("plant", "should be misted in winter or placed on a tray because", "air is dry"),
                ("air", "is", "dry"),
            ],
        ),
        ("You must not drink or smoke.", [("You", "must not drink", ""), ("You", "must not smoke", "")]),
        (
            "The law neither lowered prices nor raised wages.",
            [("law", "neither lowered", "prices nor raised wages")],
        ),
        # participles and gerunds are part of their claim
        ("Season the pork with salt before serving.", [("You", "season", "pork with salt before serving")]),
        ("Dig a hole using a shovel.", [("You", "dig", "hole using a shovel")]),
        (
            "Roast the pork for an hour, turning it over once.",
            [("You", "roast", "pork for an hour, turning it over once")],
        ),
        (
            "Turn on the broiler and bake for 5 minutes, or until the fries are crispy.",
            [("You", "turn on", "broiler"), ("You", "bake for", "5 minutes or until the fries are crispy")],
        ),
        # what stands in front of a subject and describes it
        (
            "The son of a guard, Velikar moved to Oslo.",
            [("Velikar", "moved to", "Oslo"), ("Velikar", "is", "son of a guard")],
        ),
        (
            "Headquartered in Bergen, Orsa Foods sells fish.",
            [("Orsa Foods", "is headquartered in", "Bergen"), ("Orsa Foods", "sells", "fish")],
        ),
        ("On a low residue diet, you can eat rice.", [("you", "can eat", "rice on a low residue diet")]),
        # times in front hold for both
        (
            "In 2020, the firm sold a mill and opened a school.",
            [("firm", "sold a mill in", "2020"), ("firm", "opened", "school in 2020")],
        ),
        # signs
        ("Bake it at 400°F (200°C).", [("400°F", "is", "200°C")]),
        ("Visitors should use Exit C.", [("Visitors", "should use", "Exit C")]),
        ("Large eggs need a few minutes more.", [("Large eggs", "need", "a few minutes more")]),
        ("Select the order and tap Edit Address.", [("You", "select", "order"), ("You", "tap", "Edit Address")]),
        ("Right-click and select Copy.", [("You", "Right-click", "Copy"), ("You", "select", "Copy")]),
        # parts that a misreading parts
        ("Never let the compost dry out entirely.", [("You", "never let the compost dry out entirely", "")]),
        ("Keep the compost moist but not soaked.", [("You", "keep compost", "moist but not soaked")]),
        ("The dumplings can be shaped up to a day ahead.", [("dumplings", "can be shaped", "up to a day ahead")]),
        (
            "Goods may be sent back, provided the box and the tags are included.",
            [("Goods", "may be sent back", "provided the box and the tags are included")],
        ),
        ("Make sure all doors are closed.", [("You", "make sure", "all doors are closed")]),
        (
            "No item may weigh more than 25 kg or be longer than 1.5 metres.",
            [("No item", "may weigh", "more than 25 kg"), ("No item", "may be", "longer than 1.5 metres")],
        ),
        (
            "The letter must be in writing and addressed to the bank.",
            [("letter", "must be", "in writing"), ("letter", "must be addressed to", "bank")],
        ),
        (
            "The parcel should arrive today, and if it is damaged, call us.",
            [("parcel", "should arrive", "today"), ("You", "call", "us if it is damaged")],
        ),
        (
            "The engine is lighter and quieter than the old one.",
            [("engine", "is", "lighter than the old one"), ("engine", "is", "quieter than the old one")],
        ),
        (
            "The fastest way is the bus, which leaves every hour.",
            [("fastest way", "is", "bus"), ("bus", "leaves", "every hour")],
        ),
        ("If the yolk is cooked, it should be yellow.", [("yolk", "should be", "yellow if the yolk is cooked")]),
        ("Students attend 85% of their classes each term.", [("Students", "attend", "85% of their classes each term")]),
        ("For gifts, the limit is 30%.", [("limit for gifts", "is", "30%")]),
        (
            "The club had 4,310 euros in its account, 600 euros less than a year ago.",
            [("club", "had 4,310 euros in", "its account")],
        ),
        ("Tickets are sold at the shop, but not on board.", [("Tickets", "are sold at", "shop, but not on board")]),
        # labels that say of whom, when or in which case
        (
            "- **Adults:** Take two tablets.\n- **Children:** Take one tablet.",
            [("Adults", "take", "two tablets"), ("Children", "take", "one tablet")],
        ),
        ("- **Sundays:** the shop is closed.", [("shop", "is", "closed on Sundays")]),
        ("- **Adults over 65:** the dose is 5 mg.", [("dose", "is", "5 mg for adults over 65")]),
        ("- **Price:** The fee is $20.", [("fee", "is", "$20")]),
        ("- **Children:** The pool is closed.", [("pool", "is", "closed for children")]),
        ("- **Children:** Ada Berg has two sons.", [("Ada Berg", "has", "two sons")]),
        ("- **Patients:** Weigh the patient every day.", [("You", "weigh", "patient every day for patients")]),
        ("The flat is not new but renovated in 2019.", [("flat", "is not", "new")]),
        ("Ada Berg is from Oslo and a nurse.", [("Ada Berg", "is", "from Oslo"), ("Ada Berg", "is", "nurse")]),
        (
            "In 2015, the company bought a farm and sells milk.",
            [("company", "bought a farm in", "2015"), ("company", "sells", "milk")],
        ),
        ("Taken three times a day, the drug helps.", [("drug", "helps", "")]),
        ("Be careful or you will fall.", [("You", "be", "careful")]),
        ("For a fee, the ticket is refundable.", [("ticket", "is", "refundable for a fee")]),
        # conditions, hedges, places
        (
            "The board dealt with a bridge over the Tilse, which had been shut since May because inspectors found rot.",
            [
                ("board", "dealt with", "bridge over the Tilse"),
                ("bridge over the Tilse", "had been shut since", "May"),
                ("bridge over the Tilse", "had been shut since May because", "inspectors found rot"),
                ("inspectors", "found", "rot"),
            ],
        ),
        (
            "If you need space, Duo is the better choice: it costs €8 per user a month, or €80 if you pay yearly.",
            [
                ("Duo", "is", "better choice if you need space"),
                ("Duo", "costs", "€8 per user a month, or €80 if you pay yearly"),
            ],
        ),
        ("Rinse it every three months, or more often if your water is very hard.", []),
        (
            "Members get 20% off all plans, but not during the fair.",
            [("Members", "get", "20% off all plans but not during the fair")],
        ),
        (
            "Papers must be ordered by noon to be ready the same day.",
            [("Papers", "must be ordered by noon to be", "ready the same day")],
        ),
        ("The lamp turns solid blue.", [("lamp", "turns", "solid blue")]),
        (
            "Tom grew up in Ulmby, where his aunt had a tailor's shop, and became a helper to the baker Jan Roos.",
            [
                ("Tom", "grew up in", "Ulmby"),
                ("Tom's aunt", "had", "tailor's shop in Ulmby"),
                ("Tom", "became", "helper to the baker Jan Roos"),
            ],
        ),
        ("The lamp blinks red twice to confirm this.", [("lamp", "blinks", "red twice")]),
        ("The two grants can be held at the same time.", [("two grants", "can be held at", "same time")]),
        (
            "The grant and the loan can be held at the same time.",
            [("grant and the loan", "can be held at", "same time")],
        ),
        (
            "If you hike there, keep in mind that boots are required.",
            [("boots", "are required", "if you hike there")],
        ),
        (
            "Sales had dropped by 20% since the bridge closed.",
            [("Sales", "had dropped by 20% since", "bridge closed"), ("bridge", "closed", "")],
        ),
        ("You can, provided that the owner agrees.", []),
        (
            "On Sunday, rain will arrive and may bring 15 to 20 mm by midnight.",
            [("rain", "will arrive on", "Sunday"), ("rain", "may bring", "15 to 20 mm by midnight on Sunday")],
        ),
        (
            "In that case, unplug the pump and call the shop.",
            [("You", "unplug", "pump in that case"), ("You", "call", "shop in that case")],
        ),
        ("Generally, a landlord cannot deduct money.", [("landlord", "generally cannot deduct", "money")]),
        (
            "If you are ill, call us before work begins.",
            [("You", "call us before", "work begins if you are ill")],
        ),
        (
            "Customers pay duty, except in Norland, where we cover it.",
            [("Customers", "pay", "duty except in Norland, where we cover it"), ("we", "cover", "duty in Norland")],
        ),
        ("The bank will either pay it or decline it.", []),
        ("You can either refuse the parcel or accept it.", [("You", "can refuse", "parcel or accept it")]),
        ("Be careful not to damage the wires.", [("You", "be", "careful not to damage the wires")]),
        ("Try not to pull too hard.", [("You", "try not to pull", "too hard")]),
        ("The reason in your case is given in the email.", [("reason in your case", "is given in", "email")]),
        (
            "The bin is for waste, peelings and wood.",
            [("bin", "is", "for waste"), ("bin", "is", "for peelings"), ("bin", "is", "for wood")],
        ),
        ("Your account can't be used.", [("Your account", "can't be used", "")]),
        ("Should you move, the permit has to be updated.", [("permit", "has to be updated", "should you move")]),
        (
            "The road was closed until 5 p.m. Buses took another way.",
            [("road", "was closed until", "5 p.m."), ("Buses", "took", "another way")],
        ),
    ],
)
def test_these_are_all_triplets(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the line ends with a preposition, or in the middle of a clause
        (
            "You can pay with:\n- Visa cards\n- cash",
            [("You", "can pay with", "Visa cards"), ("You", "can pay with", "cash")],
        ),
        ("The fee depends on:\n- your age", [("fee", "depends on", "your age")]),
        ("A passport is valid for:\n- ten years", [("passport", "is valid for", "ten years")]),
        ("The cover extends to damage caused by:\n- storms", [("cover", "extends to damage caused by", "storms")]),
        ("Employees are entitled to:\n- 25 days of leave", [("Employees", "are entitled to", "25 days of leave")]),
        (
            "Members can:\n- borrow ten books\n- reserve a room",
            [("Members", "can borrow", "ten books"), ("Members", "can reserve", "room")],
        ),
        (
            "Visitors may not:\n- smoke\n- touch the exhibits",
            [("Visitors", "may not", "smoke"), ("Visitors", "may not touch", "exhibits")],
        ),
        (
            "Do not use the cream if you have:\n- open wounds",
            [("You", "do not use the cream if you have", "open wounds")],
        ),
        ("You are eligible if you:\n- live in Oslo", [("You", "are eligible if you live in", "Oslo")]),
        # items that are clauses stay clauses
        (
            "The differences between the plans are:\n- Basic has 10 GB.\n- Pro has 100 GB.",
            [("Basic", "has", "10 GB"), ("Pro", "has", "100 GB")],
        ),
        ("Make sure that:\n- the power is off", [("power", "is", "off")]),
        # items are the object or the subject of what points to them
        ("The kit includes the following:\n- ten nails", [("kit", "includes", "ten nails")]),
        (
            "The following items are not covered:\n- broken screens\n- water damage",
            [("broken screens", "are not covered", ""), ("water damage", "is not covered", "")],
        ),
        # what follows a list is about none of its items
        (
            "The parts of pesto are:\n- Basil\n- Parmesan\n\nIt is served with pasta.",
            [
                ("parts of pesto", "are", "Basil"),
                ("parts of pesto", "are", "Parmesan"),
                ("pesto", "is served with", "pasta"),
            ],
        ),
        # a coordination inside an object
        (
            "The app has the ability to record calls and block spam.",
            [("app", "has", "ability to record calls"), ("app", "has", "ability to block spam")],
        ),
        (
            "The app has the ability to find errors and mend them.",
            [("app", "has", "ability to find errors and mend them")],
        ),
        (
            "The fee is $15 for members and $25 for guests.",
            [("fee", "is", "$15 for members"), ("fee", "is", "$25 for guests")],
        ),
        # a bracket that goes on with a verb
        (
            "Tobacco use (accounts for 9% of deaths) is common.",
            [("Tobacco use", "is", "common"), ("Tobacco use", "accounts for", "9% of deaths")],
        ),
        # the line above holds for its items: conditions, purposes, keys, titles
        ("If your card is stolen, do the following:\n- Call us.", [("You", "call", "us if your card is stolen")]),
        ("To apply for a permit, you need:\n- two photos", [("you", "need", "two photos to apply for a permit")]),
        ("Error E47 appears if:\n- the licence has expired", [("Error E47", "appears if", "licence has expired")]),
        ("This can happen when:\n- the disk is full", [("This", "can happen when", "disk is full")]),
        ("Mark Feldt said that:\n- demand was strong", [("Mark Feldt", "said that", "demand was strong")]),
        ("The late fees are:\n- Books: 20 cents a day", [("late fees for Books", "are", "20 cents a day")]),
        ("**Requirements**\n- 2 GB of memory", [("Requirements", "include", "2 GB of memory")]),
        (
            "Nimbo 4:\n- starts faster than Nimbo 3\n- can run offline",
            [("Nimbo 4", "starts", "faster than Nimbo 3"), ("Nimbo 4", "can run offline", "")],
        ),
        ("You need:\n- a form (two pages)", [("You", "need", "form (two pages)")]),
        (
            "The fare includes:\n- Meals\n- Port taxes\n\nIt does not include:\n- Drinks",
            [
                ("fare", "includes", "Meals"),
                ("fare", "includes", "Port taxes"),
                ("fare", "does not include", "Drinks"),
            ],
        ),
        # the last verb of the line, a condition without its verb, what is only possible
        (
            "The plan costs $9 and includes:\n- ten projects",
            [("plan", "costs", "$9"), ("plan", "includes", "ten projects")],
        ),
        (
            "See a doctor if the headache:\n- comes on suddenly",
            [("You", "see a doctor if the headache", "comes on suddenly")],
        ),
        ("To qualify, you need to:\n- verify your status", [("you", "need to verify", "your status")]),
        (
            "There are two possible reasons why it failed:\n- Your card has expired.",
            [
                ("There", "are", "two possible reasons why it failed"),
                ("two possible reasons why it failed", "include", "Your card has expired"),
            ],
        ),
        ("- **Capture theory:** The moon formed elsewhere.", []),
        ("The strikers, most of them women, demanded more.", [("strikers", "demanded", "more")]),
        ("None of the plans includes support.", [("None of the plans", "includes", "support")]),
        ("Weather sealing: No", [("Weather sealing", "is", "No")]),
        # keys and values
        ("Power: 350 W\nPopulation: 41,000 (2021)", [("Power", "is", "350 W"), ("Population", "is", "41,000 (2021)")]),
        ("Founded: 1848", []),
        ("Born: 14 June 1952, Ibadan, Nigeria", []),
        ("Rooms: 62 rooms, all with a bath", [("Rooms", "are", "62 rooms, all with a bath")]),
        # what is claimed or demanded is no fact
        (
            "The claim that the queen was poisoned is disputed.",
            [("claim that the queen was poisoned", "is disputed", "")],
        ),
        (
            "The law requires that each buyer notify the office.",
            [("law", "requires that", "each buyer notify the office")],
        ),
        # participles become verbs
        (
            "Lena Ross won the race, becoming a star.",
            [("Lena Ross", "won", "race"), ("Lena Ross", "became", "star")],
        ),
        (
            "The bridge, built in 1911 and widened in 1960, was closed.",
            [("bridge", "was built in", "1911"), ("bridge", "was widened in", "1960"), ("bridge", "was closed", "")],
        ),
        # what belongs together stays so
        ("The plan was put on hold in May.", [("plan", "was put", "on hold in May")]),
        (
            "After losing his job, Tom Reed lived in Spain for two years.",
            [
                ("Tom Reed", "lived in", "Spain after losing his job"),
                ("Tom Reed", "lived for", "two years after losing his job"),
            ],
        ),
        ("Marlite is most commonly found in Norland.", [("Marlite", "is most commonly found in", "Norland")]),
        ("Officials confirmed 27 cases, most of them in Oslo.", [("Officials", "confirmed", "27 cases")]),
        ("Roth, 46, had been accused of fraud.", [("Roth", "had been accused of", "fraud")]),
        (
            "The judge said that no crime had been committed and thanked the jury.",
            [
                ("judge", "said that", "no crime had been committed"),
                ("no crime", "had been committed", ""),
                ("judge", "thanked", "jury"),
            ],
        ),
        ("A 2016 analysis of her hair found no arsenic.", []),
        ("It may be a sign of mould if the leaves turn yellow.", []),
        # a command behind a statement has a subject of its own
        (
            "Paracetamol is safe, but don't take more than 8 tablets.",
            [("Paracetamol", "is", "safe"), ("You", "don't take", "more than 8 tablets")],
        ),
        ("The glue dries fast and sticks to glass.", [("glue", "dries fast", ""), ("glue", "sticks to", "glass")]),
        ("You must be 18 and hold a licence.", [("You", "must be", "18"), ("You", "must hold", "licence")]),
        # names in apposition to a number of things, names of places, directions
        (
            "It was founded by two brothers, Karl and Otto Lind.",
            [("Karl and Otto Lind", "are", "two brothers")],
        ),
        (
            "Cafe Luna is a restaurant. It has a bar.",
            [("Cafe Luna", "is", "restaurant"), ("Cafe Luna", "has", "bar")],
        ),
        (
            "Lindau lies on the lake, west of Bregenz and north of the Rhine.",
            [
                ("Lindau", "lies on", "lake"),
                ("Lindau", "lies", "west of Bregenz"),
                ("Lindau", "lies", "north of the Rhine"),
            ],
        ),
        ("His giving it away surprised everyone.", [("His giving it away", "surprised", "everyone")]),
    ],
)
def test_lists_and_coordinations_are_read_in_full(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The committee is to draw up a plan by May.", [("committee", "is to draw up", "plan by May")]),
        ("The aim is to inform readers.", [("aim", "is", "to inform readers")]),
        ("The company cut its budget, leading to layoffs.", [("company", "cut", "its budget leading to layoffs")]),
        ("The firm, which makes engines, grew.", [("firm", "makes", "engines"), ("firm", "grew", "")]),
        ("One shop opened in 1990, the other in 2001.", [("One shop", "opened in", "1990")]),
        ("Damage by water is covered, but damage from limescale is not.", [("Damage by water", "is covered", "")]),
        ("The lesson lasts an hour and a half.", [("lesson", "lasts", "hour and a half")]),
        (
            "For the second exam, you register yourself and pay a fee.",
            [("you", "register", "yourself for the second exam"), ("you", "pay", "fee for the second exam")],
        ),
        (
            "If you fail, you are excluded, unless the course is a seminar, which can be replaced.",
            [("you", "are excluded", "if you fail unless the course is a seminar, which can be replaced")],
        ),
        (
            "The home places cats in pairs, except where you already have one.",
            [("home", "places", "cats in pairs except where you already have one")],
        ),
        (
            "Members must have lived here for a year and speak Welsh.",
            [("Members", "must have lived here for", "year"), ("Members", "must speak", "Welsh")],
        ),
        (
            "The hall closes its doors an hour before the last bus leaves, so at six in winter.",
            [
                ("hall", "closes its doors at", "six in winter"),
                ("hall", "closes its doors an hour before", "last bus leaves"),
            ],
        ),
        (
            "You can tell by two signs: the stem breaks easily and the leaves turn grey.",
            [("You", "can tell by", "two signs"), ("stem", "breaks easily", ""), ("leaves", "turn", "grey")],
        ),
        (
            "From 1 May, entry is free and dogs are allowed.",
            [("entry", "is", "free from 1 May"), ("dogs", "are allowed", "from 1 May")],
        ),
        (
            "You can visit the castle in Oslo. It opens at ten.",
            [("You", "can visit", "castle in Oslo"), ("castle in Oslo", "opens at", "ten")],
        ),
        (
            "You can buy a ticket at the station. It costs €5.",
            [("You", "can buy", "ticket at the station"), ("ticket", "costs", "€5")],
        ),
        (
            "The students visited the company. They were shown the factory.",
            [("students", "visited", "company"), ("students", "were shown", "factory")],
        ),
        (
            "If you lose your card, report it to the bank.",
            [("You", "report", "your card to the bank if you lose your card")],
        ),
        (
            "Put the dough on a tray and bake it.",
            [("You", "put", "dough on a tray"), ("You", "bake", "dough")],
        ),
        (
            "Tests were made and confirm that the drug works.",
            [("Tests", "were made", ""), ("Tests", "confirm that", "drug works"), ("drug", "works", "")],
        ),
        (
            "Meat and fish are banned altogether.",
            [("Meat", "is banned altogether", ""), ("fish", "is banned altogether", "")],
        ),
        ("It was a baker who spotted the smoke.", [("baker", "spotted", "smoke")]),
        ("Marks in maths were no different.", [("Marks in maths", "were", "no different")]),
        ("In 2014, the company sold its shares.", [("company", "sold its shares in", "2014")]),
        (
            "The kettle is within the guarantee, which runs for a year.",
            [("kettle", "is", "within the guarantee"), ("guarantee", "runs for", "year")],
        ),
        (
            "If your address is in zone N, a person may have one permit, and a permit costs €45.",
            [
                ("person", "may have", "one permit if your address is in zone N"),
                ("permit", "costs", "€45 if your address is in zone N"),
            ],
        ),
        ("Returned boots have to be unworn.", [("Returned boots", "have to be", "unworn")]),
        (
            "The small hall costs £5 an hour, the larger one costs £9.",
            [("small hall", "costs", "£5 an hour")],
        ),
        ("Whenever it snows, the pass is shut.", [("pass", "is shut", "whenever it snows")]),
        ("The gate was locked, as was the custom.", [("gate", "was locked", "")]),
        ("Lions are proud.\n\n**Risks:** They are shot by hunters.", [("Lions", "are", "proud")]),
        ("Follow-up calls from May.", []),
        (
            "If your address is in zone N, a person may have one permit, and the permit costs €45.",
            [
                ("person", "may have", "one permit if your address is in zone N"),
                ("permit", "costs", "€45 if your address is in zone N"),
            ],
        ),
    ],
)
def test_fine_print(text: str, expected: list[tuple[str, ...]]) -> None:
    found = triplets(text)
    assert [triplet for triplet in expected if triplet not in found] == [], found
    assert len(found) == len(expected), found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Combine flour and salt in a bowl.", [("You", "combine", "flour and salt in a bowl")]),
        ("Whisk together flour, sugar and salt.", [("You", "whisk together", "flour, sugar and salt")]),
        ("Add flour and sugar.", [("You", "add", "flour"), ("You", "add", "sugar")]),
        ("Anna and Ben live together in Oslo.", [("Anna and Ben", "live together in", "Oslo")]),
        ("The club and the town share the cost.", [("club and the town", "share", "cost")]),
        ("A raffle and a concert raised the rest.", [("raffle and a concert", "raised", "rest")]),
        ("Lactose and gluten are often confused.", [("Lactose and gluten", "are", "often confused")]),
        ("Work and home became separate places.", [("Work and home", "became", "separate places")]),
        ("Flammable and inflammable mean the same.", [("Flammable and inflammable", "mean", "the same")]),
        ("Half of the bread comes from Oslo and Bergen.", [("Half of the bread", "comes from", "Oslo and Bergen")]),
        (
            "Blue and green stand for hope and growth, respectively.",
            [("Blue and green", "stand for", "hope and growth respectively")],
        ),
        (
            "The combination of pressure from the weight and the rounding of the back can cause strain.",
            [
                (
                    "combination of pressure from the weight and the rounding of the back",
                    "can cause",
                    "strain",
                )
            ],
        ),
        (
            "Both family doctors and primary care doctors provide care.",
            [("family doctors", "provide", "care"), ("primary care doctors", "provide", "care")],
        ),
    ],
)
def test_what_holds_of_several_together_is_one_claim(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Retaining fluid in the abdomen (ascites)", [("Retaining fluid in the abdomen", "is", "ascites")]),
        (
            "Rain falls in the spring (March to May) and autumn (September to November).",
            [("spring", "is", "March to May"), ("autumn", "is", "September to November")],
        ),
        ("The skis suit a man who is 5 feet 6 inches (168 cm) tall.", [("5 feet 6 inches", "is", "168 cm")]),
        ("Spray the wall down with water (or white vinegar).", []),
        ("Cook the tomato sauce (no seeds).", []),
        ("It can be claimed on Line 29 of Schedule C (Form 1040).", []),
        ("The price differs for each period (3/19 - 3/30/2017).", []),
    ],
)
def test_a_bracket_says_what_it_stands_behind(text: str, expected: list[tuple[str, ...]]) -> None:
    assert [triplet for triplet in triplets(text) if triplet[1] in ("is", "lived")] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Adding shrimp, garlic, and vegetables such as carrots and peas will help.",
            [("vegetables", "include", "carrots"), ("vegetables", "include", "peas")],
        ),
        ("Poke holes into the skin of the potato, including both ends and the center.", []),
        ("The law involves the United States, including the federal government and state governments.", []),
        ("The city offers a range of activities, including golf and tennis.", [("activities", "include", "golf")]),
    ],
)
def test_instances_are_of_the_last_general_term(text: str, expected: list[tuple[str, ...]]) -> None:
    found = triplets(text)
    assert [triplet for triplet in expected if triplet not in found] == [], found
    assert bool(expected) == any(triplet[1] == "include" for triplet in found)
    assert not any(triplet[2] in ("ends", "center", "federal government") for triplet in found)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Sleep clinic, information for shift workers.", []),
        ("Tumble dryer SORIA: care and messages", []),
        ("Obituary: Desmond Ilker, boatbuilder, 1931-2019", []),
        ("Price guarantee, explained by Anna.", [("Price guarantee", "is explained by", "Anna")]),
        ("Subject: the bridge", [("Subject", "is", "the bridge")]),
        ("Ada Berg won.", [("Ada Berg", "won", "")]),
        ("- Stage: the small hall", [("Stage", "is", "the small hall")]),
        ("**Stage:** the small hall", [("Stage", "is", "the small hall")]),
    ],
)
def test_the_title_of_a_text_is_no_claim(title: str, expected: list[tuple[str, ...]]) -> None:
    rest = [("bridge", "is", "closed"), ("council", "pays", "")]
    assert triplets(f"{title}\nThe bridge is closed.\nThe council pays.") == expected + rest
    assert title in [claim.text for claim in claims(f"{title}\nThe bridge is closed.\nThe council pays.")] or expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The new card comes by post, the PIN by text message.", [("new card", "comes", "by post")]),
        (
            "The large hall was finished before the deadline, the small hall after it.",
            [("large hall", "was finished before", "deadline")],
        ),
        (
            "The upper basket is for glasses and cups, the lower basket for plates and pans.",
            [("upper basket", "is", "for glasses"), ("upper basket", "is", "for cups")],
        ),
        (
            "Adult members can borrow 12 films, young people four.",
            [("Adult members", "can borrow", "12 films"), ("young people", "can borrow", "four films")],
        ),
        ("Zarko sold 30 tickets, Delma 12.", [("Zarko", "sold", "30 tickets"), ("Delma", "sold", "12 tickets")]),
        ("The gold medal passed to Seaholme, the silver to Pell City.", [("gold medal", "passed to", "Seaholme")]),
        (
            "Small cells point to a lack of iron, large cells to a lack of vitamin B12.",
            [("Small cells", "point to", "lack of iron")],
        ),
        ("Anna lives in Oslo, a city in Norway.", [("Anna", "lives in", "Oslo"), ("Oslo", "is", "city in Norway")]),
        (
            "The dog lives in Bergen, the second city in Norway.",
            [("dog", "lives in", "Bergen"), ("Bergen", "is", "second city in Norway")],
        ),
        (
            "Ben worked for Vantry, the maker of pumps for ships.",
            [("Ben", "worked for", "Vantry"), ("Vantry", "is", "maker of pumps for ships")],
        ),
    ],
)
def test_a_clause_without_its_verb_is_no_apposition(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


def test_half_the_members_are_one_share() -> None:
    assert triplets("Half the members live in Spain and France.") == [
        ("Half the members", "live in", "Spain and France")
    ]


def test_who_beats_several_beats_each() -> None:
    assert ("Norway", "beat", "Finland") in triplets("Norway beat Sweden, Denmark and Finland.")


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("She directed the garden, the first woman to do so.", "woman"),
        ("You can add milk to the tea, which makes it mild and saves sugar.", "you saves"),
        ("Trainees get a rebate. You may carry over six days, and they have to be taken by May.", "Trainees have"),
        ("Not everyone is in favour: Rado Benko sees it as careless.", "sees favour"),
        ("Take off your ring for half an hour, since the water turns it black.", "half an hour after"),
        ("Boil two litres of water with salt and pour it over the fruit.", "pour salt"),
        ("Those under 12 need an adult with them. Children may swim.", "with Children"),
        ("Add the milk with cornflour, which makes it lighter.", "cornflour makes"),
        (
            "Boil 1.5 litres of water with 60 g of salt and pour it over the cucumbers.",
            "60 g of salt over the cucumbers",
        ),
        ("Pour the syrup over the cake and leave it to cool. It keeps for days.", "syrup to cool"),
        ("Pour the syrup over the cake and leave it to cool. It keeps for days.", "keeps"),
        ("On the test system Arvid brought the time down, whereas before it took a minute.", "took"),
        ("Press the yellow button. If anyone is unwell, mention it.", "mention"),
        ("Do so at least two weeks before you leave, or earlier if you can.", "do"),
        ("The light shows that your filter has dried out or is blocked.", "Your filter"),
        ("Some background:\n- **Quota:** it is shared by the lab.", "Background"),
        ("**Power.** A pump is allowed.\n\n**Cider.** You can sell it at your stall.", "sell"),
        ("- **Warranty Period:** It runs for two years.", "Period runs"),
        ("During the war, the factory made tanks, and it closed in 1950.", "1950 during"),
        ("Until 2010 the house was empty, and the city sold it in 2012.", "2012 until"),
        ("From the airport, a bus runs every hour, and the hotel has 50 rooms.", "rooms from"),
        ("Mix the drops into half a glass of water.\n- **Missed dose:** leave it out.", "dose"),
        ("- **Price:** two adults save €16.\n- **Exhibitions:** with Basic they are half price.", "are"),
        ("The school bought new desks from a firm. They were delivered in June.", "were delivered"),
        ("It sounds as if the fan is broken.", "fan"),
        ("The jacket has two pockets. It depends on the shop.", "depends"),
        ("Print 60 copies of it.", "copies of it"),
        ("Say which lift you are in; its number is above the buttons.", "its number"),
        ("Here are the tasks:\n- **Ida:** book the hall.\n- **Open:** Konrad is to be asked.", "Open"),
        ("Most people recover. Someone who breathes should be rolled onto their side.", "people's side"),
        ("Pregnant women should rest. Those who faint need to have their heart examined.", "women's heart"),
        ("Students pay fees. Anyone who is late gets a warning, and they may be barred.", "may be barred"),
        ("A fee is due. Customers can ask for a refund, and it is usually granted.", "is usually granted"),
        ("Teachers can grant extensions, but they have to be requested in time.", "have to be requested"),
        ("The team usually replies within two working days, although it can take longer.", "team can"),
        ("The compressor is loud. Because it only moves heat, a heat pump saves power.", "compressor only"),
        ("The report is long. Narrated by an elderly lodger, it follows a nurse.", "lodger follows"),
        ("Levi Brenwick founded Brenwick Tools. In 1990, Brenwick was sold.", "Levi Brenwick was"),
        ("Ada Berg wrote of a widow who learns that her husband left.", "Berg's husband"),
        ("Cook for 8 minutes (12 minutes if frozen).", "is"),
        ("Unable to find a sponsor, Anton left.", "find"),
        ("Interns aren't covered, nor are employees on probation.", "are employees"),
        ("Wait until the light turns solid blue, which normally takes two minutes.", "blue normally"),
        ("It lifts unless fraud was found, in which case you must call.", "must call"),
        ("Exceptions are made for medical reasons, such as monitoring blood sugar.", "monitoring"),
        ("You can cut the cost by having the dog trained and by fencing the yard.", "dog fencing"),
        ("Ask him to sit down and lean forward, so that the blood does not run down the throat.", "blood does"),
        ("The laptop must never be left unattended or connected to Wi-Fi.", "laptop connected"),
        ("The limit is as follows:\n- 30%", "as follows"),
        ("The boys wait. Blisters protect the skin beneath them.", "beneath the boys"),
        ("The council met. The contractor said it had not been told.", "council had"),
        ("The shrew is small. Because its heart beats fast, it must eat.", "heart must"),
        ("Tell your doctor if you are ill, suffer from asthma or take other drugs.", "doctor or take"),
        ("Put it out by noon with the handle facing the road.", "handle facing"),
        ("If you pay late, enclose proof and no fine will be imposed.", "no fine will be imposed if"),
        ("Agents never ask for it, so hang up on anyone who does.", "who does"),
        ("It changed the way businesses operate.", "operate way"),
        ("Leaks are covered. Those caused by a hose are not, because it is your job.", "are not because"),
        ("The first batch is late. Yours was placed today, so it is part of the second.", "first batch is part"),
        ("The option guarantees that the recipient gets the sum.", "recipient gets sum"),
        ("The heat pump would cost £46,000 if the grant is paid, and she is to get an offer for it.", "offer for it"),
        ("Honey has properties that can help kill bacteria and promote healing.", "promote healing promote"),
        ("The odor after eating asparagus is not harmful.", "odor eating"),
        ("Marketing refers to the plan for promoting and selling a product.", "selling product"),
        ("Vroni Lindt is asked to return and declines.", "asked to declines"),
        ("Keep on claiming, or we bill you £60.", "bill"),
        ("Cancel later and you pay one more month.", "pay"),
        ("It did not apply to the islands, where the old custom lasted until 1886.", "lasted"),
        (
            (
                "If you find a pressed flower, leave it, note the page and tell Dr Ames; if you find money, take it "
                "out, note the page and tell no one but Dr Ames."
            ),
            "no one but Dr Ames if you find a pressed flower",
        ),
        (
            (
                "to check if a hard-boiled egg is done, you can gently tap the egg and listen for a firm sound, "
                "indicating that the yolk and whites are fully cooked."
            ),
            "you indicating",
        ),
        ("Serve the eggs in the pots, garnished with chives.", "pots are garnished"),
        ("not all games necessarily have a mixed strategy Nash equilibrium, as stated in passage 1.", "is stated"),
        ("A diet that avoids acid, which proponents claim can improve health.", "claim which"),
        ("The boiler is old. Moving can end your contract. If you cancel by May, it isn't renewed.", "boiler isn't"),
    ],
)
def test_what_would_be_bound_wrongly_is_left(text: str, never: str) -> None:
    assert not [triplet for triplet in triplets(text) if never in " ".join(triplet)]


def test_apart_standing_words_have_several_spans() -> None:
    text = "Emil received the prize in 1984."
    predicate = slots_of(text, ("Emil", "received the prize in", "1984"))[1]
    assert [span.of(text) for span in predicate.spans] == ["received the prize in"]


def test_an_apposition_is_a_claim_with_an_inferred_predicate() -> None:
    text = "Jorge Jesus, the manager of Porto, tore his trousers."
    subject, predicate, _ = slots_of(text, ("Jorge Jesus", "is", "manager of Porto"))
    assert predicate.inferred
    assert predicate.spans == ()
    assert not subject.inferred


@pytest.mark.parametrize(
    "text",
    [
        "Emil or Anna bought apples or pears.",
        "The match between Lund and Varde ended.",
        "Rooms 2 and 3 are closed.",
        "Two adults and two children pay €72 altogether.",
    ],
)
def test_what_belongs_together_is_not_distributed(text: str) -> None:
    joined = " ".join(" ".join(triplet) for triplet in triplets(text))
    assert " or " in joined or " and " in joined


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("It is unclear whether the bridge was closed.", ("bridge", "was closed")),
        ("Visitors may stay if the keeper agrees.", ("keeper", "agrees")),
        ("She denied that the company sold weapons.", ("company", "sold", "weapons")),
        ("Check that the valve is closed.", ("valve", "is", "closed")),
        ("You should check that the valve is closed.", ("valve", "is", "closed")),
        ("you can rub the solution on the tool using steel wool or a scouring pad.", ("tool", "using")),
        (
            "These include fruits such as bananas, prunes, and strawberries, which are all good sources of potassium.",
            ("strawberries", "are"),
        ),
    ],
)
def test_what_is_not_asserted_is_not_claimed(text: str, never: tuple[str, ...]) -> None:
    assert all(triplet[: len(never)] != never for triplet in triplets(text))


def test_who_said_it_and_what_was_said_are_claims() -> None:
    extracted = triplets("The minister said that taxes will rise.")
    assert any(triplet[:2] == ("minister", "said that") for triplet in extracted)
    assert any(triplet[:2] == ("taxes", "will rise") for triplet in extracted)


def test_pronouns_and_short_names_are_resolved_and_keep_their_own_words() -> None:
    text = "Ada Lovelace was a mathematician. She wrote notes. Lovelace died in London."
    subject = slots_of(text, ("Ada Lovelace", "wrote", "notes"))[0]
    assert subject.resolved
    assert [span.of(text) for span in subject.spans] == ["She"]
    assert slots_of(text, ("Ada Lovelace", "died in", "London"))[0].resolved


def test_a_described_noun_stands_for_its_entity() -> None:
    extracted = triplets("Imagine is a song. The song was written by John Lennon.")
    assert ("Imagine", "was written by", "John Lennon") in extracted


def test_impersonal_it_is_nobody() -> None:
    extracted = triplets("Ada Lovelace was a mathematician. It is clear that she wrote notes.")
    assert all(triplet[0] != "Ada Lovelace" or "clear" not in triplet[2] for triplet in extracted)


def test_brackets_make_claims() -> None:
    extracted = triplets("Eleanor Arnason (born 1945) is a writer.")
    assert ("Eleanor Arnason", "was born", "1945") in extracted
    assert ("Eleanor Arnason", "is", "writer") in extracted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Risk factors include:\n- smoking\n- stress", ("Risk factors", "include", "stress")),
        ("Here are some types of tea:\n1. green tea\n2. black tea", ("types of tea", "include", "black tea")),
        ("The current members are: Norway, Sweden, Denmark and Finland.", ("current members", "are", "Denmark")),
        ("Struts:\n- Are expensive\n- Provide support", ("Struts", "provide", "support")),
        ("See a doctor if:\n- you have pain\n- you bleed", ("You", "see a doctor if", "you bleed")),
        (
            "You can buy bikes at the following places:\n1. Online: You get it soon.\n2. In-store: You get it now.",
            ("You", "can buy bikes at", "Online"),
        ),
        ("Height: 38 metres", ("Height", "is", "38 metres")),
        ("Breads: rye, wheat, spelt", ("Breads", "include", "spelt")),
        (
            "The soup contains vegetables such as leek, carrot and celery.",
            ("soup", "contains", "celery"),
        ),
    ],
)
def test_lists(text: str, expected: tuple[str, ...]) -> None:
    assert expected in triplets(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Men wander due to various reasons, including:\n1. Low pay: Some earn little.", "Low pay"),
        ("You can follow the steps in passage 2:\n1. Heat the oil.\n2. Whizz in a blender.", "follow Whizz"),
        ("Uses of soybeans include:\n1. New Uses: Soybeans make ink.", "include New Uses"),
        ("For mild cases, the symptoms may include:\n- fever", "may include for"),
        ("Our dog is a Leonberger.\nTrimming Nails: Trim the nails.", "Trimming Nails trim"),
        ("The well is deep.\nTurned weekly by hand.", "well turned"),
        ("Key R: passes the call to a second handset.", "is passes"),
        ("The best teas are: green, black, white.\nMore leaves, more taste, more joy.", "more taste"),
    ],
)
def test_what_a_heading_does_not_say_of_its_items(text: str, never: str) -> None:
    assert not [triplet for triplet in triplets(text) if never in " ".join(triplet)]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        (
            "how many years was Andre Weiss at the University of Dijon",
            "11 years",
            ("Andre Weiss", "was at the University of Dijon", "11 years"),
        ),
        ("Is Skype monitored?", "No.", ("Skype", "is not monitored", "")),
        (
            "Was the bridge at Vesk safe for lorries?",
            "Yes.",
            ("the bridge at Vesk", "was safe for lorries", ""),
        ),
        ("is skype monitored", "Yes", ("skype", "is monitored", "")),
        (
            "Who invented the telephone?",
            "Alexander Graham Bell",
            ("Alexander Graham Bell", "invented", "the telephone"),
        ),
        ("What is the capital of France?", "Paris", ("the capital of France", "is", "Paris")),
        ("When did Marie Curie die?", "1934", ("Marie Curie", "did die", "1934")),
        ("Which bridge was closed in June?", "Alder Street", ("Alder Street", "was closed", "in June")),
        ("List the colours of the flag", "red, white and blue", ("colours of the flag", "include", "white")),
        ("nike shoe types", "sandals", ("nike shoe types", "is", "sandals")),
        ("weight?", "30 pounds", ("weight", "is", "30 pounds")),
    ],
)
def test_a_bare_answer_is_made_whole_with_the_question(question: str, answer: str, expected: tuple[str, ...]) -> None:
    extracted = [claim for claim in claims(answer, question) if claim.kind is Kind.TRIPLET]
    assert expected in [tuple(slot.text for slot in claim.slots) for claim in extracted]
    assert all(slot.inferred or slot.spans for claim in extracted for slot in claim.slots)


def test_a_question_names_who_is_meant() -> None:
    assert ("Eleanor Arnason", "is", "writer") in triplets("She is a writer.", "Who is Eleanor Arnason?")


def test_what_the_question_calls_mine_is_yours() -> None:
    found = triplets("Take him to a vet.", "My brother is ill. What should I do?")
    assert found == [("You", "take", "your brother to a vet")]


def test_possessives_and_plurals_are_resolved() -> None:
    extracted = triplets("The Norwegians won. They celebrated. Their captain smiled.")
    assert ("Norwegians", "celebrated", "") in extracted
    assert any(triplet[0] == "Norwegians' captain" for triplet in extracted)


def test_a_telegraphic_sentence_is_about_the_topic() -> None:
    assert ("Ada Lovelace", "died in", "1852") in triplets("Ada Lovelace was a mathematician. Died in 1852.")


class Choking:
    """A parser that cannot read one word."""

    fingerprint = "choking"

    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def parse(self, lines: list[str]) -> object:
        if any("choke" in line for line in lines):
            raise self.problem
        return Parser.builtin().parse(lines)


def test_a_text_that_breaks_the_parser_fails_alone() -> None:
    texts = [Text("a", "It ran."), Text("b", "They choke.")]
    choking = RulesExtractor(Choking(ValueError("no")))  # type: ignore[arg-type]
    claims, error = isolated("extract", texts, choking.extract)
    assert claims == RULES.extract(texts[:1])[0]
    assert isinstance(error, ItemError)
    assert error.message.startswith("ValueError: no (")
    assert re.search(r"test_rules\.py, line \d+\)$", error.message)
    assert error.traceback
    assert "graph_eval/extractors/rules/extractor.py, line" in error.traceback
    assert error.traceback.endswith("ValueError: no")
    missing = RulesExtractor(Choking(MissingPartError("no weights")))  # type: ignore[arg-type]
    with pytest.raises(MissingPartError):
        isolated("extract", texts, missing.extract)


def test_threads_share_one_extractor() -> None:
    texts = [
        Text(str(n), f"{name} was born in {1900 + n}. She moved to {city}, a city in Norway, and wrote {n} novels.")
        for n, (name, city) in enumerate(product(("Ada Berg", "Eva Lund", "Ida Moen", "Liv Haug"), "ABCDE"))
    ]
    assert len(texts) == 20
    expected = RULES.extract(texts)
    shared = RulesExtractor(Parser(folder("weights/parser")))  # not loaded yet: the threads race for it
    start = Barrier(8)

    def extract(worker: int) -> list[list[Claim]]:
        start.wait()
        order = texts[worker:] + texts[:worker]
        claims = [shared.extract([text])[0] for text in order]
        return claims[len(texts) - worker :] + claims[: len(texts) - worker]

    with ThreadPoolExecutor(8) as pool:
        assert all(claims == expected for claims in pool.map(extract, range(8)))


def test_a_pickled_extractor_extracts_the_same() -> None:
    texts = [Text("t", OPTIMUS)]
    again = pickle.loads(pickle.dumps(RulesExtractor()))  # noqa: S301
    assert again.extract(texts) == RULES.extract(texts)
    assert again.fingerprint == RULES.fingerprint


def test_a_pickled_parser_loads_the_weights_of_its_folder(tmp_path: Path) -> None:
    weights = tmp_path / "parser"
    weights.symlink_to(folder("weights/parser"), target_is_directory=True)
    parser = Parser(weights)
    words = [token.dep_ for token in parser.parse(["It ran."])[0]]
    data = pickle.dumps(parser)
    assert len(data) < 1000
    again = pickle.loads(data)  # noqa: S301
    assert again is not parser
    assert [token.dep_ for token in again.parse(["It ran."])[0]] == words
    assert pickle.loads(pickle.dumps(Parser.builtin())) is Parser.builtin()  # noqa: S301


def test_a_preamble_is_no_claim() -> None:
    extracted = triplets("Based on the provided passages, the tower was opened in 1889.")
    assert extracted == [("tower", "was opened in", "1889")]


def test_markdown_and_citations_leave_the_spans_exact() -> None:
    text = "**Marie Curie** discovered _radium_ [1] (Passage 2)."
    for claim in claims(text):
        for slot in claim.slots:
            assert slot.verbatim(text) == slot.text


def test_a_quoted_title_is_one_name() -> None:
    text = 'Emil wrote "The Man Who Knew Too Much" in 1922.'
    assert ("Emil", 'wrote "The Man Who Knew Too Much" in', "1922") in triplets(text)


def test_a_sentence_that_triplets_leave_uncovered_is_a_claim() -> None:
    text = "Gone, burnt and never forgotten, whether or not they were loved."
    assert Kind.SENTENCE in {claim.kind for claim in claims(text)}


def test_a_run_on_sentence_is_one_claim() -> None:
    extracted = claims("and so on " * 90)
    assert {claim.kind for claim in extracted} == {Kind.SENTENCE}


def test_a_claim_reads_as_a_sentence() -> None:
    assert [claim.text for claim in claims("marie curie discovered radium .")] == ["Marie curie discovered radium."]


def test_tables_give_row_column_and_cell() -> None:
    text = "| Flour | Protein | Best for |\n|---|---|---|\n| Tovik | 14% | bread |\n| Spelt | 12% (min. 10%) | |"
    assert [(*slots, said) for slots, said in worded(text)] == [
        ("Tovik", "Protein", "14%", "Tovik's Protein is 14%."),
        ("Tovik", "Best for", "bread", "Tovik is best for bread."),
        ("Spelt", "Protein", "12% (min. 10%)", "Spelt's Protein is 12% (min. 10%)."),
    ]


def test_a_table_may_hold_its_measures_in_rows() -> None:
    text = "| | Basic | Plus |\n|---|---|---|\n| Price | $5 | $9 |\n| Users | | ten |"
    assert triplets(text) == [("Basic", "Price", "$5"), ("Plus", "Price", "$9"), ("Plus", "Users", "ten")]


def test_the_rows_of_a_table_are_kinds_of_what_is_named_above_it() -> None:
    rows = "| Full | two |\n| Junior (under 18) | one |"
    text = f"The gym has two types of membership:\n\n| Type | Number of guests |\n|---|---|\n{rows}"
    assert [said for _, said in worded(text)][1:] == [
        "Full membership's Number of guests is two.",
        "Junior (under 18) membership's Number of guests is one.",
    ]


def test_a_row_is_read_by_the_head_of_its_column() -> None:
    text = (
        "The club has two kinds of boat:\n\n| Kind | Valid for | Sleeps |\n|---|---|---|\n| River | until May | four |"
    )
    assert "River boat is valid until May." in [said for _, said in worded(text)]
    text = "| Feature | Luma | Lumo |\n|---|---|---|\n| Sleeps | 2 people | 3 people |"
    assert [said for _, said in worded(text)] == ["Luma sleeps 2 people.", "Lumo sleeps 3 people."]


def worded(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The triplets with the sentences that they stand for."""
    return [
        (tuple(slot.text for slot in claim.slots), claim.text) for claim in claims(text) if claim.kind is Kind.TRIPLET
    ]


def test_a_task_is_that_of_the_person_in_front_of_the_colon() -> None:
    text = "Next steps:\n- Priya Nair: book the hall\n- Tom: send the list"
    assert [triplet[0] for triplet in triplets(text)] == ["Priya Nair", "Tom"]


def test_a_noun_phrase_alone_is_no_triplet() -> None:
    (claim,) = claims("38 hours in a labour court")
    assert claim.kind is Kind.SENTENCE


# Worked examples of the GraphEval and RefChecker papers: each listed claim is extracted, or listed as a known miss.
OPTIMUS = (
    "Optimus (or Tesla Bot) is a robotic humanoid under development by Tesla, Inc. It was announced at the company's "
    "Artificial Intelligence (AI) Day event on August 19, 2021."
)
IBUPROFEN = (
    "Ibuprofen is a commonly used nonsteroidal anti-inflammatory drug (NSAID) that helps reduce inflammation, pain, "
    "and fever. Common side effects of ibuprofen include nausea, giddiness and respiratory trouble."
)
DRUG = "commonly used nonsteroidal anti-inflammatory drug"
DREAM = (
    '"I Dreamed a Dream" is a song originally from the stage musical Les Misérables. The song was written by Schönberg '
    "and Boublil. Anne Hathaway sang it in the 2012 film."
)
ARNASON = (
    "Eleanor Arnason (born 1945) is an American science fiction and fantasy writer. She is best known for her novel A "
    "Woman of the Iron People (1991), which won the James Tiptree, Jr. Award."
)
FOUND = [
    (OPTIMUS, ("Optimus", "is", "robotic humanoid under development by Tesla, Inc.")),
    (OPTIMUS, ("Optimus", "is", "Tesla Bot")),
    (OPTIMUS, ("Optimus", "was announced at", "company's Artificial Intelligence Day event")),
    (OPTIMUS, ("Optimus", "was announced on", "August 19, 2021")),
    (
        "Richard Mulligan played Mr. Kincaid on The Partridge Family.",
        ("Richard Mulligan", "played Mr. Kincaid on", "Partridge Family"),
    ),
    (IBUPROFEN, ("Ibuprofen", "is", DRUG)),
    (IBUPROFEN, ("Ibuprofen", "helps reduce", "inflammation")),
    (IBUPROFEN, ("Ibuprofen", "helps reduce", "pain")),
    (IBUPROFEN, ("Ibuprofen", "helps reduce", "fever")),
    (IBUPROFEN, ("Common side effects of ibuprofen", "include", "nausea")),
    (IBUPROFEN, ("Common side effects of ibuprofen", "include", "giddiness")),
    (IBUPROFEN, ("Common side effects of ibuprofen", "include", "respiratory trouble")),
    (DREAM, ('"I Dreamed a Dream"', "is", "song originally from the stage musical Les Misérables")),
    (DREAM, ('"I Dreamed a Dream"', "was written by", "Schönberg")),
    (DREAM, ('"I Dreamed a Dream"', "was written by", "Boublil")),
    (DREAM, ("Anne Hathaway", 'sang "I Dreamed a Dream" in', "2012 film")),
    (ARNASON, ("Eleanor Arnason", "is", "American science fiction and fantasy writer")),
    (ARNASON, ("Eleanor Arnason", "was born", "1945")),
    ("The repairs cost 2 million crowns and the region pays for all of it.", ("region", "pays for", "all of it")),
    ("The pump failed. The company replaced most of it.", ("company", "replaced", "most of the pump")),
    ("Three phones were released. Experts tested two of them.", ("Experts", "tested", "two of the three phones")),
]
KNOWN_MISSES = [
    # the announcement, the event's date and its organiser are told as one claim, not as three
    (OPTIMUS, ("AI Day event", "held on", "August 19, 2021")),
    (OPTIMUS, ("AI Day event", "organized by", "Tesla, Inc.")),
    (OPTIMUS, ("Tesla, Inc.", "announced", "Optimus")),
    # (the character stays an object of the actor's claims)
    (
        "Richard Mulligan played Mr. Kincaid on The Partridge Family.",
        ("Mr. Kincaid", "character in", "Partridge Family"),
    ),
    # a title that is not in quotes is no single name
    (ARNASON, ("A Woman of the Iron People (1991)", "won", "James Tiptree, Jr. Award")),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_a_worked_example_is_found(text: str, expected: tuple[str, ...]) -> None:
    assert expected in triplets(text), triplets(text)


@pytest.mark.parametrize(("text", "expected"), KNOWN_MISSES)
def test_a_known_miss_is_still_missed(text: str, expected: tuple[str, ...]) -> None:
    """A miss that turns into a find belongs into FOUND."""
    assert expected not in triplets(text)


LEFT_OUT = [  # sentence, what it says, and what it does not say
    # the second is something else, more, or only an amount
    ("The board, not the chair, sets the fee.", None, ("not the chair", "is", "board")),
    ("Members pay 4 percent, the firm 6.", None, ("4 percent", "is", "firm 6")),
    ("Nausea (passage 2, point 3)", None, ("passage 2", "is", "point 3")),
    # brackets that name nothing
    ("Enter the name of the guest(s).", ("You", "enter", "name of the guest"), ("guest", "is", "s")),
    ("The rate fell in the control group (p < 0.05).", None, ("control group", "is", "p < 0.05")),
    # examples belong to their own noun
    (
        "Offer your help to local groups such as choirs, clubs and schools.",
        ("local groups", "include", "choirs"),
        ("You", "offer", "choirs"),
    ),
    # a measure stands in front of its preposition
    ("The dose is checked two weeks before each visit.", ("dose", "is checked two weeks before", "each visit"), None),
    # what is left out, and who alone may do it
    ("Dogs are allowed in all rooms but the kitchen.", ("Dogs", "are allowed in", "all rooms but the kitchen"), None),
    ("Machines are opened only by technicians.", ("Machines", "are opened", "only by technicians"), None),
    ("The owners are written to.", ("owners", "are written to", ""), None),
    # clauses without their verb
    (
        "The thermal bath may be entered without a note, the mud bath may not.",
        ("thermal bath", "may be entered without", "note"),
        ("thermal bath", "may be entered may not without", "note"),
    ),
    ("Insured are you and your partner.", None, ("partner", "insured", "")),
    (
        "Coats go in the locker, bags in the rack.",
        ("Coats", "go in", "locker"),
        ("Coats", "go in", "locker in the rack"),
    ),
    (
        "Pay within ten days; for members, within thirty.",
        ("You", "pay within", "ten days"),
        ("You", "pay within", "ten days for members, within thirty"),
    ),
    (
        "Guests wear red badges, helpers blue ones.",
        ("Guests", "wear", "red badges"),
        ("Guests", "wear", "helpers blue ones"),
    ),
    # what is only supposed, or holds in a case that is not said
    ("This could indicate that the pump is broken.", None, ("pump", "is", "broken")),
    ("It is possible that the bill was paid twice.", None, ("bill", "was paid", "twice")),
    ("The cap must be closed, or the device will stop.", ("cap", "must be closed", ""), ("device", "will stop", "")),
    ("Salt is needed where the water is hard.", None, ("water", "is", "hard")),
    ("Programme Auto chooses a level according to how dirty the water is.", None, ("water", "is", "dirty")),
    ("Booking is free; later, 40 euros are charged.", None, ("40 euros", "are charged", "")),
    (
        "The scan showed a swelling of the joint, which can cause pain.",
        ("scan", "showed", "swelling of the joint"),
        ("joint", "can cause", "pain"),
    ),
    # lists
    ("Limit: 2,500 euros a month, 40 transfers, 3 cards", None, ("Limit", "include", "500 euros a month")),
    ("Repairs: done while you wait, phones, tablets", None, ("Repairs", "include", "done while you wait")),
    ("Red: bathing is not safe.", ("bathing", "is not", "safe at Red"), ("bathing", "is not", "safe")),
    ("Passage 1: 555-0134", None, ("Passage 1", "is", "555-0134")),
    # pronouns
    ("Rosa proposed capping it.", None, ("Rosa", "proposed capping", "Rosa")),
    ("The kettle is new. It is sunny today.", None, ("kettle", "is", "sunny today")),
    # two verbs, one object
    ("Locate and click on the Start button.", None, ("You", "locate", "")),
    # what holds together
    (
        "The licence lasts for ten years after the date of issue.",
        ("licence", "lasts for", "ten years after the date of issue"),
        None,
    ),
]


STILL_SAID = [  # what looks like the above
    ("The hotel opened in 1990. It does not provide breakfast.", ("hotel", "does not provide", "breakfast")),
    ("Do not discuss the case with the press.", ("You", "do not discuss", "case with the press")),
    ("The dish was first served in 1920.", ("dish", "was first served in", "1920")),
    ("The town, later called Lenz, was founded in 1404.", ("town", "was founded in", "1404")),
    ("Otherwise healthy adults need one dose.", ("Otherwise healthy adults", "need", "one dose")),
    ("Anna lives in Oslo, the capital of Norway, in a small flat.", ("Anna", "lives in", "small flat")),
    ("Children may read and sit on the floor.", ("Children", "may read", "")),
    ("The shop sells fresh bread, goat cheese.", ("shop", "sells", "goat cheese")),
    ("Ethanol (boiling point 78 °C) burns.", ("Ethanol", "is", "boiling point 78 °C")),
    ("Dr. Adam Smith (1920–1990) taught law.", ("Dr. Adam Smith", "lived", "1920–1990")),
    ("Anna (only child) inherited the house.", ("Anna", "is", "only child")),
]


@pytest.mark.parametrize(("text", "said"), STILL_SAID)
def test_what_is_said_stays_claimed(text: str, said: tuple[str, ...]) -> None:
    assert said in triplets(text), triplets(text)


@pytest.mark.parametrize(("text", "said", "not_said"), LEFT_OUT)
def test_no_more_is_claimed_than_is_said(
    text: str, said: tuple[str, ...] | None, not_said: tuple[str, ...] | None
) -> None:
    extracted = triplets(text)
    assert said is None or said in extracted, extracted
    assert not_said is None or not_said not in extracted, extracted


def test_a_triplet_that_is_hardly_sure_gives_way_to_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Marie Curie discovered radium."
    assert triplets(text)
    monkeypatch.setattr(f"{RulesExtractor.__module__}.LEAST_CONFIDENCE", 1.1)
    assert [(claim.kind, claim.text) for claim in claims(text)] == [(Kind.SENTENCE, text)]


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("The court said that the firm had broken the law and paid bribes to officials.", "court paid"),
        ("Police said that a driver had lost control and hit a wall.", "Police hit"),
        ("The shop does not sell pens or buy paper.", "You"),
        ("The service does work and save time.", "You"),
        ("| Feature | Description |\n|---|---|\n| Autofocus | Works in low light |", "Description's"),
        ("| | Opens | Closes |\n|---|---|---|\n| Library | 9 am | 5 pm |", "Opens'"),
        ("Theories about the moon include:\n- Capture: the moon formed elsewhere", "The moon formed elsewhere."),
        ("You qualify if you:\n- live in Oslo and earn less than $500", "You qualify if you live in Oslo."),
        ("New staff must:\n- do not enter the lab", "must do not"),
        ("The cleaning tasks are shared out.\n- Monday: sweep the floor", "Monday sweep"),
        ("Aloe (uses in medicine) is green.", "Aloe uses"),
        ("The Volta is a car.\n\n1. The Aria pump has two valves.\nIt weighs 5 kg.", "Volta weighs"),
        ("If it is stolen:\n- The bank blocks the account", "The bank blocks the account."),
    ],
)
def test_no_triplet_says_more_than_the_text(text: str, unsaid: str) -> None:
    said = [sentence for _, sentence in worded(text)]
    assert not any(unsaid in sentence for sentence in said), said


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        # labels and titles say what their lines hold for
        (
            "There are two plans:\n- **Lease:** You pay monthly. Updates are included.\n- **Purchase:** You pay once.",
            "Lease: Updates are included.",
            "You pay monthly.",
        ),
        (
            "- Labs: attendance is mandatory.\n- Lectures: attendance is voluntary.",
            "Labs: attendance is mandatory.",
            "Attendance",
        ),
        (
            "- Safety: oily rags can ignite.\n- Storage: wet rags dry slowly.",
            "Safety: oily rags can ignite.",
            "Oily rags",
        ),
        (
            "**Fixed rate**\n- Your payment stays the same.\n\n**Variable rate**\n- You pay less at first.",
            "Fixed rate: Your payment stays the same.",
            "Your payment",
        ),
        (
            "**Debt.** The crown owed too much.\n**Drought.** Three harvests failed.",
            "Drought: Three harvests failed.",
            "Three",
        ),
        ("**Kelda X2**\n\nSensor: 24 MP\nWeight: 412 g", "Kelda X2: Weight is 412 g.", "Weight"),
        (
            "Collection days in Ahlbach:\n- Paper: Friday\n- Glass: Monday",
            "Collection days in Ahlbach: Paper is Friday.",
            "Paper",
        ),
        (
            "Your notice period depends on your service:\n- During probation: two weeks",
            "Your notice period during probation is two weeks.",
            "During",
        ),
        ("- During probation: two weeks\n- After that: a month", None, "probation is"),
        ("- Orders under €30: €4.90 for shipping\n- Orders over €30: free", None, "€30 is"),
        ("Attendance rules:\n- Labs: attendance is mandatory.", "Attendance is mandatory.", "rules include"),
        ("**Covered:** burst pipes, hail and theft", "Theft is covered.", "include"),
        ("**Common (1 in 10 people):**\n- headache\n- dry mouth", "Headache is common (1 in 10 people).", "include"),
        ("**Next steps:** test it again, then release it", None, "You"),
        ("**Action items**\n- Jonas: fix the login by Friday", "Jonas is to fix the login by Friday.", "Jonas fix"),
        ("**Water:** Water once a week, letting the soil dry out.\n**Light:** It needs sun.", None, "is letting"),
        (
            "The Vero contract offers:\n- free roaming\n- a second card",
            "The Vero contract offers free roaming.",
            "include",
        ),
        (
            "Version 4.2 brings these changes:\n- Removed the old connector.",
            "Version 4.2 removed the old connector.",
            "brings",
        ),
        ("What you need:\n- a valid passport", "You need a valid passport.", "include"),
        (
            "| Amount | Approver |\n|---|---|\n| Under 500 euros | Team lead |",
            "Amount under 500 euros: Approver is Team lead.",
            "'s",
        ),
        ("| Feature | Boiler | Pump |\n|---|---|---|\n| Needs space | No | Yes |", "Boiler does not need space.", "'s"),
        (
            "| Feature | Patent | Design |\n|---|---|---|\n| Lasts | 20 years | 10 years |",
            "Patent lasts 20 years.",
            "'s",
        ),
        # one speaker, one amount, one range
        (
            "The mayor was told that the bridges were unsafe but ignored the report.",
            "The mayor ignored the report.",
            "bridges ignored",
        ),
        (
            "The supplier replied that half of it is in stock and offered a discount.",
            "The supplier offered a discount.",
            "half of it offered",
        ),
        ("A study found that early lessons raised reading scores but left maths unchanged.", None, "study left"),
        ("The hotel charges €3 per person and night.", "The hotel charges €3 per person and night.", "charges night"),
        (
            "Unemployment rose from 5% in May to 7% in October.",
            "Unemployment rose from 5% in May to 7% in October.",
            "rose in May",
        ),
        ("The house and the garden cost $300,000.", "The house and the garden cost $300,000.", "The garden cost"),
        ("Pregnancy and illness are the only grounds for it.", None, "Illness are"),
        ("Karvania left in exchange for a port and an annual payment.", None, "left in an annual"),
        (
            "The minister was voted out of office in May by a wide margin.",
            "The minister was voted out of office in May.",
            "voted in",
        ),
        (
            "The museum more than doubled its income in 2019.",
            "The museum more than doubled its income in 2019.",
            "museum doubled",
        ),
        ("You can claim up to twice the amount.", "You can claim up to twice the amount.", "claim to"),
        (
            "The firm plans to close up to 20 small stores.",
            "The firm plans to close up to 20 small stores.",
            "close 20",
        ),
        ("The firm made $9 million, most of it in Asia.", None, "million in Asia"),
        ("In 2020, the firm sold 40% of its cars but only 12% of its trucks abroad.", None, "40% but"),
        ("The policy covers damage by pipes, up to 25,000 euros.", "The policy covers damage by pipes.", "is up to"),
        ("Staff must use the company VPN.", "Staff must use the company VPN.", "the company."),
        # conditions, causes and cases
        ("A mark can be kept as long as it is used and the fees are paid.", None, "The fees are paid."),
        ("Phase 2 was approved, subject to an audit.", "Phase 2 was approved subject to an audit.", "approved."),
        (
            "Sugar is added slowly; if it goes in too early, the foam stays wet.",
            "Sugar is added slowly.",
            "foam stays wet if it",
        ),
        (
            "Without consent, subletting is a breach and can lead to a fine.",
            "Subletting can lead to a fine without consent.",
            "fine.",
        ),
        ("From the third year only parts are covered, while labour has to be paid.", None, "Labour has"),
        ("Funds do not protect you: when the market falls, so do they.", "Funds do not protect you.", "when"),
        ("In summer the bus is faster; in winter, the train is.", "The bus is faster in summer.", "train is"),
        ("It fixed a crash that occurred when two clients renamed a folder.", None, "Two clients renamed"),
        ("One extra year, if you register within 60 days.", None, "You register"),
        ("Overwatering has a clear sign: the leaves turn yellow.", "Overwatering has a clear sign.", "The leaves"),
        ("Experts blamed a bridge weakened by rust.", None, "bridge was weakened"),
        ("Bread usually collapses because the oven was too cold.", None, "The oven was too cold."),
        (
            "The city grew because trade increased and new mines opened.",
            "The city grew because trade increased and new mines opened.",
            "because trade increased.",
        ),
        (
            "According to the union, the strike was peaceful; the police deny this.",
            "The strike was peaceful according to the union.",
            "peaceful.",
        ),
        ("According to the passage, the strike was peaceful.", "The strike was peaceful.", "according"),
        # relative clauses, participles, appositions
        (
            "It has two errors, which the auditor plans to correct in May.",
            "The auditor plans to correct two errors in May.",
            "plans two",
        ),
        (
            "Maud found the book, which Ben had hidden behind the press.",
            "Ben had hidden the book behind the press.",
            "hidden behind",
        ),
        ("Profits fell by a third, which Benn attributed to fuel prices.", None, "Benn attributed"),
        (
            "A section of the Vareno Bridge, which opened in 1926, fell.",
            "The Vareno Bridge opened in 1926.",
            "The Vareno Bridge fell",
        ),
        ("It was held only after Senator Hull, who had opposed the plan, resigned.", None, "Only Senator"),
        ("Staff receive 28 days of leave, rising to 30 days.", "Staff receive 28 days of leave.", "rising"),
        ("Halden won the final, having trailed at half-time.", "Halden had trailed at half-time.", "Halden having"),
        (
            "Anna Lund mapped the fjords in 1903, often travelling alone by boat.",
            "Anna Lund often travelled alone by boat.",
            "travelling",
        ),
        ("The gas is compressed, raising its temperature.", None, "raising"),
        ("The unit, led by Ada Berg since March, grew.", "The unit has been led by Ada Berg since March.", "was led"),
        (
            "Directed by Keiko Tran and shot at night, Low Meridian tells of a pilot.",
            "Low Meridian was shot at night.",
            "Meridian shot",
        ),
        ("Recent scholars, among them Lydia Crane, reject this view.", None, "Crane is"),
        ('They called it Ulu-Neth, "the smoke that talks".', None, 'is "the smoke.'),
        ("Set the key in your environment (`API_KEY`).", None, "environment is"),
        ("Clause 7 covers heating and hot water, including the boiler and the pipes.", None, "water include"),
        # references
        (
            "Panels are thin, while full sets rely on lamps. The latter are brighter.",
            "Full sets are brighter.",
            "Panels are brighter",
        ),
        ("*Winter Orchard* follows Liisa, a teacher. She finds a letter.", "Liisa finds a letter.", "Orchard finds"),
        ("Avoid wine with it. Both slow down the nerves.", None, "You slow"),
        ("Blot the stain with a clean cloth. Never rub it.", None, "rub stain with"),
        ("Rinse with cold water and blot again until it is gone.", None, "with blot"),
        (
            "Bright, indirect light is best; direct sun scorches the leaves.",
            "Bright, indirect light is best.",
            "Bright, best",
        ),
        ("Choose **Security > Tokens**.", "You choose Security > Tokens.", "Security Tokens"),
        (
            "The board met with seven of nine members present.",
            "The board met with seven of nine members present.",
            "members.",
        ),
        # what a second set of readers found
        ("The court cleared Dorn of murder in May.", "The court cleared Dorn of murder in May.", "cleared Dorn in"),
        ("The rules require players to leave their phones and watches outside the hall.", None, "rules watches"),
        ("It is lost in each cycle, which is less than with hydrogen.", None, "cycle is"),
        ("Talks with a rival, Polair, collapsed.", "Polair is a rival.", "Talks with a rival is"),
        (
            "A fire at the Orpheum, a theatre in Sabra, killed nine.",
            "The Orpheum is a theatre in Sabra.",
            "A fire at the Orpheum is",
        ),
        ("Ness won, leaving the Greens, with eight seats, in the position of kingmaker.", None, "Ness left"),
        ("If a runner falls, the race goes on; the clock is not stopped.", None, "The clock"),
        ("Participants who fasted lost 3 kg.", "Participants who fasted lost 3 kg.", "Participants fasted"),
        ("Coffee can cause insomnia, so children should not drink it.", "Coffee can cause insomnia.", "drink insomnia"),
        ("Experts disagree on how much.", None, "much."),
        ("All but two of those on board were rescued by boats, which came early.", None, "Two of those"),
        (
            "Belu is the largest, and the only one to have been visited by a probe.",
            "Belu is the largest.",
            "Belu is the only one.",
        ),
        ("Salt can make the tiles dull and attack the grout.", "Salt can attack the grout.", "The tiles attack"),
        ("See a doctor if you are pregnant, take blood thinners or have asthma.", None, "You take"),
        ("The trip costs £185, of which £50 is due in May and the rest in June.", "The trip costs £185.", "the rest"),
        (
            "In that case the unit cannot be repaired and has to be exchanged.",
            "The unit has to be exchanged in that case.",
            "exchanged.",
        ),
        ("Breaches lead to a fine and, after the third time, expulsion.", None, "lead to expulsion"),
        (
            "Report it to the caretaker, Mr Odell, not to the managing agent.",
            "Mr Odell is the caretaker.",
            "caretaker not",
        ),
        ("You pay €10 or 20%, whichever is higher, for each day.", None, "You pay €10 or 20%."),
        ("You are charged €5 for every day it is kept too long.", None, "day is kept"),
        ("Members who resign must do so in writing.", None, "must do in"),
        ("Calla S is cheap.", "Calla S is cheap.", "Calla is"),
        (
            "Two orders are late:\n- **Marlow:** lost. Waiting for the courier.\n- **Pine:** found. Refund issued.",
            None,
            "Two orders include Waiting",
        ),
        ("Handover, ward 4, night of 8 March:\n- Bed 9: empty", None, "Handover night"),
        # what a review found
        (
            "The causes of the war were:\n1. **Debt.** The crown owed too much.",
            "The causes of the war were Debt.",
            "Debt is",
        ),
        ("The Bank of England, which sets rates, met.", "The Bank of England sets rates.", "England sets"),
        (
            "## Students\nRead this.\n## How refunds work\n- You get the money back in ten days.",
            "You get back the money in ten days.",
            "Students:",
        ),
        ("The winner: The Rolling Stones", "The winner is The Rolling Stones.", "include"),
        ("A man claiming to be a doctor treated them.", "A man claimed to be a doctor.", "claiming to be a doctor."),
        (
            "The storm hit the coast, blowing off roofs and costing the city five million dollars.",
            "The storm blew off roofs.",
            "costing",
        ),
        ("The storm flooded the coast, freeing boats from moorings.", "The storm freed boats from moorings.", "freeed"),
        ("The factory produces cheese, and the shop sells it.", "The shop sells cheese.", "sells it"),
        (
            "The firm is based in Denmark, a member of the European Union.",
            "Denmark is a member of the European Union.",
            "firm is a member",
        ),
        (
            "The city built a tunnel, which is longer than the old bridge.",
            "A tunnel is longer than the old bridge.",
            "city is",
        ),
        ("She blamed everyone but Tom left early.", "Tom left early.", "but Tom"),
        ("Children: Anna, Ben and Cleo", "Children include Anna.", "includes"),
        ("Equipment: 2 tents, 3 ropes and a stove", "Equipment includes 2 tents.", "include 2"),
        ("- First class: seats are wide.\n- Second class: seats are narrow.", "First class: seats are wide.", "Seats"),
        ("- Explanation: The moon reflects light.\n- Bottom line: You should rent.", "You should rent.", "Bottom line"),
        ("In stock: 12 units", "In stock is 12 units.", "include"),
        (
            "| Feature | Pumps | Fans |\n|---|---|---|\n| Uses | Homes | Halls |\n| Lasts | 20 years | 9 years |",
            "Pumps last 20 years.",
            "Pumps use",
        ),
        (
            "You should stop using the cream and call a nurse if a rash appears.",
            "You should stop using the cream if a rash appears.",
            "cream.",
        ),
        (
            "If you are a tenant, moving isn't free, but you could ask for a loan.",
            "You could ask for a loan if you are a tenant.",
            "loan.",
        ),
        (
            "After washing, the fleece belongs on a rack and should be worn within two days.",
            "The fleece should be worn within two days after washing.",
            "days.",
        ),
        (
            "Before driving, clean the windows and adjust the mirrors.",
            "You adjust the mirrors before driving.",
            "mirrors.",
        ),
        ("The lamp is blue at night and white once the sun is up.", "The lamp is white once the sun is up.", "white."),
        (
            "You can borrow a bike for £3, provided that you are under 20 or own a library card and call before noon.",
            "You can borrow a bike for £3 provided that you are under 20 or own a library card and call before noon.",
            "own a library card.",
        ),
        (
            "The board approved the loan, on condition that the repairs begin before June.",
            "The board approved the loan on condition that the repairs begin before June.",
            "Repairs begin",
        ),
        (
            "A fee of £20 is due by 3 May, and the remaining £45 by 9 June.",
            "The remaining £45 is due by 9 June.",
            "is the remaining",
        ),
        (
            "Because you are ill, you don't have to pay the fine.",
            "You don't have to pay the fine because you are ill.",
            "have because",
        ),
        ("Bikes are welcome, but only in the yard.", "Bikes are welcome but only in the yard.", "welcome."),
        (
            "The card is for pupils, not for teachers.",
            "The card is for pupils, not for teachers.",
            "not for teachers not",
        ),
        ("You may drink only water and tea today.", "You may drink only water and tea today.", "drink tea"),
        ("Have the chimney swept every year.", "You have the chimney swept every year.", "chimney has"),
        ("Mira suspects that the old pump is to blame.", "Mira suspects that the old pump is to blame.", "is blame"),
        (
            "Heat the rest of the soup and simmer for ten minutes in a covered pan.",
            "You heat the rest of the soup.",
            "soup for",
        ),
        (
            "Nora wants to open the pool on Sundays, paid for by ending free swimming.",
            "Nora wants to open the pool on Sundays.",
            "Nora is",
        ),
        (
            "The tool retries a failed upload up to six times, starting after 1 minute.",
            "The tool retries a failed upload up to six times, starting after 1 minute.",
            "The tool starts",
        ),
        (
            "The letter notes that the sale was completed on 3 April, that a loan was repaid, and that work goes on.",
            "The sale was completed on 3 April.",
            "completed that",
        ),
        ("Ida opposed it because she felt the town could not give up the money.", None, "The town could"),
        ("The union says that management ignored a proposal.", None, "Management ignored"),
        ("Glass isn't accepted, and neither is foil.", "Foil is not accepted.", "Foil neither"),
        ("The hall is open daily, and so is the bar in summer.", "The hall is open daily.", "is so"),
        ("The flat is good but not for families.", "The flat is good but not for families.", "families but"),
        ("Tables start at £90 and chairs at £25.", "Chairs start at £25.", "Tables start at £25"),
        (
            "If you have a fever, but not a cough, for two days, call a nurse.",
            "You call a nurse if you have a fever, but not a cough, for two days.",
            "nurse for",
        ),
        ("The hall is open on Mondays, and so is the gym.", "The gym is open on Mondays.", "So is"),
        ("The splint is light. You only need it for sleeping, not for walking.", None, "need the splint."),
        ("The guide warns against stopping early, as the cough could return.", None, "Against"),
        ("Mild pain is common, and it may help to rest.", None, "Mild pain may help"),
        ("Here is the method in short. Bake the tart for an hour. Allow it to rest.", None, "method to rest"),
        ("You can change your booking online. It costs €20 after May.", None, "Your booking costs"),
        (
            "The rabbits are young. If they bite each other with flat ears, part them with a cushion.",
            "You part the rabbits with a cushion if they bite each other with flat ears.",
            "part flat",
        ),
    ],
)
def test_a_claim_says_what_it_holds_for(text: str, said: str | None, unsaid: str) -> None:
    found = [claim.text for claim in claims(text) if claim.kind is Kind.TRIPLET]
    assert said is None or said in found, found
    begins = unsaid[:1].isupper()  # such a claim would begin with it
    assert not any(sentence.startswith(unsaid) or (not begins and unsaid in sentence) for sentence in found), found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "If you row for a club, you qualify for the junior cup:\n- Girls: 12 to 16",
            ("you", "qualify for", "junior cup if you row for a club"),
        ),
        (
            "After 30 days in water:\n- Oak lost 4% of its mass.",
            ("Oak", "lost", "4% of its mass after 30 days in water"),
        ),
        ("Notes.\n\n### Before you paint\n- Sand the door.", ("You", "sand", "door before you paint")),
        ("Notes.\n\n### During the test\n- Hold the lever.", ("You", "hold", "lever during the test")),
        ("Notes.\n\n### During the test\n- The lamp flashes twice.", ("lamp", "flashes twice", "")),
        ("**If the belt slips**\n- Tighten the screw.", ("You", "tighten", "screw if the belt slips")),
        (
            "- **Before each trip:** check the oil level.\n- **Tyres:** wash them.",
            ("You", "check", "oil level before each trip"),
        ),
        (
            "- **Damp:** Wipe the walls with a cloth.\n- **Mice:** Close all gaps.",
            ("You", "wipe", "walls with a cloth"),
        ),
        (
            "- **Nests:** Eleven were found in May.\n- **Eggs:** All of them hatched.",
            ("Eleven nests", "were found in", "May"),
        ),
        ("- **Amount:** 20 g, weighed on a scale\n- **Taste:** sour", ("Amount", "is", "20 g, weighed on a scale")),
        ("- **Day 3** – The team reached the hut.\n- **Day 4** – Snow fell.", ("team", "reached", "hut")),
        ("- **Skis:** must be waxed.\n- **Poles:** are free.", ("Skis", "must be waxed", "")),
        ("Rules of the lift:\n- **Skis:** must be dry.\n- **Poles:** may be hired.", ("Skis", "must be", "dry")),
        ("- **Wet skis:** these go into the rack. Hang up gloves beside them.", ("Wet skis", "go into", "rack")),
        ("You can renew it so:\n- Hand in the old pass.", ("You", "hand in", "old pass")),
        (
            "The guides recommend:\n- Do two test dives before the trip.",
            ("You", "do", "two test dives before the trip"),
        ),
        ("The guides recommend:\n- Water once a day.", ("You", "water", "once a day")),
        ("The guides recommend:\n- Open Tools > Options.", ("You", "open", "Tools > Options")),
        ("| Pass | Zones |\n|---|---|\n| Junior | 1 and 2 |", ("Junior pass", "Zones", "1 and 2")),
    ],
)
def test_items_with_what_stands_in_front_of_them(text: str, expected: tuple[str, ...]) -> None:
    assert expected in triplets(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("## What you can borrow\n\nTents are free.", "borrow"),
        ("##What is new\n\nTents are free.", "new"),
        ("### Before you climb\n\n- Check the rope.", "You climb."),
        ("| Tent | Price |\n|---|---|\n| Big | – |\n| Small | n/a |", "Price"),
        ("- **7'** – Ida Moen scored.\n- **9'** – Ida Moen was sent off.", "**"),
    ],
)
def test_what_only_names_what_follows_is_no_claim(text: str, never: str) -> None:
    assert not any(never in claim.text for claim in claims(text)), claims(text)


def test_a_table_reads_as_sentences() -> None:
    text = "| Pear | Season from | Sizes | Best for |\n|---|---|---|---|\n| Conference | May | all | cakes |"
    assert [claim.text for claim in claims(text)] == [
        "Conference's season is from May.",
        "Conference's Sizes are all.",
        "Conference is best for cakes.",
    ]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        (
            "Was the tower in Lund built by monks?",
            "No. The guild built it.",
            "The tower in Lund was not built by monks.",
        ),
        ("Can I swap the ticket?", "Yes, but not today. Ask the office.", "Yes, but not today."),
        (
            "Can I swap it?",
            "Yes, but only if it is unused and you paid online.",
            "Yes, but only if it is unused and you paid online.",
        ),
    ],
)
def test_a_yes_or_no_in_front_of_more_is_a_claim(question: str, answer: str, expected: str) -> None:
    assert expected in [claim.text for claim in claims(answer, question)]


def test_a_question_with_an_unclear_subject_answers_nothing() -> None:
    text = "**Fixed rate**\n- Your payment stays the same."
    found = [claim.text for claim in claims(text, "Should I get a fixed or a variable rate?")]
    assert not any("Should" in sentence for sentence in found), found


def test_a_bold_word_that_answers_the_question_is_the_answer() -> None:
    found = [claim.text for claim in claims("**Paris.** It is old.", "What is the capital of France?")]
    assert "The capital of France is Paris." in found


@pytest.mark.parametrize(
    ("gerund", "verb"),
    [
        ("affecting", "affects"),
        ("raising", "raises"),
        ("running", "runs"),
        ("adding", "adds"),
        ("handling", "handles"),
        ("bringing", "brings"),
        ("ranging", "ranges"),
        ("offering", "offers"),
        ("treating", "treats"),
        ("creating", "creates"),
        ("carrying", "carries"),
        ("reaching", "reaches"),
        ("knowing", "knows"),
        ("having", "has"),
        ("hoping", "is hoping"),
    ],
)
def test_the_present_tense_of_a_participle(gerund: str, verb: str) -> None:
    assert present(gerund, many=False) == verb


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Profits rose to €31m.", [("Profits", "rose to", "€31m")]),
        ("The firm has debts of £8.4m.", [("firm", "has", "debts of £8.4m")]),
        ("The bill grew by 2.5k.", [("bill", "grew by", "2.5k")]),
        ("The lamp runs at 24 V.", [("lamp", "runs at", "24 V")]),
        ("The coil has 4 kΩ.", [("coil", "has", "4 kΩ")]),
        ("The mill, built c. 1850, is 12m.", [("mill", "was built", "c. 1850"), ("mill", "is", "12m")]),
        ("Take Exit B.", [("You", "take", "Exit B")]),
    ],
)
def test_the_last_full_stop_is_no_part_of_an_amount(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Berths cost $40 ($28 in May).", [("Berths", "cost", "$40"), ("Berths", "cost", "$28 in May")]),
        (
            "There is a charge of £3 (£5 on Sundays).",
            [("There", "is", "charge of £3"), ("There", "is", "charge of £5 on Sundays")],
        ),
        ("Enclose two papers (the form and the receipt).", [("You", "enclose", "two papers")]),
        (
            "Cereals (wheat and rye) contain gluten.",
            [("Cereals", "contain", "gluten"), ("Cereals", "include", "wheat and rye")],
        ),
        ("The pool is open on Sundays (9 am to noon).", [("pool", "is", "open on Sundays")]),
        ("Dr Ida Moss (University of Vesk) spoke.", [("Dr Ida Moss", "spoke", "")]),
        ("The way is 8 km (5 miles).", [("way", "is", "8 km (5 miles)"), ("8 km", "is", "5 miles")]),
    ],
)
def test_a_bracket_is_no_equation_of_amounts_or_of_parts(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bikes and luggage are not insured.", [("Bikes", "are not insured", ""), ("luggage", "is not insured", "")]),
        ("Salt and herbs have to dry.", [("Salt", "has to dry", ""), ("herbs", "have to dry", "")]),
        ("The pool and the saunas weren't open.", [("pool", "wasn't", "open"), ("saunas", "weren't", "open")]),
        ("Two fossils and a coin were found.", [("Two fossils", "were found", ""), ("coin", "was found", "")]),
    ],
)
def test_a_verb_agrees_with_its_part_of_the_subject(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ole Brandt's deflected low cross beat Anders Moe in the final and decided the match.",
            [
                ("Ole Brandt's deflected low cross", "beat Anders Moe in", "final"),
                ("Ole Brandt's deflected low cross", "decided", "match"),
            ],
        ),
        (
            "The other offer was €700 cheaper but came with a shorter guarantee.",
            [("other offer", "was", "€700 cheaper"), ("other offer", "came with", "shorter guarantee")],
        ),
        ("You have to book for Under Sail.", [("You", "have to book for", "Under Sail")]),
        (
            "As soon as the lamp flashes, close the lid and press the key.",
            [
                ("You", "close", "lid as soon as the lamp flashes"),
                ("You", "press", "key as soon as the lamp flashes"),
            ],
        ),
        (
            "Berg put Vesk in front with a penalty in the ninth minute.",
            [("Berg", "put Vesk in front with", "penalty"), ("Berg", "put Vesk in front in", "ninth minute")],
        ),
        (
            "Vesk are third, six points below second-placed Lund.",
            [("Vesk", "are", "third, six points below second-placed Lund")],
        ),
        (
            "Prices rose by 3% in May and by 5% in June.",
            [("Prices", "rose by", "3% in May and by 5% in June")],
        ),
        (
            "At a rate of 4%, growth went up by 9% in the first month, but at 6% there was no gain.",
            [
                ("growth", "went up by", "9% at a rate of 4%"),
                ("growth", "went up in", "first month at a rate of 4%"),
                ("there", "was", "no gain at 6%"),
            ],
        ),
        (
            "Wooden piles aren't an option, according to Ida Lund, because the quay is listed.",
            [
                ("Wooden piles", "aren't", "option according to Ida Lund"),
                ("Wooden piles", "aren't option according to Ida Lund because", "quay is listed"),
            ],
        ),
        (
            "Make sure the lid is shut, the hose isn't bent and the sieve is rinsed.",
            [
                ("You", "make sure", "lid is shut, the hose isn't bent and the sieve is rinsed"),
            ],
        ),
        (
            "The desk came with a scratch and without its key.",
            [
                ("desk", "came with", "scratch"),
                ("desk", "came without", "its key"),
            ],
        ),
        ("The pump runs on without oil, which can leave the seal dry.", [("pump", "runs on without", "oil")]),
        ("Other cats – males in particular – make Mia nervous.", [("Other cats", "make Mia", "nervous")]),
        (
            "If you miss a lesson, write to us – don't come twice.",
            [
                ("You", "write to", "us if you miss a lesson"),
                ("You", "don't come twice", "if you miss a lesson"),
            ],
        ),
        (
            "The yield was the largest since records began.",
            [
                ("yield", "was", "largest since records began"),
                ("records", "began", ""),
            ],
        ),
        (
            "Leave the leeks in the pan, turning them so the edges brown.",
            [
                ("You", "leave", "leeks in the pan, turning them so the edges brown"),
            ],
        ),
        (
            "You can't board without a ticket, whichever class you travel in.",
            [("You", "can't board without", "ticket whichever class you travel in")],
        ),
        (
            "A child should be seen by a doctor, however small the burn looks.",
            [("child", "should be seen by", "doctor however small the burn looks")],
        ),
        ("The hall stays open no matter how long it takes.", [("hall", "stays", "open no matter how long it takes")]),
        (
            "Put the soup in a pot and cook it on low for an hour.",
            [("You", "put", "soup in a pot"), ("You", "cook", "soup on low for an hour")],
        ),
        (
            "Freedom of speech lets people meet without fear of arrest or fines, which is essential for a free press.",
            [("Freedom of speech", "lets people meet without", "fear of arrest or fines")],
        ),
        ("They teach methods of using drones to map, photograph and measure farms.", []),
        (
            "Add the diced onion and season with salt.",
            [("You", "add", "diced onion"), ("You", "season with", "salt")],
        ),
        (
            "The book shows a loaf and provides rules for preparation and baking times.",
            [("book", "shows", "loaf"), ("book", "provides", "rules for preparation and baking times")],
        ),
        (
            "Enter the house code or the personal code using the keys on the door.",
            [("You", "enter", "house code or the personal code using the keys on the door")],
        ),
        ("The more salt you add, the faster it melts.", []),
        (
            "Alkanes:\n- Are produced by plants\n- Do not form salts\n- Contain carbon",
            [
                ("Alkanes", "are produced by", "plants"),
                ("Alkanes", "do not form", "salts"),
                ("Alkanes", "contain", "carbon"),
            ],
        ),
        (
            "- **Loan period:** 3 weeks for books and maps, 1 week for films, games and toys",
            [
                ("Loan period", "is", "3 weeks for books and maps"),
                ("Loan period", "is", "1 week for films, games and toys"),
            ],
        ),
    ],
)
def test_what_holds_of_all_the_words_it_belongs_to(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


def test_who_owns_something_is_meant_before_those_of_the_sentence_before() -> None:
    text = "Tom Lunde scored twice. Paul Berg was sent off. Lunde's coach praised him after the match."
    assert ("Lunde's coach", "praised Tom Lunde after", "match") in triplets(text)
    text = "Ronja Vik led by a minute. Ylva Moe came in second. It was Vik's first race since she broke a leg."
    assert not [triplet for triplet in triplets(text) if triplet[:2] == ("Ylva Moe", "broke")]


def test_a_code_in_front_is_part_of_every_claim_of_its_line() -> None:
    text = "**E1 – inlet:** The tub is dry. Clean the inlet sieve.\n**E2 – leak:** The tray is wet. Turn the tap off."
    assert "E1 – inlet: You clean the inlet sieve." in [claim.text for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A third of the film was cut, including the storm.",
            [("third of the film", "was cut", "including the storm")],
        ),
        (
            "Two doors were locked, namely a gate in the yard and a hatch in the roof.",
            [
                ("Two doors", "were locked", ""),
                ("gate in the yard and a hatch in the roof", "are", "two doors"),
            ],
        ),
        (
            "The bill passed four to one, with the mayor abstaining.",
            [("bill", "passed", "four to one with the mayor abstaining")],
        ),
        ("The plan was backed by Cllr Venn.", [("plan", "was backed by", "Cllr Venn")]),
        ("The 4 and 4B are joined into one line.", [("4 and 4B", "are joined into", "one line")]),
        ("Reserve the **Orlau hide** at the office.", [("You", "reserve", "Orlau hide at the office")]),
        ("The clerk needs write access to the disk.", [("clerk", "needs", "write access to the disk")]),
        ("A coin came to light in a barn near Ede.", [("coin", "came", "to light in a barn near Ede")]),
        ("The stall sells only cider and juice.", [("stall", "sells", "only cider and juice")]),
        ("The plan was backed by Cllr. Venn.", [("plan", "was backed by", "Cllr. Venn")]),
        ("The firm cut 60 jobs, most of them in Ede.", [("firm", "cut", "60 jobs")]),
        (
            "The mill went into administration in May owing €2m.",
            [
                ("mill", "went into", "administration owing €2m"),
                ("mill", "went in", "May owing €2m"),
            ],
        ),
        ("Nurses get 20% off.", [("Nurses", "get", "20% off")]),
        ("The town paid Odell 12 barrels of beer a year.", [("town", "paid Odell", "12 barrels of beer a year")]),
        ("Trains stay as they are.", [("Trains", "stay", "as they are")]),
        ("Prices stay the same.", [("Prices", "stay", "the same")]),
        ("Heat the oven to 350 degrees F.", [("You", "heat", "oven to 350 degrees F")]),
        ("The crew moved the boat back on Monday.", [("crew", "moved back the boat on", "Monday")]),
        (
            "A deposit of £40 is due by 3 June, and the remaining £90 by 9 July.",
            [("deposit of £40", "is", "due by 3 June"), ("remaining £90", "is due by", "9 July")],
        ),
        (
            "The museum shows a sledge, a drum and a coat at least 900 years old.",
            [
                ("museum", "shows", "sledge"),
                ("museum", "shows", "drum"),
                ("museum", "shows", "coat at least 900 years old"),
            ],
        ),
        (
            "The mill was founded by Ada Berg, a baker, together with her brother.",
            [
                ("mill", "was founded by", "Ada Berg together with her brother"),
                ("Ada Berg", "is", "baker"),
            ],
        ),
        ("Applicants must owe between £20 and £90.", [("Applicants", "must owe", "between £20 and £90")]),
        ("Of the budget, £900 comes from gifts.", [("£900 of the budget", "comes from", "gifts")]),
        ("Mowing the lawn yourself is free.", [("Mowing the lawn yourself", "is", "free")]),
        ("Every four weeks of work add a day.", [("Every four weeks of work", "add", "day")]),
        ("You cannot open the panel yourself.", [("You", "cannot open", "panel yourself")]),
        (
            "You are paid up to £75, or up to £750 with the extra cover.",
            [("You", "are paid up to", "£75, or up to £750 with the extra cover")],
        ),
        ("You can roll over four days.", [("You", "can roll over", "four days")]),
        (
            "The tank should hold 15 litres for perch and 25 litres for large carp.",
            [("tank", "should hold", "15 litres for perch"), ("tank", "should hold", "25 litres for large carp")],
        ),
        (
            "For the club itself, the contact is Post Box 818.",
            [("contact", "is", "Post Box 818 for the club itself")],
        ),
        (
            "Batteries with coating B kept 90%, and their internal resistance rose.",
            [
                ("Batteries with coating B", "kept", "90%"),
                ("internal resistance of batteries with coating B", "rose", ""),
            ],
        ),
    ],
)
def test_noun_phrases_stay_whole(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("The pilot, Ben Wills, was unhurt.", "Ben Wills is the pilot."),
        ("**Owner:** The parish of Vesk.", "Owner is the parish of Vesk."),
        ("iOS was not affected.", "iOS was not affected."),
        (
            "The control cells without any additive lost 9%, while their resistance grew.",
            "The resistance of the control cells without any additive grew.",
        ),
    ],
)
def test_capitals_inside_a_claim_are_those_of_names(text: str, wording: str) -> None:
    assert wording in [claim.text for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "What you may not do:\n- share the key with third parties\n- Try to open the case",
            [("you", "may not share", "key with third parties"), ("you", "may not try to open", "case")],
        ),
        ("You must never do the following:\n- Open the lid.", [("You", "must never open", "lid")]),
        ("Things you should do:\n- keep the receipt", [("you", "should keep", "receipt")]),
        ("Dogs are allowed in May and June only.", [("Dogs", "are allowed in", "May and June only")]),
        (
            "The report makes the following points:\n- **Cost:** It costs €5.\n- **Noise:** Two engines are loud.",
            [("Noise: Two engines", "are", "loud")],
        ),
        ("### Rent and deposit\n\nThe rent is €500.", [("rent", "is", "€500")]),
        ("## Don'ts\n- Open the lid", [("You", "must not open", "lid")]),
        (
            "You must not:\n- Sell copies to others (schools that share our terms don't count)",
            [("You", "must not sell", "copies to others (schools that share our terms don't count)")],
        ),
        ("The main limits of the pump are:\n- **Alarm:** rings at 40 °C, stops at 35 °C", []),
        (
            "In the box you will find:\n- a pump\n- two hoses",
            [("you", "will find", "pump in the box"), ("you", "will find", "two hoses in the box")],
        ),
        (
            "- **Not in the set:** screws, nails and glue",
            [(item, "are" if item.endswith("s") else "is", "not in the set") for item in ("screws", "nails", "glue")],
        ),
        ("- **Not part of the set:** screws", [("screws", "are", "not part of the set")]),
        (
            "The side effects are:\n- **Rare (up to 1 in 1,000 people):** cramps, a dry cough, cold hands",
            [
                ("cramps", "are", "rare (up to 1 in 1,000 people)"),
                ("a dry cough", "is", "rare (up to 1 in 1,000 people)"),
                ("cold hands", "are", "rare (up to 1 in 1,000 people)"),
            ],
        ),
        ("Key points before you move in:\n- **Keys:** The office has two.", [("office", "has", "two")]),
        # what people get is not what they are
        ("- **Visitors:** photo ID\n- **Members:** half price, in all halls", []),
        ("- **Students:** passport, photo and form", []),
        ("- **Members:** £12", [("Members", "are", "£12")]),
        ("- **Members:** a free drink", []),
        ("- **Members:** free", [("Members", "are", "free")]),
        # line that opens a list
        (
            "What you can claim:\n- a train ticket\n- $5 a day",
            [("you", "can claim", w) for w in ("train ticket", "$5 a day")],
        ),
        ("What we don't cover:\n- glass\n- drones", [("we", "don't cover", "glass"), ("we", "don't cover", "drones")]),
        ("What isn't covered:\n- glass\n- drones", [("glass", "is", "not covered"), ("drones", "are", "not covered")]),
        (
            "Who can apply:\n- local farmers\n- old clubs",
            [(who, "can apply", "") for who in ("local farmers", "old clubs")],
        ),
        (
            "Costs you can deduct:\n- tools\n- work clothes",
            [("Costs you can deduct", "include", what) for what in ("tools", "work clothes")],
        ),
        (
            "If the mill jams, check the following:\n- The lid must be shut.\n- You can shake the beans.",
            [("lid", "must be shut", ""), ("You", "can shake", "beans if the mill jams")],
        ),
        (
            "If the light is red, check the following:\n- The battery is empty.\n- The lid must be shut.",
            [("battery", "is", "empty if the light is red"), ("lid", "must be shut", "")],
        ),
        (
            "Here are the key facts about the **Nordby Ferry**:\n- **Length:** 80 m [1]\n- **Home port:** Nordby",
            [("Nordby Ferry: Length", "is", "80 m"), ("Nordby Ferry: Home port", "is", "Nordby")],
        ),
        ("In summary, he lost points on the road:\n- **Walk:** 5 points", [("Walk", "is", "5 points")]),
        (
            "The details of the trip depend on the weather:\n- **Bus:** 5 euros",
            [("details of the trip", "depend on", "weather"), ("details of the trip: Bus", "is", "5 euros")],
        ),
        (
            "Extra points on weekends:\n- **Walk:** 5 points",
            [("Extra points on weekends: Walk", "is", "5 points")],
        ),
        ("Who should I call:\n- Ada Berg", []),
        ("**Who can I call:** Ada Berg", []),
        ("Who may we contact:\n- Ada Berg", []),
        ("Who is Ada Berg:\n- a poet", []),
        ("**Who must pay:** no students", []),
        ("Who is not covered:\n- tenants", [("tenants", "are", "not covered")]),
        ("What does cover:\n- theft", []),
        ("**What this can cover:** theft abroad", []),
        ("**What to bring for the trip:** a towel", []),
        ("What nurses use for lifts:\n- gloves", [("nurses", "use", "gloves for lifts")]),
        ("Not covered:\n- old tyres\n- races", [("old tyres", "are", "not covered"), ("races", "are", "not covered")]),
        (
            "Here is what the policy covers:\n- the roof\n- all doors",
            [("policy", "covers", "roof"), ("policy", "covers", "all doors")],
        ),
        ("How you get to the fort:\n- The bus stops at the gate.", [("bus", "stops at", "gate")]),
        (
            "You can reach the office:\n- by phone until 5 p.m.\n- by fax",
            [
                ("You", "can reach", "office"),
                ("You", "can reach the office", "by phone until 5 p.m."),
                ("You", "can reach the office", "by fax"),
            ],
        ),
        ("Side effects:\n- Very common: hiccups", [("Side effects: hiccups", "are", "very common")]),
        (
            "- **Hall:** no booking needed\n- **Pool:** no deposit required on weekdays",
            [("Hall: no booking", "is needed", ""), ("Pool: no deposit", "is required", "on weekdays")],
        ),
        (
            "**Covered:**\n- lost luggage\n- free pillows\n\nCall us.",
            [("lost luggage", "is", "covered"), ("free pillows", "are", "covered"), ("You", "call", "us")],
        ),
        ("Before you start, have these papers ready:\n- the birth certificate", []),
        (
            "**Who can join:** anyone over 16 with a badge\n**What to bring:** one large towel",
            [("anyone over 16 with a badge", "can join", ""), ("You", "bring", "one large towel")],
        ),
        ("In detail:\n- **Food:** rice\n- **Rooms:** two", [("Food", "is", "rice"), ("Rooms", "are", "two")]),
        ("- **Not suitable for:** small children", []),
        (
            "It is on Monday.\n\n**What you'll need:**\n- a towel\n- two photos",
            [("you", "'ll need", "towel"), ("you", "'ll need", "two photos")],
        ),
        ("What to bring:\n- a towel\n- two photos", [("You", "bring", "towel"), ("You", "bring", "two photos")]),
        (
            "This plan feeds four people:\n1. Slice two leeks.\n2. Wash the rice.",
            [("This plan", "feeds", "four people"), ("You", "slice", "two leeks"), ("You", "wash", "rice")],
        ),
        (
            "The gallery has two new rooms:\n- Room 12\n- Room 14",
            [("gallery", "has", "two new rooms"), ("gallery", "has", "Room 12"), ("gallery", "has", "Room 14")],
        ),
        (
            "This pack has three tools:\n- a saw\n- a file",
            [("This pack", "has", "three tools"), ("This pack", "has", "saw"), ("This pack", "has", "file")],
        ),
        (
            "What's not included:\n- Lunch\n- Two drinks",
            [("Lunch", "is", "not included"), ("Two drinks", "are", "not included")],
        ),
    ],
)
def test_what_a_line_says_of_those_below_it(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "On weekdays, the shop opens at 9 a.m. and closes at 6 p.m.",
            [("shop", "opens at", "9 a.m. on weekdays"), ("shop", "closes at", "6 p.m. on weekdays")],
        ),
        (
            "Between May and July, walkers may not camp and must stay 50 metres away from the nests.",
            [
                ("walkers", "may not camp between", "May and July"),
                ("walkers", "must stay", "50 metres away from the nests between May and July"),
            ],
        ),
        (
            "The work should take a month and cost €9,000.",
            [("work", "should take", "month"), ("work", "should cost", "€9,000")],
        ),
        (
            "The play was described as slow, dull and vague about its aim.",
            [
                ("play", "was described as", "slow"),
                ("play", "was described as", "dull"),
                ("play", "was described as", "vague about its aim"),
            ],
        ),
        ("The board dealt with two complaints on 3 May.", [("board", "dealt with", "two complaints on 3 May")]),
        (
            "You can choose between a day ticket (€5, or €3 if you are a pupil) and a year pass.",
            [("You", "can choose between", "day ticket and a year pass")],
        ),
        (
            "The town chose Orsa, although the price was higher than Holm's 900, because the firm has a lorry.",
            [
                ("town", "chose", "Orsa"),
                ("town", "chose Orsa because", "firm has a lorry"),
                ("price", "was", "higher than Holm's 900"),
                ("firm", "has", "lorry"),
            ],
        ),
        ("The visitors there are pupils.", [("visitors there", "are", "pupils")]),
        (
            "The plant delivered 80% on time in March, short of its goal.",
            [("plant", "delivered 80% on time in", "March")],
        ),
        ("Only if the valve is closed.", []),
        (
            "In tunnels the small lamp is not allowed; you need the big lamp.",
            [
                ("small lamp", "is not allowed in", "tunnels"),
                ("you", "need", "big lamp in tunnels"),
            ],
        ),
        (
            "The rules let staff move or remove files once they are a year old.",
            [
                ("rules", "let staff move", "files once they are a year old"),
                ("rules", "let staff remove", "files once they are a year old"),
            ],
        ),
        ("Work is due to begin in May.", [("Work", "is", "due to begin in May")]),
        (
            "The wall was shrinking by nearly half a metre every year.",
            [("wall", "was shrinking by", "nearly half a metre every year")],
        ),
        ("The lamp is safe outdoors thanks to a seal.", [("lamp", "is", "safe outdoors thanks to a seal")]),
        ("The move went better than planned.", [("move", "went", "better than planned")]),
        (
            "According to engineer Petra Holm, the pier is sound.",
            [("pier", "is", "sound according to engineer Petra Holm")],
        ),
        ("Orsa beat Norhavn 5–4 in overtime.", [("Orsa", "beat Norhavn 5–4 in", "overtime")]),
        ("Select **Add user**.", [("You", "select", "Add user")]),
        ("The makers blame age, but the team didn't test that directly.", [("makers", "blame", "age")]),
        (
            "Across all groups, staff got the best marks and the machines the worst.",
            [
                ("staff", "got the best marks across", "all groups"),
                ("machines", "got", "worst"),
            ],
        ),
        (
            "While the office is closed, you can call the porter.",
            [("you", "can call", "porter while the office is closed")],
        ),
        (
            "Moving to the new host didn't help, because it ran on the same disk.",
            [],
        ),
    ],
)
def test_what_belongs_to_each_of_two_verbs_or_phrases(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A fee is due for every day the book is late.",
            [("fee", "is", "due for every day the book is late")],
        ),
        (
            "The discount does not apply if you move because of work.",
            [("discount", "does not apply", "if you move because of work")],
        ),
        (
            "Keep the plant inside or cover it, because the frost kills it.",
            [("You", "keep", "plant inside or cover it"), ("frost", "kills", "plant")],
        ),
        ("Staff who took part slept better.", [("Staff who took part", "slept", "better")]),
        (
            "The plan covers 20 calls and 5 texts per day.",
            [("plan", "covers", "20 calls per day"), ("plan", "covers", "5 texts per day")],
        ),
        (
            "Each login can make 90 read requests and 30 write requests, and an export counts as ten requests.",
            [
                ("Each login", "can make", "90 read requests"),
                ("Each login", "can make", "30 write requests"),
                ("export", "counts as", "ten requests"),
            ],
        ),
        (
            "The shrub grew slowly, reaching 12 cm after one year and 15 cm after two.",
            [("shrub", "grew slowly", ""), ("shrub", "reached", "12 cm after one year and 15 cm after two")],
        ),
        ("The cheap paint lasted nearly as well as enamel.", [("cheap paint", "lasted", "nearly as well as enamel")]),
        (
            "The board decided against a new roof on safety grounds.",
            [("board", "decided against", "new roof on safety grounds")],
        ),
        (
            "The vase was drawn by Ada Berg and made in Olga Dahl's workshop.",
            [("vase", "was drawn by", "Ada Berg"), ("vase", "was made in", "Olga Dahl's workshop")],
        ),
        (
            "The path is flat, paved all the way and open to bikes.",
            [("path", "is", "flat"), ("path", "is", "open to bikes"), ("path", "is paved", "all the way")],
        ),
        ("Also included are towels and soap.", [("towels", "are included", ""), ("soap", "is included", "")]),
        ("Not covered is damage by frost.", [("damage by frost", "is not covered", "")]),
        ("Sales rose a little.", [("Sales", "rose", "a little")]),
        (
            "The old mill is to stay, the yard will get a pond, and a fence is planned.",
            [("old mill", "is", "to stay"), ("yard", "will get", "pond"), ("fence", "is planned", "")],
        ),
        (
            "You must keep at least two thirds of your plot tilled.",
            [("You", "must keep at least two thirds of your plot tilled", "")],
        ),
        (
            "In late winter, remove dead twigs and cut last year's shoots.",
            [("You", "remove", "dead twigs in late winter"), ("You", "cut", "last year's shoots in late winter")],
        ),
        (
            "You get a bonus if you sell ten units and your team meets its goal.",
            [("You", "get", "bonus if you sell ten units and your team meets its goal")],
        ),
        ("For every year you work, you get two days.", [("you", "get", "two days for every year you work")]),
        ("Plug in the hub.", [("You", "plug in", "hub")]),
        (
            "**What the plan does not include:**\n- Calls abroad\n- Fire",
            [("plan", "does not include", "Calls abroad"), ("plan", "does not include", "Fire")],
        ),
        (
            "Taste the soup before you add salt because the fish is already salty.",
            [
                ("You", "taste the soup before", "you add salt"),
                ("You", "taste the soup before you add salt because", "fish is already salty"),
                ("fish", "is", "already salty"),
            ],
        ),
        (
            "Members voted to increase the fee for adults, while children will still pay 8 euros.",
            [
                ("Members", "voted to increase", "fee for adults"),
                ("children", "will still pay", "8 euros"),
            ],
        ),
        ("The hours spent on calls were the same.", [("hours spent on calls", "were", "the same")]),
        ("**Price:** I couldn't find it.", []),
        ("Dice the onions.", [("You", "dice", "onions")]),
        ("Butter a small dish.", [("You", "butter", "small dish")]),
        (
            "Whisk in oil, two eggs and salt.",
            [("You", "whisk in", "oil"), ("You", "whisk in", "two eggs"), ("You", "whisk in", "salt")],
        ),
        ("Simmer for an hour.", [("You", "simmer for", "hour")]),
        ("Rain the whole day.", []),
        ("**Dogs:** Only guide dogs are allowed.", [("Only guide dogs", "are allowed", "")]),
    ],
)
def test_a_claim_keeps_what_limits_it_and_the_form_of_its_verb(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Yes, but only if your boss agrees and you have two days left.", ("you", "have", "two days left")),
        ("Yes, provided you are over 18 and you live in Oslo.", ("you", "live in", "Oslo")),
        ("What you should check in your files right away:\n\n- Close the door.", ("you", "should check", "What")),
        (
            "The Ulsted cup was made in 1810. It hung in the hall of a guild. After the guild closed, it came here.",
            ("guild", "came", "here"),
        ),
        (
            "Staff who took part slept better, although this can't be due to the mails because they were sent late.",
            ("Staff who took part", "were sent", "late"),
        ),
        ("Add `-y` to `push`, because it now asks for a name.", ("`-y`", "now asks for", "name")),
    ],
)
def test_what_may_be_of_another_clause_is_not_claimed(text: str, never: tuple[str, ...]) -> None:
    found = triplets(text)
    assert not any(one[:2] == never[:2] for one in found), found


def test_it_is_what_a_pronoun_stood_for_before_and_no_noun_that_describes_another() -> None:
    text = (
        "The Rask bridge was closed in May. According to Ada Berg, who heads the office, it could open again in June."
    )
    assert [one for one in triplets(text) if "could open" in one[1]] == [
        ("Rask bridge", "could open again in", "June according to Ada Berg, who heads the office")
    ]
    text = "The Corvo oven is safe.\n\n**Other dangers:** It may become hot."
    assert ("Corvo oven", "may become", "hot") in triplets(text, "Is the Corvo oven safe?")


@pytest.mark.parametrize(
    ("above", "subject"),
    [
        ("The firm has two types of policies:", "Basic's price is 5 euros."),
        ("The gym has two types of health insurance:", "Basic health insurance's price is 5 euros."),
        ("The types of the new tax differ:", "Basic's price is 5 euros."),
        ("Some types of these are:", "Basic's price is 5 euros."),
        ("Types of membership:", "Basic membership's price is 5 euros."),
        ("**Membership types**", "Basic membership's price is 5 euros."),
    ],
)
def test_the_line_above_a_table_names_its_rows(above: str, subject: str) -> None:
    found = claims(f"{above}\n\n| Type | Price |\n|---|---|\n| Basic | 5 euros |")
    assert found[-1].text.lower() == subject.lower(), found


def test_many_sources_behind_a_value_take_no_time() -> None:
    sources = "[1] " * 40
    assert triplets(f"- **Length:** 80 m {sources}") == [("Length", "is", "80 m")]
    assert triplets(f"- **Length:** 80 m {sources}long") == [("Length", "is", f"80 m {sources}long")]


def test_of_two_questions_the_first_is_answered() -> None:
    question = "Did the council approve the tram, and when will it start?"
    assert triplets("Yes.", question) == [("the council", "did approve the tram", "")]
    assert claims("I'm sorry, but the text does not mention Dr. Berg's salary.", "What does Dr. Berg earn?") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The council closed the pool, which was old, because it leaked.",
            [
                ("council", "closed", "pool"),
                ("council", "closed the pool because", "it leaked"),
                ("pool", "was", "old"),
            ],
        ),
        (
            (
                "At the annual meeting on 7 May, Ulmby Town Council dealt with the footbridge over the Leam, which had"
                " been shut since 2 April because inspectors found rot in two of its oak beams."
            ),
            [
                ("Ulmby Town Council", "dealt with", "footbridge over the Leam at the annual meeting on 7 May"),
                ("footbridge over the Leam", "had been shut since", "2 April"),
                (
                    "footbridge over the Leam",
                    "had been shut since 2 April because",
                    "inspectors found rot in two of its oak beams",
                ),
                ("inspectors", "found", "rot in two of its oak beams"),
            ],
        ),
        (
            "Guests voted 41 to 19 to increase the fee to 16 euros, while pupils will pay 8 euros.",
            [("Guests", "voted", "41 to 19 to increase the fee to 16 euros"), ("pupils", "will pay", "8 euros")],
        ),
        (
            "That allowance doesn't apply if you retire because of incapacity.",
            [("That allowance", "doesn't apply", "if you retire because of incapacity")],
        ),
        (
            "The carpet was designed by the painter Tom Kern and made in Ada Berg's workshop in Ulm.",
            [
                ("carpet", "was designed by", "painter Tom Kern"),
                ("carpet", "was made in", "Ada Berg's workshop in Ulm"),
            ],
        ),
        ("At the same time, sales and costs rose.", [("sales", "rose", ""), ("costs", "rose", "")]),
        (
            "The team has 5 coaches and 12 players per squad.",
            [("team", "has", "5 coaches"), ("team", "has", "12 players per squad")],
        ),
        ("If you plan a trip, note that the pass closed in 1990.", [("pass", "closed in", "1990")]),
        (
            "If you plan a trip, note that snow tyres are required.",
            [("snow tyres", "are required", "if you plan a trip")],
        ),
    ],
)
def test_what_hangs_on_a_clause_stays_with_it(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


def test_a_number_that_no_triplet_holds_makes_the_sentence_a_claim() -> None:
    text = "The Orm bridge will be shut to motor traffic from Monday, 9 June, after Ada Berg found cracks in its beams."
    assert [claim.text for claim in claims(text) if claim.kind is Kind.SENTENCE] == [text]


def test_a_number_is_left_if_it_is_in_no_slot() -> None:
    text = "It won 33 to 5."
    stated = Span(0, len(text))
    some, every = Coverage([[Span(0, 9)]]), Coverage([[Span(0, 9)], [Span(13, 14)]])
    assert (some.share(text, stated), some.leaves_number(text, stated)) == (1.0, True)
    assert not every.leaves_number(text, stated)
    assert not some.leaves_number(text, stated, kept={0, 3, 7})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rosa Kern leads the team. Ines Vollmer is her deputy.", ("Ines Vollmer", "is", "Rosa Kern's deputy")),
        ("Rosa Kern leads the team. Ines Vollmer is his deputy.", ("Ines Vollmer", "is", "his deputy")),
        ("Norway lies in the north. Oslo is its capital.", ("Oslo", "is", "Norway's capital")),
        ("The business was at its height in 1990.", ("business", "was", "at its height in 1990")),
        ("Ada Berg moved to Oslo. She was in her office at nine.", ("Ada Berg", "was", "in her office at nine")),
        (
            "Ilse Rot (1871–1944) was an engineer. She trained under her uncle, the watchmaker Anton Rot.",
            ("Ilse Rot's uncle", "is", "watchmaker Anton Rot"),
        ),
    ],
)
def test_nothing_that_is_said_of_a_subject_names_it_as_its_owner(text: str, expected: tuple[str, ...]) -> None:
    assert expected in triplets(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**What you'll need:** a towel", [("you", "'ll need", "a towel")]),
        ("**What to bring:** one large towel", [("You", "bring", "one large towel")]),
        ("**What's included:** a full breakfast", [("a full breakfast", "is", "included")]),
        ("**What's included:** breakfast", [("breakfast", "is", "included")]),
        ("**What's not included:** drinks and tips", [("drinks and tips", "are", "not included")]),
        ("**What you won't need:** how to swim", []),
    ],
)
def test_a_key_that_asks_is_answered_by_its_value(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


def test_a_value_that_denies_all_of_something_stays_with_its_label() -> None:
    text = "Food: Nothing to eat after midnight"
    assert [claim.text for claim in claims(text)] == [text]
    assert triplets("Cost: nothing") == [("Cost", "is", "nothing")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Absences longer than ten days need a doctor's note.",
            [("Absences longer than ten days", "need", "doctor's note")],
        ),
        (
            "You may not take breaks longer than ten minutes.",
            [("You", "may not take", "breaks longer than ten minutes")],
        ),
    ],
)
def test_a_comparison_stays_with_its_noun(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The driver is to blame.", [("driver", "is", "to blame")]),
        ("The pump is partly to blame.", [("pump", "is", "partly to blame")]),
        ("The driver may be to blame.", [("driver", "may be", "to blame")]),
        ("The weather was to blame for the delay.", [("weather", "was", "to blame for the delay")]),
        ("The hull is said to be a wreck.", [("hull", "is said to be", "wreck")]),
    ],
)
def test_what_is_to_be_done_keeps_its_to(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The grant covers food and travel costs.", [("grant", "covers", "food and travel costs")]),
        ("Travel and hotel costs are refunded.", [("Travel and hotel costs", "are refunded", "")]),
        (
            "The policy covers theft and water damage.",
            [("policy", "covers", "theft"), ("policy", "covers", "water damage")],
        ),
    ],
)
def test_costs_of_several_things_stay_whole(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Only GET requests are retried.", [("Only GET requests", "are retried", "")]),
        ("By default only GET requests are retried.", [("only GET requests", "are retried", "by default")]),
        ("Only `GET` requests are retried.", [("Only GET requests", "are retried", "")]),
    ],
)
def test_a_name_in_capitals_is_no_verb(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "others"),
    [
        (
            "Undergraduates can borrow six books, postgraduates twelve.",
            [("postgraduates", "can borrow", "twelve books")],
        ),
        (
            "Undergraduates can borrow up to six books, postgraduates up to twelve.",
            [("postgraduates", "can borrow up to", "twelve books")],
        ),
        (
            "Undergraduates can borrow six items, postgraduates twelve and staff twenty.",
            [("postgraduates", "can borrow", "twelve items"), ("staff", "can borrow", "twenty items")],
        ),
        (
            "Undergraduates can borrow six books, postgraduates twelve, staff twenty.",
            [("postgraduates", "can borrow", "twelve books"), ("staff", "can borrow", "twenty books")],
        ),
    ],
)
def test_amounts_of_other_subjects_leave_the_verb_out(text: str, others: list[tuple[str, ...]]) -> None:
    first, *rest = triplets(text)
    assert first[0] == "Undergraduates"
    assert first[2].split()[-1] in ("books", "items")
    assert rest == others


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Room 12] The desk is broken.\n- The lamp is new.", [("desk", "is", "broken"), ("lamp", "is", "new")]),
        ("(Step 1) Close the valve.\n- Open the lid.", [("You", "close", "valve"), ("You", "open", "lid")]),
        (
            "[Table 4] Prices:\n- Bread: $2\n- Milk: $1",
            [("[Table 4] Prices for Bread", "are", "$2"), ("[Table 4] Prices for Milk", "are", "$1")],
        ),
        ("[Plan 2] costs $20 a month.", [("Plan 2", "costs", "$20 a month")]),
    ],
)
def test_a_label_in_brackets_stays_whole_and_outside_the_clause(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "While you are abroad, the cover continues for 60 days.",
            [("cover", "continues for", "60 days while you are abroad")],
        ),
        (
            "A shed needs no permit if it is small, it is not heated, and it stands apart.",
            [("shed", "needs", "no permit if it is small, it is not heated, and it stands apart")],
        ),
        (
            "With a basic ticket you can pick a seat, but you can't change the date.",
            [
                ("you", "can pick", "seat with a basic ticket"),
                ("you", "can't change", "date with a basic ticket"),
            ],
        ),
        (
            "After washing, dry the pan and oil it in ten minutes.",
            [("You", "dry", "pan after washing"), ("You", "oil", "pan in ten minutes after washing")],
        ),
        (
            "To cut costs, the firm closed two shops, and it hopes profits will rise.",
            [("firm", "closed", "two shops to cut costs"), ("firm", "hopes", "profits will rise")],
        ),
        ("On gravel, the Toro did better, stopping in 12 metres.", [("Toro", "stopped in", "12 metres on gravel")]),
        (
            "Missing three bookings in one month without cancelling may cost you your booking rights.",
            [("Missing three bookings in one month without cancelling", "may cost you", "your booking rights")],
        ),
        ("Parking is free, other than on match days.", [("Parking", "is", "free other than on match days")]),
        ("The inn is the only place that takes cards.", [("inn", "is", "only place that takes cards")]),
        ("A red lamp lights during charging.", [("red lamp", "lights during", "charging")]),
        (
            "The fee is waived if you leave because the landlord has sold the house.",
            [("fee", "is waived", "if you leave because the landlord has sold the house")],
        ),
        (
            "The river rose over its banks in April, which led to the closure of the road.",
            [("river", "rose over", "its banks"), ("river", "rose in", "April")],
        ),
        (
            "Before you leave:\n- The office is closed on Friday.\n- Return your badge.",
            [("office", "is", "closed on Friday"), ("You", "return", "your badge before you leave")],
        ),
        (
            "You can refuse in three situations:\n- You are ill.\n- You care for a child.",
            [
                ("You", "can refuse in", "three situations"),
                ("three situations", "include", "You are ill"),
                ("three situations", "include", "You care for a child"),
            ],
        ),
        (
            "You can have one cat, provided you register it with the housing office.",
            [("You", "can have", "one cat provided you register it with the housing office")],
        ),
        (
            "It depends on how late you are:\n- **Later than that:** leave out the missed tablet.",
            [("You", "leave out", "missed tablet later than that")],
        ),
        (
            "The valley is a reserve: there, every hut needs a permit.",
            [
                ("valley", "is", "reserve"),
                ("every hut", "needs", "permit there"),
            ],
        ),
    ],
)
def test_a_case_holds_for_the_clauses_it_is_said_of(text: str, expected: list[tuple[str, ...]]) -> None:
    assert triplets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marks from daily use are fair wear and tear.", ("Marks from daily use", "are", "fair wear and tear")),
        ("Her first book, *Salt and Iron*, appeared in 1990.", ("Salt and Iron", "is", "Her first book")),
        ("Go to Settings > Privacy and turn off sharing.", ("You", "go to", "Settings > Privacy")),
        ("Lind and Berg were the two who voted no.", ("Lind and Berg", "were", "two who voted no")),
        ("Open Settings > Privacy and Security.", ("You", "open", "Settings > Privacy and Security")),
        ("Let the dough rise for an hour and a quarter.", ("You", "let the dough rise for", "hour and a quarter")),
        ("He lived in the house of his aunt, Bea.", ("Bea", "is", "his aunt")),
        ("There were 40 lynxes in 2020.", ("There", "were", "40 lynxes in 2020")),
        ("Press and hold the power button.", ("You", "press", "power button")),
        ("The clock still functions but loses time.", ("clock", "still functions", "")),
    ],
)
def test_what_names_one_thing_is_not_split(text: str, expected: tuple[str, ...]) -> None:
    assert expected in triplets(text)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (
            "Can I send back a kettle and a toaster?",
            "- **Kettle:** it must be clean.\n- **Toaster:** it's refunded only if the box is unopened.",
            [("kettle", "must be", "clean"), ("toaster", "'s refunded", "only if the box is unopened")],
        ),
        (
            "How do day passes and season passes differ?",
            "**Day passes:** They cost €9 each.\n\n**Season passes:** They are valid until 30 June.",
            [("day passes", "cost", "€9 each"), ("season passes", "are", "valid until 30 June")],
        ),
        (
            None,
            "**Guests**\nMissing three games may cost you your place.\n\n**Fees**\nIt costs €5 a guest.",
            [("Missing three games", "may cost you", "your place")],
        ),
        (None, "You can cancel the order, and they won't charge you for it.", [("You", "can cancel", "order")]),
    ],
)
def test_a_pronoun_is_what_its_label_names_and_nothing_of_another_section(
    question: str | None, text: str, expected: list[tuple[str, ...]]
) -> None:
    assert triplets(text, question) == expected


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        (
            "Is water damage from a leaking pipe covered by the policy?",
            "Generally yes.",
            [("water damage from a leaking pipe", "is covered by the policy", "generally")],
        ),
        (
            "Is water damage covered by the policy?",
            "Yes, in most cases.",
            [("water damage", "is covered by the policy", "in most cases")],
        ),
        ("Can I take my bike?", "Yes, in most cases.", []),
    ],
)
def test_a_reply_with_a_hedge_says_how_far_it_holds(question: str, reply: str, expected: list[tuple[str, ...]]) -> None:
    found = claims(f"{reply} The fee is €2.", question)[:-1]
    assert [tuple(slot.text for slot in claim.slots) for claim in found] == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("To get a refund, you need the receipt, and you must pay £2.", ("you", "must pay", "£2 to get a refund")),
        ("While you can pay by cheque, cards are faster.", ("cards", "are", "faster")),
        ("For an extra fee you can add a bag, but you can't bring a bicycle.", ("you", "can't bring", "bicycle")),
        (
            "You get a discount if you book online, you can bring a friend, and you can cancel at any time.",
            ("you", "can bring", "friend"),
        ),
        ("She suffers from asthma, which causes coughing.", ("asthma", "causes", "coughing")),
        ("Before the merger:\n- The firm had 12 shops.", ("firm", "had", "12 shops before the merger")),
        ("The board discussed but rejected the offer.", ("board", "discussed", "offer")),
        ("Faded paint and small holes are common.", ("small holes", "are", "common")),
    ],
)
def test_a_case_holds_for_no_other_clause(text: str, said: tuple[str, ...]) -> None:
    assert said in triplets(text)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("She wrote *Emma* and *Persuasion*.", "Emma and Persuasion"),
        ("The alarm sounds if a door opens, it calls the police, and it locks the gates.", "and it locks the gates"),
        ("In Berlin he ran out of money, returning to Vienna.", "Vienna in Berlin"),
        ("The deposit is refunded in the following cases:\n- You are ill.", "cases include"),
        ("You can refuse in three situations:\n- Illness: you need a note.", "situations include"),
        ("On appeal, Northgate claimed the report was false.", "claimed on appeal"),
        ("**Kettle:** it is recommended that you clean the kettle monthly.", "kettle is recommended"),
    ],
)
def test_what_only_looks_like_one_case_or_name_is_not_joined(text: str, unsaid: str) -> None:
    assert unsaid not in " / ".join(" ".join(parts) for parts in triplets(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ada Berg was a botanist. A saddler's daughter, she was taught by the curate.",
            ("Ada Berg", "was taught by", "curate"),
        ),
        (
            "You can keep phones, as long as they're switched off and stay in bags.",
            ("You", "can keep", "phones as long as they're switched off and stay in bags"),
        ),
        ("Phones can be used, but just in the hall.", ("Phones", "can be used", "but just in the hall")),
        (
            "Near the lamps the gap was smaller, and it did not matter.",
            ("gap", "did not matter", "near the lamps"),
        ),
        ("The name is needed and can be no longer than 20 letters.", ("name", "can be", "no longer than 20 letters")),
        (
            "There was no change, however, in morning fasting glucose.",
            ("There", "was", "no change in morning fasting glucose"),
        ),
        ("Tap *Add device* in the app.", ("You", "tap", "Add device in the app")),
        ("Ada Berg stayed in that post for 25 years, until 1990.", ("Ada Berg", "stayed in that post for", "25 years")),
        ("Phones are given to the tutor and picked up again at 3.", ("Phones", "are picked up again at", "3")),
        ("Even Ada Berg voted against the plan.", ("Ada Berg", "voted against", "plan")),
        ("To add a guest, go to **People > Invite**.", ("You", "go to", "People > Invite to add a guest")),
        ("The bridge is due to shut in May.", ("bridge", "is", "due to shut in May")),
        (
            "Take one tablet every morning, half an hour or more before breakfast.",
            ("You", "take", "one tablet every morning half an hour or more before breakfast"),
        ),
        ("Adults pay 8 pounds a visit.", ("Adults", "pay", "8 pounds a visit")),
        ("Give the jam a month to mature.", ("You", "give jam", "month to mature")),
        ("Give Orsa Homes, the agent, the key.", ("You", "give Orsa Homes", "key")),
        ("The Corvo is clearly ahead, with 88%.", ("Corvo", "is", "clearly ahead, with 88%")),
        ("A minibus links Vesk and Orsa.", ("minibus", "links", "Vesk and Orsa")),
        ("Drivers can use Orsa Park & Ride for £3.", ("Drivers", "can use", "Orsa Park & Ride for £3")),
        (
            "Entry costs £30, or £2 less if you belong to a club, and you need to be 17.",
            ("you", "need to be", "17"),
        ),
        ("Tip in the squash.", ("You", "tip in", "squash")),
        ("The ferry takes just under an hour.", ("ferry", "takes", "just under an hour")),
        ("Replies carry a Retry-After header.", ("Replies", "carry", "Retry-After header")),
        ("In winter, the usual cause is a lack of iron.", ("usual cause", "is", "lack of iron in winter")),
        ("You can cancel and get everything back.", ("You", "can cancel", "")),
        ("The Orsa park and ride is closed.", ("Orsa park and ride", "is closed", "")),
        ("Ada Berg designed the mill, finished in 1993.", ("mill", "was finished in", "1993")),
        (
            "You can claim the following:\n- **Dinner:** up to £27 when you stay away.\n- **Trains:** standard class.",
            ("You", "can claim", "Dinner: up to £27 when you stay away."),
        ),
        (
            "- **Your dog:** There's no charge, but add the dog.\n- **Bags:** You can bring two.",
            ("Your dog: There", "'s", "no charge"),
        ),
        (
            "# Terms\n\n## Rolling membership\nYou can cancel at any time.\n\n## Annual membership\nPay in May.",
            ("Rolling membership: You", "can cancel at", "any time"),
        ),
    ],
)
def test_what_limits_or_completes_a_claim_is_in_it(text: str, expected: tuple[str, ...]) -> None:
    assert expected in triplets(text)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("The pipe that failed is not covered.", "pipe failed"),
        ("Check in as the carrier required.", "carrier required"),
        ("They walked for a week, and sat as they usually would for another.", "sat"),
        ("It was sent to a mailbox no one was reading.", "no one was reading"),
        ("Points expire a year after you earned them.", "you earned points"),
        ("Points will expire a year after you earned them.", "you earned points"),
        ("You may use it, as long as it is kept away so your baby doesn't swallow any.", "your baby doesn't swallow"),
        ("Join this month and your fee drops by £45.", "you join"),
        ("Visit the museum and you can see the mummy.", "you can see"),
        ("Ada Berg, who replaced Ben Wills, made it 2-2.", "made ben wills"),
        ("It needs no bags, just a $15 filter.", "no bags is"),
        ("They get shares, leaving them with a third.", "leave"),
        ("The team rolled the release back, which did not help.", "release did not help"),
        ("Buses go via Quay Street, which lengthens trips.", "quay street lengthens"),
        ("It pays the costs of finding a leak, which includes opening walls.", "leak includes"),
        ("His first, a bridge, opened in 1855.", "his first opened"),
        ("Days cost £28 (Friday) and £42 (Saturday).", "£42 is"),
        ("A child now lies hidden under the baskets.", "child now lies"),
        ("They dated 22 of these.", "22 of these"),
        ("Tea is not covered; the exception is when you are entertaining clients.", "not covered the exception"),
        (
            "You can see a cloth from Orsa Abbey that has never been on view.",
            "/ orsa abbey has never",
        ),
    ],
)
def test_what_is_not_stated_by_itself_is_no_claim(text: str, unsaid: str) -> None:
    assert unsaid not in " / ".join(" ".join(parts).lower() for parts in triplets(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The club is based in Oslo and played in the cup final in 2019.", ("club", "played in", "cup final in 2019")),
        ("The book is based on a diary and appeared in 1950.", ("book", "appeared in", "1950")),
        ("He served in the war, which ended in 1945.", ("war", "ended in", "1945")),
        ("In colour the bird is brown, and it eats seeds.", ("bird", "eats", "seeds")),
        ("Sales fell as prices rose.", ("prices", "rose", "")),
        ("The deal closed as both sides agreed.", ("deal", "closed", "")),
        ("The bank that collapsed has cost savers £40.", ("bank", "collapsed", "")),
        ("The villa, whose owner died, is for sale.", ("villa's owner", "died", "")),
        ("Press the button and the lamp turns on.", ("You", "press", "button")),
        ("There is no charge, according to the leaflet.", ("There", "is", "no charge")),
        (
            "# Oslo\n\n## History of Oslo\nThe port was built in 1920.\n\n## Climate of Oslo\nThe winters are mild.",
            ("port", "was built in", "1920"),
        ),
    ],
)
def test_rules_for_one_case_leave_others_alone(text: str, said: tuple[str, ...]) -> None:
    assert said in triplets(text)
