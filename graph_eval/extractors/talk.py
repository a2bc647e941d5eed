"""Patterns of talk in English answers, for `statement`: what states nothing, and words around what is stated.

The patterns are written in the verbose syntax of `re`: white space and comments do not count, and a blank is written
"\\ ". The comments in quotation marks are examples of what the line matches.

`TALK` tells only whether a clause is talk, so the order of its parts does not matter. `OPENING` is cut off, and the
first of its parts that fits decides how much is cut: there, the order matters.
"""

from __future__ import annotations

import re


def phrases(listed: str) -> str:
    """A pattern for one of the phrases, which are listed with commas. A phrase may be a pattern without a comma."""
    return "(?:" + "|".join(r"\ ".join(phrase.split()) for phrase in listed.split(",")) + ")"


def perhaps(listed: str) -> str:
    """One of the phrases and a blank, or nothing."""
    return rf"(?:{phrases(listed)}\ )?"


def either(*patterns: str) -> str:
    """A pattern for one of the patterns. Each may end with a comment."""
    return "(?:" + "\n|".join(patterns) + "\n)"


# ---- Sources and what they do ----------------------------------------------------------------------------------------

SOURCE = phrases(
    """contexts?, passages?, texts?, articles?, documents?, information, sources?, excerpts?, paragraphs?, references?,
    data, search results?, leaflets?, guides?, brochures?, manuals?, reports?, minutes, records?, transcripts?, files?,
    attachments?, snippets?, materials?, content, pages?, notes, chapters?, clippings?, papers, lines, clips?,
    index, footnotes?"""
)
DETERMINER = phrases(
    """the, this, these, those, your, any of the, all of the, none of the, neither of the, no, some, several, both, any,
    other, most of the, one of the"""
)
GIVEN = "provided, given, above, attached, available, following, supplied, quoted, retrieved, cited, other, same"
# Words behind a source that tell which one is meant
WHICH_SOURCE = r"""(?:
    provided | given | above | at\ hand
  | you\ (?:\w+\ )?(?:provided|gave|sent|shared|pasted|uploaded)    # "(the text) you kindly sent"
  | i\ (?:was|have\ been)\ given
  | (?:in|from)\ the\ (?:passages?|context|text|documents?)
  | quoted\ below
  | \d[\d,\ and-]*                                                  # "(passages) 1, 2 and 4"
  | \[\d+\]
)"""
# "the context", "any of the other passages you sent", "documents 1 and 2"
THE_SOURCE = rf"(?:{DETERMINER}\ (?:\w+\ )?{perhaps(GIVEN)})?{SOURCE}(?:\ {WHICH_SOURCE})*"

# "also explicitly (states)"
ADVERBS = r"(?:(?:also|explicitly|specifically|directly|clearly|really|actually|unfortunately|further|only|just)\ )*"
# What a source does when it states something
SAY = phrases(
    """mention, provide, contain, specify, say, state, include, give, answer, discuss, indicate, describe, explain,
    list, address, have, offer, cover, go into, name, tell, reveal, note, disclose, elaborate, refer, make clear,
    make it clear"""
)

# ---- Talk: clauses that state nothing, read from their beginning -----------------------------------------------------

# Words in front of talk: "Unfortunately, but please ..."
BEFORE_TALK = (
    r"(?:(?:unfortunately|sadly|however|but|and|so|well|also|or|yet|still|please|honestly|sorry|just)[,:]?\ +)*"
)
I_AM = rf"(?:i|we)(?:'m|\ am|\ are|'re)\ {perhaps('so, very, really, truly')}"
CANNOT = phrases(
    """cannot, can't, can not, could not, couldn't, won't, will not, was not able to, wasn't able to, am not able to,
    do not, don't, did not, didn't, have not, haven't"""
)
# What a speaker without the information cannot do
KNOW = phrases(
    """have, find, found, see, seen, know, say, said, tell, answer, provide, comment, recommend, share, verify, access,
    help, give, given, confirm, offer, determine, diagnose, guess, speak, locate, identify, check, discuss, assist,
    been given, advise, look, open, read, make out, predict, guarantee, promise, conclude, establish, rule out,
    point to"""
)
NOT_FIT = phrases("able, sure, an?, aware, certain, familiar, in a position, qualified, allowed")

# What is said of information: "no details are given"
AS_TOLD = phrases(
    "given, provided, mentioned, made, available, stated, listed, offered, named, cited, found, included, specified"
)

# What the speaker cannot or does not know
NOT_KNOWN = rf"""
    i\ {perhaps("just, also, really, simply, unfortunately")}{CANNOT}\ (?:\w+ly\ |even\ )?{KNOW}\b  # "I couldn't find"
  | {I_AM}(?:unable|missing|not\ {NOT_FIT})\b                       # "I'm not sure", "we are unable"
  | i\ (?:see\ no|found\ no|found\ nothing|know\ nothing|lack|no\ longer\ have)\b
  | i\ (?:\w+ly\ )?have\ (?:no|nothing)\b                           # "I currently have no"
  | unable\ to\b(?![^,]*,\ (?!(?:but|so|sorry|i|we|please)\b)\w)      # "Unable to answer", not "Unable to pay, he left"
  | (?:not\ enough|insufficient|no)\ (?:information|context|data|details)\b
    (?!\ (?:is|are|was|were|has|have|will|can|may)\b(?!\ (?:\w+\ )?{AS_TOLD}))  # not "No data was lost"
  | that(?:'s|\ is|\ lies|\ goes)\ (?:outside|beyond)\b             # "That goes beyond what I was given"
  | this\ goes\b
"""

