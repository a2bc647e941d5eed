"""Whether a sentence states something about the world, unlike greetings, refusals, questions and remarks on the answer.

A sentence that states nothing gets no claim. So a refusal is labelled Abstain. It is neither flagged nor supported.
"""

from __future__ import annotations

import re

_SOURCES = r"(?:context|passages?|text|article|documents?|information|sources?|excerpts?|paragraph|reference|data)"
_LACK = (
    r"(?:mention|provide|contain|specify|say|state|include|give|answer|discuss|indicate|describe|explain|list"
    r"|address|have|offer)"
)
INTERJECTION = re.compile(
    r"(?:sure|okay|ok|certainly|of course|absolutely|hello|hi|hey|thanks|thank you|great(?: question)?|please"
    r"|no problem|you're welcome|yes|no|sorry)[\s!.,…]*",
    re.IGNORECASE,
)
ABOUT_THE_ANSWER = re.compile(
    rf"""\s*(?:unfortunately,?\s+|however,?\s+|but\s+)?(?:
      i\ hope\ (?:this|that|it)\b
    | (?:please\ )?let\ me\ know\b | (?:please\ )?feel\ free\b | is\ there\ anything\b
    | if\ you\ (?:have|need|would\ like|want)\ (?:any|more|further|additional|to\ know)\b
    | i(?:'m|\ am)\ (?:so\ |very\ )?sorry\b | sorry,\ (?:but\ )?i\b | i\ apologi[sz]e\b | as\ an\ ai\b
    | i(?:'m|\ am)\ (?:not\ (?:able|sure)|unable|an\ ai|just\ an?\ ai)\b
    | i\ (?:do\ not|don't|cannot|can't|can\ not|could\ not|couldn't|was\ not\ able\ to|am\ not\ able\ to)[ ]
      (?:have|find|answer|provide|help|access|determine|assist|know|see|tell|give|confirm|offer)\b
    | (?:please\ )(?:note\ that\ i|provide|consult|refer)\b
    | (?:based\ on\ the\ [\w\ ]{{1,40}},\s+)?(?:the|this|these|your)\ (?:provided\ |given\ |above\ )?{_SOURCES}
      (?:\ (?:provided|given|above|you\ provided))?\ (?:does|do|did)(?:\ not|n't)[ ]
      (?:explicitly\ |specifically\ |directly\ |clearly\ )?{_LACK}\b
    | (?:it|this|that)\ (?:is|was)\ not\ (?:\w+ly\ )?(?:specified|mentioned|stated|given|provided|clear|discussed)\b
    | (?:the\ |some\ |other\ |these\ )?(?:passages?|documents?|sources?)(?:\ [\d,\ and-]+)?\ (?:\w+ly\ )?
      (?:provides?|contains?|discuss(?:es)?|focus(?:es)?\ on|describes?|gives?)[ ]
      (?:\w+\ ){0, 3}(?:information|details|instructions|guidance|context)\b
    | (?:based\ on\ the\ [\w\ ]{{1,40}},\s+)?(?:here|there)\ are\ (?:a\ few|some|several|the)[ ]
      (?:key\ |main\ |important\ )?(?:points|things|takeaways|details)\b
    | there\ (?:is|was)\ no\ (?:information|mention|answer|evidence)\ .{{0,60}}\b(?:{_SOURCES})\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def states_something(sentence: str) -> bool:
    """False for a sentence that no context could support or refute."""
    stripped = sentence.strip().strip("*_\"'`”’ ")
    if stripped.endswith("?"):
        return False
    return not (INTERJECTION.fullmatch(stripped) or ABOUT_THE_ANSWER.match(stripped))
