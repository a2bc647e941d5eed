"""What the words around a label say of it: whether they take it back, deny it or doubt it.

Only what is said of the claim counts. A passage may well say that a device "does not support 5G", or that a country
"remained neutral".
"""

from __future__ import annotations

import re

S = r"\s{1,3}"
NAMED_CLAIM = (
    rf"(?:(?:the|this|that){S}(?:claim|statement|sentence|hypothesis|assertion|triplet|triple)"
    rf"|(?:the{S})?claim{S}c?\d{{1,4}}|c\d{{1,4}})"
)
CLAIM = rf"(?:{NAMED_CLAIM}|it|this)"
SOURCE = (
    rf"(?:(?:(?:the|this|these|all|both|any){S})?(?:(?:provided|given){S})?"
    rf"(?:passages?|contexts?|texts?|sources?|documents?|evidence|premises?|references?)(?:{S}p?\d{{1,4}})?|p\d{{1,4}})"
)
NUMBER_WORDS = r"\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|half|some|most|many|several|few|part|parts"
_UNLESS_CONTRADICTS = r"(?!(?:\W{1,3}\w+){0,6}\W{1,3}contradict)"

# A sentence that takes back what stands before it.
RETRACTION = re.compile(
    r"\W*(?:(?:no|not|false|wrong|incorrect|wait|never|none)\b(?:\W{0,9}\w{1,30}\b){0,2}\W{0,9}"
    r"|(?:that|this|it|which)\s(?:is|was|would be|seems)\s(?:wrong|incorrect|false"
    r"|not(?=\W*\Z|\s(?:right|correct|true|so)\b))\b.*"
    r"|(?:hm+|hold on|edit|correction|actually|wait|but|however|on second thought|on reflection|sorry|oops|apologies"
    r"|or|scratch|strike|looking again|on closer|my mistake|i (?:take|mis\w+|meant|mean|was wrong|apologi[sz]e|retract"
    r"|am not|am un\w+|doubt|correct))\b.*)",
    re.IGNORECASE | re.DOTALL,
)
DENIED_START = re.compile(rf"\W*(?:no|not|never)\b{_UNLESS_CONTRADICTS}", re.IGNORECASE)

# Right behind "Entailment" nobody writes these who means it, except that nothing contradicts the claim.
NEGATION = re.compile(
    rf"(?:n['’]t|\b(?:not|no|never|neither|none|nothing|cannot|nowhere|without))\b{_UNLESS_CONTRADICTS}", re.IGNORECASE
)
DOUBT = re.compile(
    r"\b(?:false|wrong|incorrect|inaccurate|otherwise|while|whereas|however|but|except|apart from|save for|instead"
    r"|rather|unless|opposite|contrary|fail(?:s|ed)?|lack(?:s|ed|ing)?|missing|absent|unsure|uncertain|unclear"
    r"|differ(?:s|ed|ent|ently|ence)?|hardly|barely|scarcely|far from|doubt\w*|depend(?:s|ing)?|assuming|provided that"
    r"|supposing|insufficient|zero|weak\w*|partial\w*|partly|half|disprove[ds]?|debunk\w*|overstate[ds]?|mismatch\w*"
    r"|ruled? out|rules out|den(?:y|ies|ied)|reject(?:s|ed)?|unsupported|unverifi\w*|unknown|refute[ds]?|neutral"
    r"|not only|only (?:the|one|part|some)|loosely|at best|just the)\b|≠|!=|¬|✗|✘|✕|❌|\d\s?(?:/|out of|of)\s?\d",
    re.IGNORECASE,
)
# "two of three", "some of it", "half of the claim"
COUNTED = re.compile(
    rf"\b(?:{NUMBER_WORDS})\s(?:out\s)?of\s(?:(?:the|its)\s)?"
    rf"(?:{NUMBER_WORDS}|it\b|claim|statement|sentence|facts?\b|details?\b|points?\b)",
    re.IGNORECASE,
)
CONTRADICTS = re.compile(r"\bcontradict\w*", re.IGNORECASE)
# In front of a word: what turns it into its opposite.
NOBODY = re.compile(
    r"(?:n['’]t|\b(?:not|no|never|neither|nor|none|nothing|without))\b(?:\W{1,3}\w+){0,8}\W{1,3}\Z", re.IGNORECASE
)