DID = phrases(
    """misread, misspoke, rounded, searched, checked, looked, went, have to, need, want, had to, made, was only, only,
    stand, assume, read, took, said, suggest, recommend, advise"""
)
# What a speaker does with words or knowledge, in talk. Other acts are stated: "I can refund the charge"
TALK_ACT = phrases(
    """help(?:ed)?, assist(?:ed)?, support, guide, walk, see, tell, told, say, said, explain(?:ed)?, give, given,
    provided?, offer(?:ed)?, answer(?:ed)?, look(?:ed)?, check(?:ed)?, verif(?:y|ied), search(?:ed)?, find,
    found, read, review(?:ed)?, went, gone, go, go over, try, tried, do, did, done, make, made, take, taken,
    put, show, shown, share[d]?, point(?:ed)?, mention(?:ed)?, list(?:ed)?, note[d]?, include[d]?, outline[d]?,
    summari[sz]e[d]?, describe[d]?, compare[d]?, add(?:ed)?, write, written, rewrite, rewritten, draft(?:ed)?,
    rephrase[d]?, translate[d]?, correct(?:ed)?, base[d]?, rel(?:y|ied), use[d]?, keep, kept, start(?:ed)?,
    begin, begun, leave, left, focus(?:ed)?, let, be, been, have, had, get, got, need(?:ed)?, want(?:ed)?,
    like[d]?, love[d]?, hope[d]?, think, thought, believe, assume[d]?, suppose, guess, imagine, understand,
    understood, know, known, remember, recall, learn(?:ed|t)?, hear, heard, seen, suggest(?:ed)?,
    recommend(?:ed)?, advise[d]?, confirm(?:ed)?, clarif(?:y|ied), elaborate, address, speak, talk,
    ask(?:ed)?, wait, happily, gladly, break, broken, quote[d]?, cite[d]?, cover(?:ed)?, discuss(?:ed)?,
    work(?:ed)?, appreciate, treat, stick, stay, update my, reconsider(?:ed)?, misread, conclude[d]?,
    infer(?:red)?, highlight(?:ed)?, double-check(?:ed)?, organi[sz]e[d]?, structure[d]?, gather(?:ed)?,
    compile[d]?, prepare[d]?, group(?:ed)?, sort(?:ed)?, format(?:ted)?, dig, pull, proceed,
    continue, attempt, repl(?:y|ied), respond(?:ed)?, follow up, expand(?:ed)?, tailor(?:ed)?, simplif(?:y|ied),
    rank(?:ed)?, split, skip(?:ped)?, omit(?:ted)?, shorten(?:ed)?, mark(?:ed)?, set out, lay out, laid out,
    spell, run through"""
)

# "I can offer you a refund" promises something
GRANT = phrases("give, given, offer(?:ed)?, provided?, add(?:ed)?, make, made, get, take, taken")
GRANTED = r"(?:[$€£]\d|\d\ ?%|\ban?\ (?:\w+\ ){0,3}(?:refund|discount|credit|voucher|replacement|upgrade|extension)\b)"
BEFORE_ACT = r"(?:(?:\w+ly|also|just|only|still|even|always|not|then|now|no\ longer|do|try\ to)\ )*"
TOLD = phrases("confirm(?:ed)?, verified, tell you, assure you")

# What the speaker is, does, did or will do
SPEAKER = rf"""
    i\ {DID}\b                                                      # "I misread your question"
  | i\ ca\b                                                         # tokenised: "I ca n't"
  | i'd\ \w+                                                        # "I'd suggest"
  | i\ (?:\w+ly\ )?(?:could|may|might|must|should|would|shall|won't)\b
  | i(?:'ll|'ve|\ (?:\w+ly\ )?(?:can|will))\ {BEFORE_ACT}            # "I'll keep it short", no "I've cancelled it"
    (?!{TOLD}\ that\b|{GRANT}\b.*{GRANTED}){TALK_ACT}\b
  | i\ (?:can|will)\W*$
  | i\ found\ (?:\w+\ ){{0,3}}{SOURCE}\b(?!.*\b(?:that|which|where)\b)  # "I found two passages"
  | {I_AM}(?:here|(?:just\ )?an?\ ai)\b                             # "I'm here", "we are an AI"
  | i(?:'m|\ am)\ (?:going|only|assuming|working|an?)\b             # "I am only an assistant"
  | as\ an?\ (?:ai|language\ model|assistant)\b
  | note\ that\ i\b
  | (?:\w+\ ){{1,12}}(?:for|to|of|from|with|at|by|help)\ (?:me|my\ (?:side|end|part))\b  # "That is new to me"
"""

