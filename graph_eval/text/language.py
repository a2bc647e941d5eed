"""Recognises text that is not English: by its script, by the function words of other languages, and by accents in a
text that has hardly any of the words that English sentences cannot do without.

Lists, tables and code have few function words of any language, and are taken for English.
"""

from __future__ import annotations

import re

# Common function words of English that are no common words of other languages in Latin script ("in", "was", "die").
ENGLISH = frozenset(
    "the of and to that for it with as are by be this from at or have has had not you your which but their they were "
    "been would can could should there when who will each its than other into only also after before about how if then "
    "these those such more most over between through both during while where because our we he she his her him them "
    "any all some one out up what is was".split()
)
# Common function words of other languages that are no words of English.
OTHER = frozenset(
    "der das und ist nicht ein eine einen dem mit von zu auf für im sich auch wird sie sind wurde durch werden "
    "le la les des est une et dans que qui sur pas avec au du ne ce il elle sont aux "
    "el los las del y en con por una es se su lo como más fue entre "
    "di che è non della dei nel sono gli alla delle anche "
    "os uma não com em da um ao foi mais são pelo "
    "het een de zijn niet voor op te dat zich wordt naar bij "
    "och att det som är för på av inte till har og er ved ikke af til blev "
    "nie się jest na że od przez nebo jsou který "
    "ve bir bu için ile olarak daha çok "
    "yang dan ini itu untuk dengan adalah dari pada wa kwa katika ni "
    "și este în cu din pentru care "
    "ja ei että oli se hän ovat és az egy hogy nem "
    "ang ng mga là của và có không".split()
)
# Of these, one is enough in a short text without any function word of English: they are no part of names, of terms
# that English has borrowed ("et al.", "au pair", "per se") and of clipped English ("I've", "till 9").
TELLING = frozenset(
    "das und ist nicht ein eine einen wird wurde geboren sich auch für sind werden durch "
    "est une dans avec elle sont "
    "una fue es está tiene nació más como entre "
    "è che sono nato nata alla delle anche "
    "não uma foi são pelo "
    "het een zijn werd niet voor wordt naar bij "
    "och att det är på inte har og ikke blev "
    "nie się jest że przez nebo jsou který "
    "bir için ile olarak "
    "yang ini itu untuk dengan adalah katika "
    "este în pentru hogy egy ang mga là của và không".split()
)
WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
ACCENT = re.compile(r"[\u00c0-\u024f\u1e00-\u1eff]")
SAMPLE = 2000  # characters that are looked at
LEAST_LETTERS = 4  # of another script; fewer are a name or a symbol
LEAST_OTHER, LEAST_OTHER_SHARE = 3, 0.2  # function words of other languages: different ones, and of the lower case
LEAST_WORDS = 20  # in lower case, from which it counts that function words of English are rare; below: that none is
LEAST_ENGLISH_SHARE, LEAST_ACCENTS = 0.08, 0.05  # of the words in lower case


def is_english(text: str) -> bool:
    """Whether a text is English, as far as can be told: True for a text that tells nothing.

    Names and headings do not count: only words in lower case, and letters of other scripts.
    """
    sample = text[:SAMPLE]
    words: list[str] = WORD.findall(sample)
    letters = "".join(words)
    foreign = len(letters) - len(LATIN.findall(letters))
    if foreign >= LEAST_LETTERS and foreign > len(letters) / 2:
        return False
    lower = [word for word in words if word == word.lower()]
    english = sum(word in ENGLISH for word in lower)
    found = [word for word in lower if word in OTHER]
    other = len(found)
    if len(set(found)) >= LEAST_OTHER and other >= LEAST_OTHER_SHARE * len(lower) and other > english:
        return False
    if len(lower) < LEAST_WORDS and not english and not TELLING.isdisjoint(lower):
        return False
    accents = sum(ACCENT.search(word) is not None for word in lower)
    if len(lower) < LEAST_WORDS or accents < LEAST_ACCENTS * len(lower):
        return True
    return english >= LEAST_ENGLISH_SHARE * len(lower)
