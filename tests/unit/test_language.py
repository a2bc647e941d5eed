"""Texts in other languages than English are recognised, and the builtin parts say once that they cannot read them."""

import warnings

import pytest

from graph_eval import GraphEval
from graph_eval.errors import GraphEvalWarning
from graph_eval.text.language import is_english

GERMAN = (
    "Die Bibliothek ist von Montag bis Freitag geöffnet und verleiht Bücher für vier Wochen an alle, die einen "
    "gültigen Ausweis haben. Wer ein Buch zu spät zurückgibt, muss eine Gebühr zahlen, die im Haus ausgehängt ist."
)
OTHERS = [
    GERMAN,
    (
        "La bibliothèque est ouverte du lundi au vendredi et prête des livres pendant quatre semaines à tous ceux qui "
        "possèdent une carte valide. Les retards entraînent des frais qui sont affichés à l'entrée du bâtiment."
    ),
    (
        "La biblioteca abre de lunes a viernes y presta libros durante cuatro semanas a todas las personas que tengan "
        "un carné válido. Los retrasos tienen una multa que se anuncia en la entrada del edificio."
    ),
    (
        "De bibliotheek is van maandag tot en met vrijdag open en leent boeken voor vier weken uit aan iedereen die "
        "een geldige pas heeft. Wie een boek te laat terugbrengt, betaalt een boete of verliest de pas."
    ),
    "Die Hauptstadt von Frankreich ist Paris und sie liegt an der Seine.",
    "París es la capital de Francia y está situada a orillas del río Sena.",
    "La capitale d'Italia è Roma e non si trova sul mare, ma le spiagge sono vicine.",
    "Hovedstaden i Frankrig er Paris, som ligger ved floden Seine og har mere end to millioner indbyggere.",
    "Paris Fransa'nın başkentidir ve Seine nehri kıyısında yer alır. Müzeleri ile ünlüdür, bu şehir çok büyük.",
    "Ibu kota Prancis adalah Paris, yang terletak di tepi sungai dan dikenal dengan museum.",
    "Curie wurde in Warschau geboren.",
    "Curie nació en Varsovia.",
    "Curie est née à Varsovie.",
    "巴黎是法国的首都。",
    "Париж — столица Франции.",
    "Библиотека открыта с понедельника по пятницу и выдаёт книги на четыре недели всем, у кого есть билет.",
    "図書館は月曜日から金曜日まで開いており、有効なカードを持つ人は誰でも四週間本を借りることができます。",
    "المكتبة مفتوحة من الاثنين إلى الجمعة وتعير الكتب لمدة أربعة أسابيع لكل من لديه بطاقة صالحة",
]
ENGLISH = [
    "",
    "La Traviata",
    "Charles de Gaulle led France.",
    "Smith et al. measured 5 mm.",
    "I've visited Paris.",
    "Open till 9.",
    "The library lends books for four weeks to everybody who has a valid card. A fee is due for late returns.",
    "Apples 3 kg, pears 2 kg, Milk 1 l, bread, butter, cheese, eggs, salt, sugar, flour",
    "Born in Köln in 1931, Heinrich Weiß studied at the Universität zu Köln and became professor there in 1970.",
    "Take one tablet in the morning with water. Do not chew it. Ask your doctor before you take more than two a day.",
    " ".join(f"The tower number {n} was opened in {1900 + n}." for n in range(30)),
    "def area(r): return 3.14 * r * r",
    "def add(a, b):\n    total = a + b\n    return total\n\nclass Sum:\n    def total(self):\n        return add(1, 2)",
    "- " + "\n- ".join(["milk", "eggs", "flour", "sugar", "salt", "apples", "onions", "rice", "beans", "tea"] * 3),
    '{"name": "cafe", "hours": {"monday": "closed"}, "wifi": "free", "parking": {"garage": false, "lot": true}}' * 3,
    (
        "Preheat oven, mix flour sugar eggs butter vanilla, bake twenty minutes, cool, slice, serve warm, drizzle "
        "honey, garnish mint leaves, dust powdered sugar, enjoy immediately, store leftovers airtight container."
    ),
    (
        "Ingredients: water, corn syrup, citric acid, natural flavors, sodium benzoate, potassium sorbate, caffeine, "
        "gum arabic, ester gum, vegetable oil, salt, yeast, wheat flour, barley malt, cocoa butter, soy lecithin"
    ),
    "They sang La vie en rose, Je ne regrette rien and Non, je ne regrette rien at the club in Paris that night.",
    "The α and β chains bind at pH 7; the ratio ∑ λ is 5.",
]


@pytest.mark.parametrize("text", OTHERS)
def test_other_languages_are_recognised(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_recognised(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(("response", "context"), [(GERMAN, GERMAN), ("Sie ist offen.", GERMAN), (GERMAN, [])])
def test_a_builtin_part_says_that_it_reads_only_english(response: str, context: object) -> None:
    with pytest.warns(GraphEvalWarning, match="another language than English"):
        GraphEval(extractor="sentences").check(response, context=context)


def test_parts_for_any_language_say_nothing() -> None:
    class Yes:
        def check(self, tasks):
            return [[] for _ in tasks]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GraphEval(extractor=lambda _: [], checker=Yes()).check(GERMAN, context=GERMAN)