EVENT = "question, point, catch, thought, idea, day, morning, afternoon, evening, news"
EXCLAMATION = phrases(
    """good luck, congratulations, all the best, fingers crossed, much obliged, how kind, pardon, oops,
    understood, cheers"""
)
# Thanks, apologies, wishes and praise
POLITE = rf"""
    {I_AM}(?:sorry|afraid|glad|happy|pleased)\b                     # "I'm so sorry"
  | (?:i|we)\ (?:(?:do|sincerely|really|fully|completely|also)\ )*
    (?:apologi[sz]e|regret|appreciate|understand|hope|wish)\b       # "We sincerely regret"
  | (?:i|we)\ (?:thank|look\ forward)\b
  | (?:hope|hoping)\ (?:this|that|it|you|to)\b                      # "Hope this helps"
  | {perhaps("many, a thousand")}thank(?:s|\ you)\b(?!\ (?:was|were|went|came)\b)  # not "Thanks were given to Mr Osei"
  | (?:my|our|please\ accept\ my)\ (?:sincere\ |deepest\ )?(?:apologies|regrets|mistake|pleasure|bad)\b
  | sorry\b(?!\ (?:state|is|was|has|for\ your\ loss)\b)               # not "Sorry is a board game"
    (?!\ to\ (?:lose|leave|miss|see\ (?!you\b|that\b|this\b|it\b)))  # "pleased, but sorry to see the tree go"
  | apologies\b(?!\ (?:was|were|came|have|had|from)\b)               # not "Apologies were received from Mr Osei"
  | {EXCLAMATION}
  | enjoy\b(?=\W*\w+\ \w+\W*$)                                      # "Enjoy your stay!"
  | welcome\ back\b
  | have\ an?\ (?:nice|great|good|lovely|safe|pleasant)\b           # "Have a nice day"
  | take\ care\W*$
  | (?:best|kind)\ (?:regards|wishes)\b
  | (?:happy|glad|pleased|delighted|good|nice|great)                # "Glad you asked", "good morning"
    \ (?:to\ (?:help|hear|see|know|assist|meet)|you\ asked|{phrases(EVENT)}\W*)\b
  | {perhaps("what an?")}                                           # "What a lovely idea"
    (?:interesting|excellent|wonderful|fair|great|good|nice|lovely|tricky|tough)
    \ (?:question|point|thought|idea|catch|one|topic|observation)\b
  | well\ spotted\b
  | no\ (?:problem|worries|trouble)\b
  | (?:don't|not\ to)\ worry\W*$
"""

MISSING_PART = phrases("passages?, documents?, texts?, context")
# What the user is asked to hand over or to look at
REQUESTED = rf"""(?:
    me | it\ again
  | the\ (?:relevant|full|missing|original)\ {MISSING_PART}
  | more\ (?:context|details|information)
  | the\ (?:cited\ |given\ )?(?:passages?|sources?|documents?)\ for
)"""
WISHED = phrases("have, need, would like, want, like, are looking, is, share, tell, send, give")
MORE = phrases("any, more, further, additional, to know, anything, me, another, help, a different, something")
HAND_OVER = phrases(
    """provide, share, send, upload, paste, give, show, check, contact, consult, refer to, see, rephrase, specify,
    clarify"""
)
ASKED = phrases(
    """ask, always, reach, find, visit, call, email, e-mail, write, talk, speak, let, tell, look, get, try,
    browse, read, contact, check, consult, message, request, type, leave, reply, refer, see, send, provide,
    share, rephrase, specify, clarify"""
)
# Behind "if you need more" (or "more time"): what is stated, not offered. "..., higher limits are available on Plan B"
NO_THING = phrases(
    "details?, information, info, help, assistance, support, context, clarification, background, summary, to"
)
STATED_BEHIND = rf"""(?:\ (?!{NO_THING}|questions?)[\w-]+){{0,2}},\ (?:
    (?!(?:i|we|you|they|it|this|that|my|our|please|just|simply|feel|do|don't|say|here|there|{HAND_OVER}|{ASKED})\b)
    (?:[\w'-]+\ ){{1,4}}(?:is|are|costs?|must|can|may|will|has|have|allows?|offers?|appl(?:y|ies))\b
    (?!\ (?:gladly\ |happily\ )?(?:happy|glad|able|here|there|help|assist|it|them|all)\b)
  | you\ (?:can|may|must|should|need\ to|have\ to)\ (?:only\ |also\ )?(?!{ASKED}\b)\w
)"""
INVITATION = phrases(
    """let me, feel free, do not hesitate, don't hesitate, tell me, say the word, ask me, allow me, bear with me,
    get back to, get in touch, do get back to, do get in touch, drop me, drop us, do drop me, do drop us,
    reach out, do reach out"""
)
# Offers to the user, requests and questions
OFFER = rf"""
    {INVITATION}\b                                                  # "Let me know", "feel free to ask"
  | {HAND_OVER}\ {REQUESTED}\b                                      # "Send me", "see the full text"
  | should\ anything\b                                              # "Should anything be unclear"
  | should\ you\ (?:(?:need|want|require|wish|like)\ (?:to\ know|any|more|further|additional|help|assistance|me|my)
    |have\ (?:any\ |further\ |more\ |other\ |additional\ )*(?:questions?|queries|doubts))\b  # not "Should you move"
  | once\ you\b(?=.*\bi\b)                                          # "Once you send it, I will look"
  | if\ (?:you|there)(?:'d|\ \w+)?\ {WISHED}\ {MORE}\b(?!{STATED_BEHIND})  # "If you would like to know"
  | (?:is|are|was)\ there\ (?:anything|any)\b
  | (?:would|could|can|do|did|are|shall|may)\ (?:you|i)\b|should\ i\b  # "Would you like", "shall I go on"
  | anything\ else\b
  | you\ (?:may|might|could|can|will)\ {perhaps("want to, need to, have to, also")}(?:
        rephrase | ask\ me | try\ rephrasing
      | find\ (?:the|more|further|all)\ (?:\w+\ )?(?:details|information|answer|passages|sources)
      | consult\ the\ (?:\w+\ )?{SOURCE}                            # "You may want to consult the leaflet"
    )\b
"""