_TELL = (
    r"(?:mention|stat(?!ion)|sa(?:y|id)\b|specif|giv|provid|support|entail|confirm|contain|cover|address|indicat|verif"
    r"|infer|discuss|found|follow|includ|tell|clear|justif|correct|true|accurate|enough|sufficient|possible|in\sthe\s)"
)
_AGAINST = r"(?:contradict|refut|disprov|conflict|misstat|overstat|exaggerat|misrepresent|disagree|goes?\sbeyond)"
_PASSAGES = r"(?:passages?|contexts?|texts?|sources?|documents?|evidence|information|p\d{1,4})"
_DETAIL = r"(?:year|date|name|number|place|time|amount|figure|person|role|unit)"
# Reasons speak of statements and hypotheses of a passage too.
_NOT = r"(?:\s?not|n['’]t|(?<=can)['’]t)"
_THE_CLAIM = r"(?:(?:the|this|that)\s(?:claim|triplet|triple)|(?:claim\s)?c\d{1,4})"
_SAID_OF = rf"(?:{_THE_CLAIM}|it|this)"
# Sentences that say of the claim that it is not supported.
DENIALS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_THE_CLAIM}\s(?:is|was|has|can|could|does|do|would){_NOT}\b(?!\s(?:\w+\s){{0,2}}contradict)",
        rf"\b{CLAIM}\s(?:is|was|has|can|could|does|do){_NOT}\s(?:\w+\s){{0,2}}?{_TELL}",
        (
            rf"\b{_SAID_OF}\s(?:is|was)\s(?:\w{{1,20}}\s)?(?:partially|partly|half|false|wrong|incorrect|inaccurate|untrue|inconsistent"
            r"|unsupported|unverifi\w+|contradicted|refuted|disproved)\b"
        ),
        r"\b(?:half|some|most|one|two|(?:only|just)\s(?:\w+\s)?parts?)\sof\s(?:the|this)\s(?:claim|statement)\b",
        rf"\bparts?\sof\s(?:the|this)\s(?:claim|statement)\s(?:is|are){_NOT}",
        r"(?:^|[.;:]\s)\W{0,3}(?:parts?\sof\s(?:the|this)\s(?:claim|statement)|only\spart(?:ial)?ly)\b",
        rf"\b{_SAID_OF}\slacks?\s",
        rf"\b{_PASSAGES}\s(?:make|give|contain|provide|offer|ha[sv])e?s?\s(?:no|little)\s(?!(?:\w+\s)?contradict)",
        r"\b(?:is|are|was|were)\snot\s(?:given|mentioned|stated|specified|provided|indicated)\W*(?:\Z|[.;]\s)",
        r",\s(?:and\s)?not\s\d",
        rf"\b{_SAID_OF}\s(?:\w{{1,20}}\s)?{_AGAINST}",
        rf"\b(?:no|none\sof\sthe|neither|neither\sof\sthe)\s(?!contradict)(?:\w{{1,20}}\s)?{_PASSAGES}\b(?!\s(?:\w+\s)?contradict)",
        r"\bthere\s(?:is|was)\s(?:no|insufficient|little)\s(?!contradict)(?:\w{1,20}\s)?(?:mention|evidence|information|support|proof)\b",
        rf"\b{_PASSAGES}\s(?:does|do|did)(?:\s?not|n['’]t)\s(?:\w+\s)?{_TELL}(?!\w*\s(?:\w+\s)?contradict)",
        rf"\b{_PASSAGES}\s(?:is|are)\ssilent\b|\bsays?\sotherwise\b|\bthe\sopposite\sof\s(?:the|this)\sclaim\b",
        rf"(?:^|[.;:]\s)\W{{0,3}}not\s(?:\w+\s)?{_TELL}",
        rf"\b{_PASSAGES}\s(?:never|nowhere)\s(?:\w+\s)?{_TELL}",
        (
            rf"\b(?:is|was|are|were)(?:\s?not|n['’]t)\s(?:\w+\s)?{_TELL}\w*\s(?:\w+\s)?(?:in|by)\s"
            rf"(?:(?:the|these|any|either)\s)?(?:\w+\s)?{_PASSAGES}\b"
        ),
        rf"\bnothing\s(?:in|of)\s(?:(?:the|these)\s)?(?:\w+\s)?{_PASSAGES}\s(?!(?:\w+\s)?contradict)",
        rf"\b(?:does|do|did)(?:\s?not|n['’]t)\s(?:match|agree|align|fit|correspond)\b[^.]{{0,30}}\b(?:{_THE_CLAIM}|it)\b",
        r"\bI\s(?:cannot|can['’]t|could\snot|couldn['’]t|am\sunable\sto)\s(?:verify|confirm|find|determine)",
        rf"\bthe\s{_DETAIL}\s(?:is|was)\s(?:wrong|incorrect|false|different|off)\b|\b(?:wrong|different)\s{_DETAIL}\b",
        rf"\bgives?\s(?:another|other)\s{_DETAIL}",
        (
            r"\b(?:whereas|while|but)\s(?:the\s)?claim\s(?:says|states|gives|has|mentions|puts)\b"
            r"(?!\s(?:so|exactly|the\ssame|just)\b)"
        ),
        r"\b(?:should|must|would|has\sto)\sbe\s(?:an?\s)?(?:neutral|contradiction)\b",
        rf"\bdiffer(?:s|ent)?\sfrom\s(?:what\s)?{_THE_CLAIM}",
    )
)
AGAINST = re.compile(rf"\b{_AGAINST}\w*\s(?:with\s|from\s)?(?:what\s)?{_SAID_OF}\b", re.IGNORECASE)
# What outweighs a denial before it: "p1 does not mention it, but p2 does."
OUTWEIGHS = re.compile(
    rf"\b(?:but|however|yet|still|nevertheless|,)\s[^.]{{0,80}}?\b(?:p\d{{1,4}}\s(?:does|states|says|supports)|follows"
    rf"|impl(?:y|ies|ied)|infer(?:red|s)?|deduced|supports?\s{CLAIM}|entails?\s{CLAIM}|is\s(?:stated|supported|entailed))\b",
    re.IGNORECASE,
)
# The numbers of a claim that a reason compares: "the claim says 1930, the passage 1931"
COMPARED = re.compile(r"\bclaim\s(?:says|states|gives|has|puts|mentions)\b(?P<said>[^.;,\n]{1,100})", re.IGNORECASE)
# "there is no evidence of that, as the claim says": a denial that the claim makes too
AS_CLAIMED = re.compile(r"\b(?:as|which\sis\swhat|just\sas)\s(?:the\s)?claim\s(?:says|states)\b", re.IGNORECASE)
# Numbers that are worked out, or written in words, cannot be compared.
WORKED_OUT = re.compile(
    r"\b(?:follows|calculat\w+|comput\w+|difference|subtract\w*|minus|sum|total|thousand|million|billion|percent)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
QUOTED = re.compile(r"[\"“][^\"”\n]{1,400}[\"”]|(?<!\S)['‘][^\n'’]{2,400}['’](?=[\s.,;:)]|\Z)")


def denies(text: str) -> bool:
    """Whether a reason of "Entailment" says that the claim is not supported. What it quotes does not count."""
    text = QUOTED.sub("…", text)
    if AS_CLAIMED.search(text):
        return False
    last = max((match.end() for pattern in DENIALS for match in pattern.finditer(text)), default=0)
    last = max([last, *(match.end() for match in AGAINST.finditer(text) if not _is_negated(text, match.start()))])
    if last and not any(not _is_negated(text[last:], match.start() - last) for match in OUTWEIGHS.finditer(text, last)):
        return True
    return not WORKED_OUT.search(text) and any(_differs(text, match) for match in COMPARED.finditer(text))


def _is_negated(text: str, place: int) -> bool:
    return NOBODY.search(text, max(0, place - 100), place) is not None


def _differs(text: str, compared: re.Match[str]) -> bool:
    """Whether the numbers of the claim stand nowhere else in a reason that has others."""
    said, others = (
        {number.replace(",", "") for number in NUMBER.findall(part)}
        for part in (compared["said"], text[: compared.start()] + " " + text[compared.end() :])
    )
    return bool(said and others) and not said <= others


def doubts(text: str) -> bool:
    """Whether the words right behind "Entailment" deny or weaken it."""
    if NEGATION.search(text) or DOUBT.search(text) or COUNTED.search(text) or denies(text):
        return True
    return any(not _is_negated(text, match.start()) for match in CONTRADICTS.finditer(text))
