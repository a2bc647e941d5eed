"""Recognises text that is not English: it has hardly any of the words that English sentences cannot do without."""

from __future__ import annotations

import re

# Common function words that are no common words of other languages in Latin script ("in", "was", "is", "die", "so").
FUNCTION_WORDS = frozenset(
    "the of and to that for it with as are by be this from at or have has had not you your which but their they were "
    "been would can could should there when who will each its than other into only also after before about how if then "
    "these those such more most over between through both during while where because our we he she his her him them "
    "any all some one out up what".split()
)
WORD = re.compile(r"[^\W\d_]+")
LEAST_WORDS = 20  # fewer say too little
LEAST_SHARE = 0.08  # of function words among the words in lower case
SAMPLE = 2000  # characters that are looked at
OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")  # letters that are not Latin
LEAST_LETTERS = 20  # of another script, in a text without blanks


def is_english(text: str) -> bool:
    """Whether a text is English, as far as can be told: True for a text that is too short.

    Names, abbreviations and headings do not count: beside function words only words in lower case, or in a script
    without cases.
    """
    sample = text[:SAMPLE]
    letters = len(OTHER_SCRIPT.findall(sample))
    if letters >= LEAST_LETTERS and letters > len(sample) / 2:
        return False
    found: list[str] = WORD.findall(sample)
    function_words = sum(word.lower() in FUNCTION_WORDS for word in found)
    others = sum(word == word.lower() and word not in FUNCTION_WORDS for word in found)
    total = function_words + others
    return total < LEAST_WORDS or function_words >= LEAST_SHARE * total