PART_OF_ANSWER = phrases(
    r"reply, answer, response, summary, reading, search, earlier \w+, previous \w+, sources, knowledge, understanding"
)
AN_ANSWER = phrases(
    """few, short, quick, brief, summary, list, well, answer, breakdown, overview, response, revised, rewritten"""
)
# What is announced: the answer as a whole
ANNOUNCED = rf"""(?:
    what | how
  | the\ (?:gist|answer|summary|list|result|main|key|most|information|details|steps)
  | an?\ {AN_ANSWER}
  | some | several | my | your | two | three | four | five
)"""
# What shows that an announcement is no statement: nothing or a colon follows, or it names the answer
OF_ANSWER = r"""(?:
    [^.]*: | \W*$
  | \ (?:what|gist|answer|summary|response)
  | [^.]*\b(?:points|takeaways|details|information|answer|summary|things)\b
)"""
# The same where the clause may as well count things: "There are two exits: one in the north and one in the south"
OF_TEXT = r"""(?:
    \ (?:key|main|important|following|more|other)\ (?:points|takeaways|things|details)\b[^.:]*:?\W*$
  | \ (?:\w+\ )?(?:answer|summary|response|information)(?:\ (?:on|about|to)\ (?:this|that|it|the\ topic))?:?\W*$
)"""
JUDGED = "question, misunderstanding, misconception, point, mistake, mix-up"
# "You're welcome to ask me anything else" is thanks, "You're welcome to take pictures" is a permission
BACK = phrases(
    """the, ask, contact, reach, come back, return with, share, send, write, message, get in touch, let me, tell, call,
    email, follow up"""
)
# Remarks on the question or on the answer
ON_ANSWER = rf"""
    (?:my|this)\ {PART_OF_ANSWER}\b                                 # "This summary", "my earlier reply"
  | your\ (?:question|message|request)\b
  | (?:here(?:'s|\ is|\ are)|(?:the\ following|below)\ (?:are|is))  # "Here are the main points:"
    \ {ANNOUNCED}(?={OF_ANSWER})
  | there\ (?:are|is)\ {ANNOUNCED}(?={OF_TEXT})                     # "There are a few key points", no "two exits"
  | the\ (?:short|quick|brief|simple|long)\ answer\ is\ (?:yes|no)\W*$
  | the\ answer\ (?:depends\ on|is\ not\ (?:in|given|found|stated)|cannot|can't|can\ not|could\ not)\b
  | you(?:'re|\ are)\ {perhaps("very, most, quite, absolutely")}(?:right|correct|welcome(?!\ to\ (?!{BACK})))\b
  | (?:yes|no)?,?\ ?(?:that(?:'s|\ is)|this\ is)\ (?:not\ )?(?:     # "Yes, that's right", "this is a common mistake"
        correct | right | true | wrong | incorrect | all\ i
      | an?\ (?:good|great|common|frequent|fair|interesting|excellent|really|very|tricky)\ \w*\ ?{phrases(JUDGED)}
    )\b
  | it\ would\ be\ (?:wrong|speculation|irresponsible|unfair|guesswork|speculative)\b
  | to\ (?:give|answer|help|be\ sure|say\ more)\b[^,:]*\ i\b        # "To be sure about it I"
  | (?:don't|do\ not)\ quote\ me\b
"""

