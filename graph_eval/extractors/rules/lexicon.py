"""Closed word lists that the clause rules read."""

from __future__ import annotations

import re

MASCULINE = frozenset({"he", "him", "his", "himself"})
FEMININE = frozenset({"she", "her", "hers", "herself"})
NEUTER = frozenset({"it", "its", "itself"})
PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
PRONOUNS = MASCULINE | FEMININE | NEUTER | PLURAL
DEICTIC = PRONOUNS | {"this", "there", "that", "these", "those", "i", "you", "we"}
# Words that a claim of its own must not have as its subject or object
POINTERS = frozenset(
    """he him she her it they them this that these those who which whom what such one both neither either former latter
    here ones some other others first second third last most few another himself herself each whichever whoever
    whatever""".split()
)
PERSONAL = frozenset({"he", "she", "it", "they", "him", "them"})
RELATIVE = frozenset({"who", "which", "that", "whom", "whose"})

DISCOURSE = frozenset(
    """also however therefore then additionally thus hence so too moreover furthermore instead though meanwhile
    otherwise nevertheless nonetheless consequently accordingly similarly likewise finally unfortunately please indeed
    anyway overall specifically notably e.g. i.e. perhaps when where how why""".split()
)
# Adverbs that limit what their clause says, also from in front of it: "Generally, a landlord cannot ..."
HEDGES = frozenset(
    """generally usually typically normally often sometimes rarely seldom occasionally mostly possibly probably
    reportedly allegedly supposedly apparently""".split()
)
# Words that limit what a clause says
LIMITS = frozenset(
    """if unless until when only except not or before after while although but without no whether once never""".split()
)
# Nouns of circumstances, which are no objects: "the way they work", "the day it is delivered"
CIRCUMSTANCES = frozenset(
    """way ways manner date dates day days week weeks month months hour hours time times moment year years place places
    reason reasons""".split()
)
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

# What these say is an opinion, a wish or a meaning. Only a source of the answer asserts it: "the passage suggests".
OPINION = re.compile(
    r"^(?:believ|think|thought|argu|claim|suggest|fear|expect|mean|ensur|suspect|propos|recommend|demand|insist|assum"
    r"|alleg|predict|request|want|prefer|worr|speculat|theori|estimat|advis|urg|caution|guarante|feel|felt|complain|accus)"
    r"(?:e|s|es|ed|ing|t|y|ies|ied)?$"
)

MEASURE_WORD = re.compile(
    r"^(?:\d.*|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|times?|ways?|distance|twice|once|days?|weeks?|months?"
    r"|years?|decades?|hours?|minutes?|seconds?|century|mornings?|evenings?|nights?|summers?|winters?|miles?|km"
    r"|percent|%|\$|feet|quarters?|(?:kilo)?met(?:er|re)s?|cm|mm|inch(?:es)?|yards?|semesters?)$",
    re.IGNORECASE,
)

