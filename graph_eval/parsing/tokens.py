"""English words: spaCy's tokenizer, moved closer to the words of the English Web Treebank, which the parser learnt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph_eval.errors import MissingPartError

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer
    from spacy.tokens import Doc

WHOLE = re.compile(
    r"""(?:
      (?:e|co|non|pre|re|ex|anti|semi|multi|mid|post|pro|sub|ultra|un)-\w+(?:'s)?  # a prefix is no word
    | (?:\d{3}-)?\d{3}-\d{4}  # telephone numbers
    | [a-zµ]{1,3}/[a-z]{1,3}(?:\^?\d|[²³])?  # km/h, m/s^2
    | [!?]{2,} | \*{2,} | <<|>> | \d{2,4}'s
    | [a-z]\.  # "c. 1900", but not the end of "£5m."
    )""",
    re.IGNORECASE | re.VERBOSE,
)
SUFFIXES = (r"[!?]{2,}", r"(?<=\d)(?:k|PM|AM|pm|am|MB|GB|kWh)", r"(?<=\))[:;]", r"(?<=\d[A-Z])\.", r"(?<=Ω)\.")
INFIXES = (r"(?<=\w)[;!?\[{(](?=\w)", r"(?<=\d{4})[-–](?=\d{4})", r"(?<=[a-z])-{3,}(?=[a-z])")
SPLIT = {"and/or": ("and", "/", "or"), "wanna": ("wan", "na"), "Wanna": ("Wan", "na")}
ONE_LETTER = re.compile(r"[a-z]\.")  # spaCy joins these even where the letter is part of a longer word: "£5m."
PLAIN = ("Wed", "wed", "Wed.", "id", "Id")  # spaCy reads them as "we'd" and "I'd"


def without_stop(doc: Doc) -> Doc:
    """The document with the full stop behind a letter as a word of its own: "a cable of 4 m.", "Use Exit C."."""
    if doc and re.fullmatch(r"[A-Za-z]\.", doc[-1].text):
        last = doc[-1]
        with doc.retokenize() as retokenizer:
            retokenizer.split(last, [last.text[0], "."], heads=[(last, 0), (last, 0)])
    return doc


def tokenizer() -> Tokenizer:
    """Raises MissingPartError if spaCy is not installed."""
    try:
        from spacy.attrs import ORTH
        from spacy.lang.en import English
        from spacy.tokenizer import Tokenizer
        from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex
        from spacy.vocab import create_vocab
    except ImportError as problem:
        raise MissingPartError("spacy is not installed", "pip install spacy") from problem
    own: Any = English.Defaults
    rules = {word: parts for word, parts in own.tokenizer_exceptions.items() if not ONE_LETTER.fullmatch(word)}
    rules |= {word: [{ORTH: part} for part in parts] for word, parts in SPLIT.items()}
    rules |= {word: [{ORTH: word}] for word in PLAIN}
    return Tokenizer(
        create_vocab("en", own),
        rules=rules,
        prefix_search=compile_prefix_regex(own.prefixes).search,
        suffix_search=compile_suffix_regex([*SUFFIXES, *own.suffixes]).search,
        infix_finditer=compile_infix_regex([*INFIXES, *own.infixes]).finditer,
        token_match=WHOLE.fullmatch,
        url_match=own.url_match,
    )