# What a source does when it does not state something
FALL_SHORT = rf"""(?:
    (?:gives?|gave|contains?|provides?|offers?|has|have|makes?|includes?|mentions?|names?)
    \ (?:no|nothing|neither|little\ (?:information|detail))         # "(The text) gives no"
  | (?:is|are|was|were)\ {phrases("silent, unclear, vague, not clear, quiet, limited, incomplete, cut off, ambiguous")}
  | says?\ (?:nothing|little)
  | leaves?\ (?:out|open|it\ open)
  | breaks?\ off | ends?\ before | stops?\ (?:before|short)         # "(The page) breaks off"
  | omits? | lacks? | fails?\ to\ {SAY} | never\ {SAY}s?
  | disagrees? | conflict | contradict\ each | differ               # "(The reports) contradict each (other)"
  | goes?\ into | (?:are|is)\ about
  | (?:cannot|can't|could\ not)\ (?:\w+ly\ )?(?:{SAY}|confirm|support|settle|help|resolve|clarify|be\ used\ to)
)"""
NOT_GIVEN = phrases(
    r"""specified, mentioned, stated, given in, given\b(?=\W*$), provided, clear, discussed, covered, addressed, said,
    known from, explained, listed, disclosed, indicated, recorded in,
    in the (?:passages?|context|documents?|text|sources?)"""
)
DETAIL = phrases(
    r"""sources?, details?, information, mention, figures?, dates?, reasons?, explanation, price, names?, evidence,
    further \w+, exact \w+, specific \w+, other \w+"""
)
ANSWERED = phrases("determined, answered, inferred, established, verified, confirmed, told")
ABSENT = phrases("information, mention, answer, evidence, indication, details?, data, reference, clear answer, in the")
LEFT_OPEN = phrases(
    """unmentioned, not (?:mentioned|stated|said|specified|given|clear|known), unclear, open question, left open,
    unknown"""
)
UNCERTAIN = phrases("unclear, unknown, hard to say, impossible to (?:say|tell|know), uncertain, not possible")
# What the sources do not say, and what they are about
NOT_IN_SOURCES = rf"""
    {THE_SOURCE}\ (?:you\ \w+\ )?{ADVERBS}                          # "The text does not say"
    (?:does|do|did|has|have)(?:\ not|n't)\ (?:\w+ly\ )?{SAY}\w*\b
  | {THE_SOURCE}\ {ADVERBS}{FALL_SHORT}\b                           # "The passages only give no"
  | {THE_SOURCE}\ (?:\w+ly\ )?                                      # "The pages mainly give some information"
    (?:provides?|contains?|discuss(?:es)?|focus(?:es)?\ on|describes?|gives?|offers?|includes?)
    \ (?:\w+\ ){{0,3}}(?:information|details|instructions|guidance|context|steps\ to)\b
  | (?:a\ )?(?:search|look|glance)\ (?:through|in|at|into)\ (?:the|your)\ (?:\w+\ )?{SOURCE}\b
    (?=.*\b(?:empty|nothing|no)\b)                                  # "A look at the files found nothing"
  | (?:none|neither|nothing|not\ one)\ (?:of|in)\ (?:(?:the\ |these\ |those\ )?(?:\w+\ )?{SOURCE}|these|those|them)\ ?
    {ADVERBS}(?:{SAY}(?:s|es)?|goes\ into)\b                        # "None of the sources mentions"
  | nothing\ (?:is|was)\ (?:said|mentioned|stated|written|given)\b
  | no\ {DETAIL}\ (?:is|are|was|were)\ (?:\w+ly\ )?                 # "No price is given"
    {AS_TOLD}\b
  | (?:it|this|that|which|the\ (?:exact\ )?\w+)                     # "The exact date is not stated"
    (?:'s|\ is|\ was|\ are)(?:\ not|n't)\ (?:\w+ly\ )?{NOT_GIVEN}\b
  | (?:this|that|the)\ (?:\w+\ )?(?:topic|question|detail|part|point|matter|subject|aspect)\ (?:is|was)(?:\ not|n't)\b
  | (?:it|this|that)(?:'s|\ is|\ remains)\ {UNCERTAIN}\b            # "It is unclear whether"
    (?=.*\b(?:{SOURCE}|whether|who|what|when|which|why|how|from)\b)
  | (?:who|what|how|when|where|why|which|whose|whether)\b(?=.*\b{LEFT_OPEN}\b)  # "Who paid for it is left open"
  | (?:\w+\ ){{0,8}}(?:cannot|can't|can\ not|could\ not)\ be\ {ANSWERED}
    \ (?:from|on\ the\ basis\ of|based\ on|with)\b                  # "This cannot be answered from"
  | there(?:'s|\ is|\ was|\ are)\ (?:no|nothing|little|not\ enough|insufficient|n't\ any)\ ?(?:\w+\ )?{ABSENT}\b
    (?=[^.]*\b{SOURCE}\b|\ (?:about|on|regarding|available|given|here)\b|\W*$)  # "There is no information on"
  | there\ (?:may|might|could)\ be\ other\ {SOURCE}
"""