# Words that do not occur in a person's name.
NOT_A_PERSON = re.compile(
    r"\b(?:company|corporation|inc|ltd|university|college|school|city|country|state|river|mountain|lake|island|war"
    r"|battle|award|prize|song|album|film|movie|book|novel|series|show|band|team|club|league|party|act|law|court"
    r"|church|museum|bank|street|hospital|airport|park|cup|championship|festival|station|building|treaty|county"
    r"|republic|kingdom|empire|united|association|organization|committee|government|council|institute|games?|open"
    r"|studios?|records?|press|system|language|the|hall|house|bridge|tower|road|square|centre|center|castle|hotel"
    r"|logistics|foods?|labs?|systems?|solutions|technologies|industries|holdings|partners|motors|energy|media"
    r"|stores?|market|health|insurance|travel|services?|networks?|electronics|pharma|capital|brothers|reach|cathedral|railway|library|plan|edition|version|model|pro|plus|app|software|air|airlines?"
    r"|ridge|loop|path|valley|creek|falls|canal|pier|harbou?r|route|avenue"
    r"|cafe|café|restaurant|grill|diner|bistro|pizzeria|bakery|shop|salon|spa|gym|clinic|pub|inn|resort|pizza|kitchen"
    r"|eatery|venue|establishment|chain|brand|product|device|tool|species|plant|town|village|region|district|dish|drug"
    r"|medication|disease|website|magazine|newspaper|ship|car|train|aircraft|programme|program|project|agency|firm"
    r"|startup|platform|garden|gardens|theater|theatre|stadium|zoo|beach|trail|mall)\b",
    re.IGNORECASE,
)
# Nouns of one person, and singular nouns that "they" refers to
PERSON_NOUN = re.compile(
    r"^(?:man|woman|boy|girl|child|person|people|someone|anyone|everyone|anybody|mother|father|wife|husband|son|daughter"
    r"|brother|sister|king|queen|doctor|nurse|teacher|student|pupil|patient|tenant|landlord|employee|employer|manager"
    r"|customer|client|user|owner|member|visitor|guest|passenger|driver|player|actor|actress|singer|writer|author|artist"
    r"|director|president|minister|mayor|judge|lawyer|officer|chairman|chairwoman|captain|coach|founder|architect"
    r"|engineer|scientist|researcher|applicant|candidate|resident|citizen|parent|reader|buyer|seller|colleague"
    r"|supervisor|boss|runner|winner|striker|rider|swimmer|skier|speaker|senator|governor|secretary|professor|chef|pilot|agent|poet|painter|composer|politician|leader|administrator|contractor|worker"
    r"|(?!(?:check|play|short|black|wait)?list|mist|wrist|twist|waist|fist|gist|cist|schist)\w+ist|\w+(?:ician|ographer|maker|smith|wright|keeper|woman|man|fighter|footballer|boxer))s?$"
)
# Nouns in front of a name that say what it is: "the regional airline Cobalt Air"
NAMED_NOUN = re.compile(
    r"^(?:company|airline|operator|firm|group|band|club|magazine|newspaper|film|movie|novel|album|song|brand|ship|charity"
    r"|agency|bank|broadcaster|carrier|maker|manufacturer|retailer|university|startup|provider|website|village|town|city)$"
)
# Singular nouns of groups, which "it" and "they" refer to
GROUP_NOUNS = frozenset(
    """team group committee council board company firm crew band family government jury panel party police staff union
    department agency club school university association""".split()
)
# Verbs that a parser takes for nouns behind "and" in a command: "Add chicken and brown slightly"
VERBLIKE = frozenset(
    """heat brown simmer sear tamp fry boil drain rinse chill whip mash wipe stir knead blend whisk saute blot dab rub
    scrub soak dice garnish bake steep strain""".split()
)
# What a sentence begins with as a command, and taggers take for a noun: "Water twice a week", "Hand in the form"
FIRST_VERBS = frozenset("phone water book email text call store season rest dress park dust oil".split())
PHRASAL_VERBS = frozenset(
    {
        "hand in",
        "hand out",
        "hand over",
        "hand back",
        "carry over",
        "roll over",
        "back up",
        "top up",
        "plug in",
        "log in",
        "sign in",
        "fill in",
    }
)
CONDITIONAL = frozenset(
    {"if", "unless", "provided", "providing"}
)  # in front of a clause, with or without its main clause
MONEY = re.compile(r"[$€£¥]|\b(?:dollars?|euros?|pounds?|pence|cents?|kron(?:er|or|e|a)|francs?|yen)\b", re.IGNORECASE)
MANY_NOUNS = frozenset({"people", "police", "staff", "children", "men", "women"})
NUMBERS = frozenset("one two three four five six seven eight nine ten many few most several".split())
QUANTITIES = frozenset(
    """seconds percent per cent % million millions billion billions tonnes tons km kg metres meters miles hours minutes
    days weeks months years times half third quarter dollars euros pounds $ £ €""".split()
)
# Verbs that need no object: "drive or use machines"
INTRANSITIVE = re.compile(
    r"(?:act|agree|apologi[sz]e|appear|arriv|bleed|breath|compet|condens|consent|cough|decay|differ|disappear|dri(?:nk|v)|drank"
    r"|drip|drove|eat|ate|evaporat|exist|expand|expir|fail|faint|fell|float|gather|leak|listen|look|marri|marry|nibbl"
    r"|react|relax|remain|repl(?:y|i)|resign|respond|retir|rot|rust|sink|smil|smok|sneez|speak|spoke|succeed|sweat|talk"
    r"|think|thought|vary|vari|vomit|vot|leav|left|sle(?:ep|pt)|swim|walk|run|ran|go|went|come|came|stay|wait|work|rest"
    r"|function|park|liv|di|sit|stand|travel|happen|occur|fall|ris|start|stop|end|begin|began)(?:e|es|s|ies|ied|ed|d|ing)?$"
)
# Verbs with and without an object: they share one in "boil or freeze it", but not in "overheat and void the warranty"
LABILE = re.compile(
    r"(?:age|boil|break|broke|burn|crack|dry|dri|freez|froze|melt|overheat|shrink|spread)(?:e|es|s|ies|ied|ed|d|ing)?$"
)
LIGHT_NOUNS = frozenset({"place", "part", "care", "advantage", "effect", "office"})
WANTING = re.compile(r"(?:ask|request|seek|sought|requir|need|demand|want)(?:e?s|e?d|ing)?$")
# Nouns that stand for what a clause says: "..., a measure that had been debated for years"
EVENT_NOUN = re.compile(
    r"(?:measure|task|move|step|decision|feat|change|process|practice|increase|rise|drop|fall|achievement|trend|fact"
    r"|result|event|development|idea|plan|problem|sign|reason|way|position|post|role|record)$"
)
# Nouns that say what an act is for: "the aim is to inform", no duty
PURPOSE_NOUN = re.compile(
    r"(?:aim|goal|purpose|plan|idea|task|job|role|mission|objective|way|step|rule|option|advice|solution|point|intention"
    r"|challenge|trick|thing|approach|alternative|best|key|priority|hope|choice|answer|function|first|next|last)s?$"
)
# Participles behind a comma whose subject is what the whole clause tells: "..., leading to layoffs"
RESULTS = frozenset(
    """leading causing resulting prompting meaning triggering making allowing enabling ensuring indicating suggesting
    demonstrating showing implying highlighting reflecting proving signalling signaling""".split()
)
# What ", which ..." says with these is about the clause before: "..., which makes it lighter"
MAKES = re.compile(
    r"(?:ma(?:kes?|de)|means?|meant|leads?|led|causes?|caused|allows?|allowed|explains?|explained|helps?|helped|ensures?|ensured"
    r"|suggest(?:s|ed)?|indicate[sd]?|shows?|showed|impl(?:y|ies|ied))$"
)
# What ", which is ..." says with these is about the clause before: "..., which is useful when ..."
OF_EVENTS = frozenset(
    """useful helpful unusual unlikely likely important necessary surprising rare possible impossible normal common
    uncommon fine why easier faster good bad better worse""".split()
)
STATE = re.compile(r"(?:remain|stay)(?:s|ed|ing)?$|ke(?:ep|pt)$")  # "remained in use until 1960" is one fact
TOGETHER = frozenset({"together", "altogether", "jointly"})  # "two adults and two children pay €72 altogether"
COLLECTIVE = frozenset(
    """different separate distinct similar same related alike confused enough sufficient interchangeable compatible
    identical""".split()
)
# Verbs that make one thing of their objects: "combine flour and salt"
JOINING = re.compile(r"(?:combin|mix|whisk|blend|merg|unit|mash|sift|link|connect)(?:e|es|s|ed|d|ing)?$")
# These only of more than two: "beat eggs, sugar and milk"
MOVING = re.compile(r"(?:toss|beat|stir)(?:e?s|r?ed|en|r?ing)?$")
CONNECTIVE = re.compile(  # phrases that connect a sentence with the one before
    r"(?:on the (?:other|one) hand|in (?:summary|conclusion|short|general|addition|contrast|other words)"
    r"|in fact|in particular|as a (?:result|consequence)|for (?:example|instance)|by contrast|of course|after all"
    r"|to (?:summari[sz]e|conclude|sum up|begin with|be clear)|at the same time"
    r"|from the (?:documents?|passages?|sources?)(?: [a-z]+ [a-z]+)?)(?: ,)?$"
)
NAME_PARTICLES = frozenset({"de", "van", "von", "da", "bin", "al", "of", "del", "di", "la", "le"})

# The sources of an answer. A clause about them ("the passage states that ...") makes no claim itself.
SOURCE_NOUN = re.compile(
    r"\b(?:passages?|context|text|information|article|sources?|document|paragraph|excerpt|data|search results?"
    r"|question)\b",
    re.IGNORECASE,
)
# The verbs of requests: "Summarise the article."
REQUESTS = frozenset(
    """summarise summarize explain describe list write give rewrite paraphrase translate answer name tell outline
    discuss compare provide generate create compose state identify extract shorten condense simplify please""".split()
)
# What a request asks for, or refers to
REQUESTED_TEXTS = frozenset(
    """summary article text passage paragraph document story context answer response sentence question description
    explanation overview report essay email letter list review transcript conversation dialogue""".split()
)
