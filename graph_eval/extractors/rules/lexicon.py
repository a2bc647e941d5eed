"""Closed word lists that the clause rules read."""

from __future__ import annotations

import re

MASCULINE = frozenset({"he", "him", "his", "himself"})
FEMININE = frozenset({"she", "her", "hers", "herself"})
NEUTER = frozenset({"it", "its", "itself"})
PLURAL = frozenset({"they", "them", "their", "theirs"})
PRONOUNS = MASCULINE | FEMININE | NEUTER | PLURAL
DEICTIC = PRONOUNS | {"this", "there", "that", "these", "those", "i", "you", "we"}
RELATIVE = frozenset({"who", "which", "that", "whom", "whose"})

GENERIC_HEADS = frozenset(
    """those someone somebody anyone anybody everyone people one something anything everything person individual
    individuals persons ones all""".split()
)

# The sentence does not assert a complement of one of these.
NOT_ASSERTING = re.compile(
    r"^(?:unlikely|unclear|false|doubt\w*|den(?:y|ies|ied)|incorrect|untrue|myth|misconception|impossible|wrong"
    r"|disput\w*|reject\w*|question\w*|unknown|uncertain|fail\w*|refus\w*|mistaken\w*|deb(?:ate|ated)|sure|whether"
    r"|if|wonder\w*|ask\w*|hypothetical\w*|suppos\w*|imagine\w*|hope\w*)$",
    re.IGNORECASE,
)

TIME_WORD = re.compile(
    r"^(?:\d.*|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|times?|twice|once|days?|weeks?|months?"
    r"|years?|decades?|hours?|minutes?|seconds?|century|mornings?|evenings?|nights?|summers?|winters?|miles?|km"
    r"|percent|%|\$|feet|meters?)$",
    re.IGNORECASE,
)

# Words that do not occur in a person's name.
NOT_A_PERSON = re.compile(
    r"\b(?:company|corporation|inc|ltd|university|college|school|city|country|state|river|mountain|lake|island|war"
    r"|battle|award|prize|song|album|film|movie|book|novel|series|show|band|team|club|league|party|act|law|court"
    r"|church|museum|bank|street|hospital|airport|park|cup|championship|festival|station|building|treaty|county"
    r"|republic|kingdom|empire|united|association|organization|committee|government|council|institute|games?|open"
    r"|studios?|records?|press|system|language|the)\b",
    re.IGNORECASE,
)
NAME_PARTICLES = frozenset({"de", "van", "von", "da", "bin", "al", "of", "del", "di", "la", "le"})

# The sources of an answer. A clause about them ("the passage states that ...") makes no claim itself.
SOURCE_NOUN = re.compile(
    r"\b(?:passages?|context|text|information|article|sources?|document|paragraph|excerpt|data|search results?"
    r"|question)\b",
    re.IGNORECASE,
)
_SOURCE = (
    r"(?:information|context|passages?|text|article|paragraph|content|data|details|sources?|search\ results"
    r"|documents?|excerpts?)"
)
PREAMBLE = re.compile(
    rf"""\s*
    (?:(?:sure|yes|no|okay|certainly|of\ course|great\ question|hello|hi)\s*[!,.:]\s*)?
    (?:(?:based\ (?:solely\ |only\ )?(?:on|upon)|according\ to|from|in|as\ (?:stated|mentioned|described|noted)\ in
       |per|given)\s+
       (?:(?:the|this|these|your)\s+{_SOURCE}
          (?:\ (?:provided|given|above|you\ provided|(?:in|from)\ the\ (?:passages?|context|text)))*
         |(?:the\s+)?(?:provided|given|above|following)\s+{_SOURCE})\s*,\s*)?
    (?:according\ to\ (?:passages?|documents?|articles?|sections?|sources?)\ \d+(?:\ and\ \d+)?\s*,\s*)?
    (?:(?:however|therefore|additionally|furthermore|moreover|in\ addition|overall|thus|hence|also|meanwhile
       |nevertheless|nonetheless|(?:so\ )?in\ summary|(?:so\ )?overall|specifically
       |in\ conclusion|in\ fact|for\ example|for\ instance|finally
       |alternatively|similarly|likewise|as\ a\ result|consequently|instead|unfortunately|interestingly|notably
       |and|but|so)\s*,\s+)?
    (?:(?:the\ )?(?:passages?|context|text|article|document|information|source)(?:\ \d+)?[ ]
       (?:(?:also|explicitly|specifically|clearly|further)\ )*
       (?:states?|confirms?|mentions?|suggests?|notes?|indicates?|says?|explains?|shows?|implies|imply)\ that\s+)?
    (?:passages?\ [\d,\ and-]+\ (?:(?:also|both|all|explicitly|specifically|clearly|further)\ )*
       (?:states?|confirms?|suggests?|notes?|indicates?|says?|explains?|shows?)(?:\ that)?:?\s+["“]?)?
    (?:it(?:'s|\ is)\ (?:also\ )?(?:important|worth|essential|crucial|possible|interesting)[ ]
       (?:to\ (?:note|remember|mention)|noting|mentioning|remembering)\ that\s+)?""",
    re.IGNORECASE | re.VERBOSE,
)