ALONE = phrases(
    r"""yes, no, nope, yep, sure, okay, ok, certainly, of course,
    absolutely, definitely, gladly, indeed, exactly, (?:the )?(?:good|bad|great) news,
    right, correct, alright, all right, got it, great, perfect,
    please, you bet, not quite, hmm, ah, oh, bye, goodbye,
    (?:hi|hello|hey|dear)(?: \w+)?, long story short, summing up"""
)
HEDGE = phrases(
    """generally, usually, mostly, mainly, normally, typically, largely, broadly, in general, in most cases,
    most of the time, in principle, for the most part"""
)
FEW = phrases("a few, some, several, a couple of, a number of, various, certain, one or two")
MATTERS = phrases(
    """catch(?:es)?, caveats?, problems?, issues?, exceptions?, conditions?, limits?, limitations?, restrictions?,
    points?, things?, details?, drawbacks?, downsides?, rules?, requirements?, differences?, reasons?, options?, ways?,
    steps?, tips?"""
)
PLAIN = phrases("other, more, important, key, small, minor, further, extra, practical, useful")
NOTING = phrases(
    """note, noting, know, knowing, consider, remember, mention, mentioning, keep in mind, be aware of, watch out for,
    bear in mind"""
)
TO_NOTE = rf"(?:to|you\ should|worth)\ (?:also\ )?{NOTING}"
# "There are a few catches, though.", "There are some points to note:": it says nothing that what follows does not say
ANNOUNCEMENT = rf"""
    (?:but\ |however,\ |still,\ )?there\ are\ (?:also\ |still\ )?{FEW}\ (?:{PLAIN}\ )?
    (?: (?:catches|caveats|points|things)
      | {MATTERS}(?=\ {TO_NOTE}|,?\ (?:though|however)\b|\W*:)
    )
    (?:\ {TO_NOTE})?(?:,?\ (?:though|however|too|as\ well))?\W*$
  | the\ (?:overall\ )?picture\ (?:is|was)\ (?:more\ )?mixed\W*$
"""
# A reply that says how far it holds: "Generally yes.", "Yes, in most cases.", "Yes to both, with a few exceptions."
HEDGED = rf"""
    (?:(?P<hedge>{HEDGE}),?\ (?P<reply>yes|no)
      | (?P<said>yes|no)(?:\ to\ (?:both|all))?,?\ (?:but\ )?
        (?P<limit>{HEDGE}|(?:with|within|subject\ to)\ {FEW}\ (?:{PLAIN}\ )?{MATTERS})
    )[\s.!]*
"""
REPLIED = re.sub(r"\?P<\w+>", "?:", HEDGED)  # without the names of its groups
# Interjections, with nothing behind them
INTERJECTION = rf"""
    {ALONE}\W*$                                                     # "Of course!", "Hello there,"
  | {REPLIED}\W*$                                                  # "Generally yes."
  | (?:though|however)\.$                                          # behind an announcement
  | (?:in\ )?(?:correction|a\ quick\ note|quick\ note|before\ i\ \w+|hold\ on|one\ moment|wait)\W*$
"""

TALK = re.compile(
    BEFORE_TALK + either(NOT_KNOWN, SPEAKER, POLITE, OFFER, ON_ANSWER, NOT_IN_SOURCES, INTERJECTION, ANNOUNCEMENT),
    re.IGNORECASE | re.VERBOSE,
)

# ---- Openings: words in front of what is stated ----------------------------------------------------------------------
# Capital letters count, since names need one. "(?i:...)" stands around words that may be written in capital letters
# because a sentence begins with them.

VERB = "is|are|was|were|has|have|had|can|could|may|will|would|should|must|does|did"
# A clause follows, so "it seems" or "this means" only reports it
CLAUSE = rf"(?=(?:\S+\ ){{1,8}}(?:{VERB}|do)\b)"
# The same behind a source, where "do" is not enough: "The guide says what to do"
CLAUSE_OF_SOURCE = rf"(?=(?:\S+\ ){{1,8}}(?:{VERB})\b)"

# "Sure!", "Yes, ...", "Hello - ..."
REPLY = r"""
    (?i:sure|yes|no|okay|ok|certainly|of\ course|absolutely|hello|hi|hey|well|right|indeed|correct|exactly|definitely
    |great|alright|sorry)\b(?!-\w)\s*[!,:.;—–-]+\s*
"""
# "Dear Ms. Lund,", "Good morning, Dr Berg:", "Hi there!"
GREETING = r"""
    (?i:hi|hello|hey|dear|good\ (?:morning|afternoon|evening|day))
    (?:\ (?:(?:Mrs?|Ms|Dr|Prof)\.?\ )?(?:[A-Z]\w+|there|all|everyone) | ,\ (?:Mrs?|Ms|Dr)\.?\ [A-Z]\w+)\s*[,!:]\s*
"""
LINKS = phrases(
    r"""however, therefore, additionally, furthermore, moreover, in addition, overall, thus, hence, also, meanwhile,
    nevertheless, nonetheless, (?:so )?in summary, so overall, specifically, in conclusion, in fact, for example,
    for instance, finally, alternatively, similarly, likewise, as a result, consequently, instead, unfortunately,
    interestingly, notably, that said, having said that, still, in short, in brief, in other words, strictly speaking,
    to be clear, fortunately, thankfully, happily, of note, as such, regrettably, sadly, long story short, summing up,
    by the way, incidentally, apologies, to sum up, simply put, on the whole, in general, in any case,
    at any rate, on the other hand, in contrast, by contrast, of course, after all, in particular, to summari[sz]e,
    to conclude, rest assured, don't worry, not to worry, no worries, good news, quick answer, short answer,
    the (?:good|bad|great) news"""
)
# Labels in front of a statement
NOTES = phrases("note, please note, important, warning, caution, reminder")
NOTE = re.compile(rf"\W*{NOTES}\W*", re.IGNORECASE | re.VERBOSE)  # one of them alone
# "However, ...", "In short: ...", "To repeat what I said, ..."
CONNECTOR = rf"""
    (?i:{LINKS} | to\ repeat[^,:]*)\s*[,:—–-]\s*
  | (?i:{NOTES})\s*:\s+                                               # "Note: ..."
  | (?i:(?:so\ )?(?:here|this)\ is\ the\ (?:gist|answer|short\ version|summary))\s*[:,]\s*
"""
ADVICE = phrases(
    """rest assured, please note, please be aware, please remember, please keep in mind, note, do note, keep in mind,
    bear in mind, remember, be aware, don't forget"""
)
KNOWN_PART = phrases(r"i can, it does, they do, we do, the \w+ does, the \w+ do")
SEEMING = phrases(
    "seems, appears, follows, can be inferred, can be concluded, is clear, is likely the case, is safe to say"
)
# Remarks on what is stated, as its main clause
REMARK = rf"""
    (?i:(?:the\ )?(?:good|bad|great)\ news\ is)\ that\s+              # "The good news is that"
  | (?i:i(?:'ve|\ can|\ have)\ (?:now\ |also\ )?{TOLD})\ that\s+       # "I can confirm that"
  | (?i:(?:(?:also|and|but|so|you\ should)\ )?{ADVICE})\ that\s+  # "Please note that"
  | (?i:what\ {KNOWN_PART}\ (?:tell\ you|say|know|confirm)\ is)(?:\ that)?\s*[:,]?\s+  # "What I can say is that"
  | (?i:(?:so\ )?it\ {SEEMING})\ (?:that\s+)?{CLAUSE}               # "So it seems (the bridge was)"
  | (?i:this|that|which)\ (?:(?i:directly|clearly|also|further|strongly)\ )?  # "This clearly suggests"
    (?i:suggests?|indicates?|means?|implies|confirms?|shows?)\ (?:that\s+)?{CLAUSE}
  | (?i:it(?:'s|\ is)\ (?:also\ )?(?:important|worth|essential|crucial|possible|interesting)
    \ (?:to\ (?:note|remember|mention)|noting|mentioning|remembering)\ that)\s+  # "It is worth noting that"
"""
BASIS = phrases(
    r"""based (?:solely |only )?(?:on|upon), going by, judging (?:by|from), according to, from, in, per, given,
    if i read, as (?:stated|mentioned|described|noted) ?(?:in|by)?,
    as far as i can (?:tell|see)(?: from)? ?(?:in|by)?,
    from what i (?:can )?(?:see|gather|read)(?: (?:in|from))?"""
)
TABLE = r"(?:the\ )?(?:\w+\ ){0,2}(?:table|figures?)"
# The source of what is stated
FROM_SOURCE = rf"""
    (?i:{BASIS})\s+(?i:{THE_SOURCE}|\[\d+\]|{TABLE}\ correctly)\s*(?:\[\d+\]\s*)?,\s*  # "According to the text [2],"
  | (?i:as\ (?:mentioned|stated|noted|described|said)(?:\ (?:above|before|earlier|below|previously))?)\s*,\s*
"""
# What a sentence is about, said in front of it: "As for safety,"
TOPIC = phrases(
    """costs?, prices?, fees, money, payment, timing, safety, side effects, risks, size, weight, speed,
    reasons?"""
)
ABOUT = rf"""
    (?i:as\ for)\ (?i:the\ )?(?i:{TOPIC})\s*[,:]
    (?!\s*(?:its?|they|them|their|this|that|these|those|there|both|neither|none|he|she|the\ two|one|some|all|most|each
      |such)\b)\s*
"""
# What the speaker knows, and what the user asked
FROM_SPEAKER = r"""
    (?i:
        as\ far\ as\ i\ (?:know|can\ tell|can\ see)(?:\ from\ [^,]*)?
      | if\ i\ (?:read|understand|remember)\ [^,]*                  # "If I understand the table,"
      | from\ what\ i\ [^,]*
      | before\ i\ \w+,\ [^:]*                                      # "Before I forget, one thing:"
      | to\ my\ knowledge
      | to\ answer\ (?:your|the)\ [^,:;]*                           # "To answer your question:"
      | (?:regarding|concerning|about|as\ for|with\ regard\ to|on)\ your\ [^,:;]*
      | (?:in\ )?(?:answer|response|reply)\ to\ your\ [^,:;]*
    )\s*[,:]\s*
"""
REPORT = phrases(
    """states?, confirms?, mentions?, suggests?, notes?, indicates?, says?, explains?, shows?, implies, imply, reports?,
    warns?, adds?, points? out, makes? clear"""
)
# Reports of a source
SOURCE_SAYS = rf"""
    (?i:{THE_SOURCE})(?:\ ?\[\d+\]|\ \d+)?\ {ADVERBS}(?i:{REPORT})\s+  # "The report [1] also states that"
    (?:(?:only\ )?that\s+|(?!(?:against|of|about)\ ){CLAUSE_OF_SOURCE})
  | (?i:passages?)\ [\d,\ and-]+\ (?i:(?:also|both|all|explicitly|specifically|clearly|further)\ )*
    (?i:states?|confirms?|suggests?|notes?|indicates?|says?|explains?|shows?)
    (?:\ that\s+|:\s+|:?\s+(?=["“]))                                # "Passages 1 and 2 both say: "
  | (?i:it|they)\ (?:(?:does|do|only|also|just)\ )*                 # "It does say that"
    (?i:say|says|state|states|note|notes|warn|warns|mention|mentions|indicate|indicates|add|adds|confirm|confirms
    |show|shows)\ (?:only\ )?that\s+
"""
FEELING = phrases(
    """you'll be (?:glad|pleased|happy|relieved) to (?:hear|learn|know),
    it (?:pains|saddens|pleases) me to (?:report|say)"""
)
# Other words in front of the answer
LEAD = rf"""
    (?i:step\ \d+)\s*[:.)–-]+\s*                                    # "Step 2:"
  | (?i:only|except|just|save|{FEELING})\ that\s+                   # "You'll be glad to hear that"
  | (?i:the\ (?:short\ |correct\ )?answer(?:\ to\ (?:the|your|this)\ question(?:\s*["“][^"”]*["”])?)?\ is)\s*:?\s*
    (?:["“]?(?:yes|no)["”]?\s*[,.:;]+|that\s+)\s*                   # "The answer to your question is: no."
"""
# The group tells `statement` that a conjunction was found: it goes only where talk stood in front of it
CONJUNCTION = r"(?i:but|and|yet|so|or|though|although|because|since|however)\s+(?=\S)(?P<connector>)"

OPENING = re.compile(
    r"\s*"
    + either(REPLY, GREETING, CONNECTOR, REMARK, FROM_SOURCE, ABOUT, FROM_SPEAKER, SOURCE_SAYS, LEAD, CONJUNCTION),
    re.VERBOSE,
)

# ---- Other pieces of sentences ---------------------------------------------------------------------------------------

# Words behind what is stated: "... in May, as far as I know."
CLOSING = re.compile(
    r"""
    \s*[,;.—–-]*\s*
    (?:in\ case\ you\ were\ wondering | i'm\ (?:pleased|afraid|sorry|happy)\ to\ say | if\ i\ recall\ correctly
      | as\ far\ as\ i\ (?:know|can\ tell) | to\ my\ knowledge | i\ believe | i\ think | as\ you\ asked | i'm\ afraid
      | just\ so\ you\ know)
    \s*[.!]*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A list of sources: "Sources: handbook.pdf", "(Passages 1 and 3)"
SOURCES = re.compile(
    r"""
    [\W_]*(?:
        (?:sources?|references?|citations?|further\ reading|see\ also)[\W_]*:
      | (?:passages?|sources?|documents?|articles?)\W+\d[\d\s,&;and-]*[\W_]*$
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A wish in a few words: "Happy gardening!"
CHEER = re.compile(r"(?:[^\W\d]+[ ,]+){0,3}[^\W\d]+!+")
# A clause that another one follows: "While I don't have the schedule, the tram ..."
SUBORDINATE = re.compile(
    r"\s*(?:while|although|though|whereas|even\ though|even\ if|if|before|since|as)\s+", re.IGNORECASE | re.VERBOSE
)

# ---- Cuts: where one clause ends and the next begins -----------------------------------------------------------------

PUNCTUATION = r"""
    (?<!\s)\s*;\s+
  | (?<!\s)\s+[-–—]+\s+ | (?<!\s)\s*—\s*                              # dashes
  | :\s+
  | (?<![.!?…])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bProf)(?<!\bSt)[.!?…]+\s+
  | (?<!\s)\s*\((?=\w+(?:[^()\w]+\w+){2}[^()]*\)\W*$)                # a last bracket with three words or more
"""
BEFORE_CONJUNCTION = r"""
    ,\s+(?=(?:but|however|yet|although|though|because|since|and|so|except\ that|only\ that|when\ in\ fact|nor)\b)
  | (?<!\s)\s+(?=(?:but|because|although|except\ that|when\ in\ fact)\s)
"""
# Talk of one or a few words: "You're right, ...", "My apologies, ...", "According to the minutes, ..."
BEHIND_WORD = r"(?<=\bright),\s+ | (?<=\bcorrect),\s+ | (?<=\bapologies),\s+ | (?<=\bminutes),\s+"
RELATIVE = r",\s+in\ which\s+ | ,\s+(?=which\s)"

CUT = re.compile(
    either(PUNCTUATION, BEFORE_CONJUNCTION, BEHIND_WORD, RELATIVE),
    re.IGNORECASE | re.VERBOSE,
)
