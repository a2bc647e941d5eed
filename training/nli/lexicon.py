"""Words that the made pairs exchange. Every line is a list of "word:its opposite" or of neighbours in an order."""

MONTHS = tuple("January February March April May June July August September October November December".split())
DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
CARDINALS = tuple("two three four five six seven eight nine ten eleven twelve".split())
ORDINALS = tuple("first second third fourth fifth sixth seventh eighth ninth tenth".split())
ORDERED = (MONTHS, DAYS, CARDINALS, ORDINALS)


def _pairs(text: str, both_ways: bool = True) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for item in text.replace("\n", "|").split("|"):
        if item.strip():
            first, second = item.strip().split(":")
            found[first] = (*found.get(first, ()), second)
            if both_ways:
                found[second] = (*found.get(second, ()), first)
    return found


OPPOSITES = _pairs(
    """won:lost|win:lose|wins:loses|winning:losing|winner:loser|victory:defeat|rose:fell|rise:fall|rises:falls
    rising:falling|increase:decrease|increased:decreased|increases:decreases|increasing:decreasing|more:less
    most:fewest|higher:lower|highest:lowest|high:low|larger:smaller|largest:smallest|bigger:smaller|biggest:smallest
    large:small|big:small|longer:shorter|longest:shortest|long:short|older:younger|oldest:youngest|old:young|old:new
    better:worse|best:worst|good:bad|early:late|earlier:later|earliest:latest|first:last|before:after|began:ended
    begin:end|begins:ends|started:finished|starts:ends|opened:closed|opens:closes|open:closed|opening:closing
    arrived:left|arrives:leaves|entered:left|joined:left|joins:leaves|bought:sold|buys:sells|buy:sell|gave:took
    accepted:rejected|accepts:rejects|approved:rejected|approves:rejects|allowed:banned|allows:bans|allow:ban
    supported:opposed|supports:opposes|support:oppose|supporters:opponents|confirmed:denied|confirms:denies
    admitted:denied|admits:denies|agreed:refused|agrees:refuses|praised:criticised|praises:criticises
    welcomed:condemned|guilty:innocent|convicted:cleared|jailed:freed|arrested:released|hired:fired|appointed:sacked
    signed:released|promoted:relegated|survived:died|alive:dead|killed:rescued|married:divorced|male:female|man:woman
    men:women|boy:girl|boys:girls|son:daughter|father:mother|brother:sister|husband:wife|uncle:aunt|king:queen
    north:south|northern:southern|east:west|eastern:western|above:below|inside:outside|upper:lower|left:right
    public:private|legal:illegal|likely:unlikely|possible:impossible|safe:dangerous|easy:difficult|hard:easy
    common:rare|major:minor|positive:negative|success:failure|successful:failed|strong:weak|heavy:light|hot:cold
    rich:poor|cheap:expensive|full:empty|fast:slow|faster:slower|happy:sad|famous:unknown|same:different|true:false
    always:never|everyone:nobody|everything:nothing|many:few|with:without|including:excluding|included:excluded
    includes:excludes|improved:worsened|improves:worsens|reduced:increased|reduces:increases|reduce:increase
    gained:lost|gains:loses|saved:lost|kept:lost|found:lost|expanded:shrank|grew:shrank|grows:shrinks|built:demolished
    created:destroyed|launched:cancelled|delayed:advanced|extended:shortened|remembered:forgot|loved:hated
    likes:dislikes
    current:former|former:current|domestic:foreign|civilian:military|urban:rural|indoor:outdoor|present:absent
    majority:minority|maximum:minimum|income:spending|profit:loss|profits:losses|teacher:student|buyer:seller
    parent:child|employer:employee|attacked:defended|attack:defend|invaded:defended|strengthened:weakened
    front:back|top:bottom|ahead:behind|vertical:horizontal|clockwise:anticlockwise|raises:lowers|raise:lower
    raised:lowered|raising:lowering|reducing:increasing|grows:falls|keeps:deletes|keep:delete|keeps:loses|adds:removes
    add:remove|added:removed|adding:removing|attach:detach|attached:detached|lock:unlock|locks:unlocks|locked:unlocked
    enable:disable|enables:disables|enabled:disabled|active:inactive|lends:borrows|lend:borrow|lent:borrowed
    lending:borrowing|owes:lends|sends:receives|send:receive|sent:received|pays:receives|pay:receive|paid:received
    imports:exports|import:export|imported:exported|deposit:withdraw|deposited:withdrawn|optional:mandatory
    optional:compulsory|optional:required|voluntary:compulsory|voluntary:mandatory|forbidden:allowed|permitted:forbidden
    permits:forbids|permit:forbid|allows:prevents|allow:prevent|allowed:prevented|causes:prevents|cause:prevent
    caused:prevented|causes:cures|harmful:harmless|healthy:unhealthy|edible:poisonous|temporary:permanent
    internal:external|inner:outer|fixed:variable|free:paid|weekdays:weekends|weekday:weekend|day:night|morning:evening
    daily:weekly|weekly:monthly|monthly:yearly|summer:winter|spring:autumn|arrival:departure|departs:arrives
    junior:senior
    beginners:experts|adults:children|buyers:sellers|tenant:landlord|tenants:landlords|lender:borrower
    customer:seller|doctor:patient|doctors:patients|teachers:pupils|teachers:students|parents:children|owner:tenant
    passed:failed|passes:fails|pass:fail|winners:losers|beat:lost to|defeated:lost to|nominated:awarded
    founded:dissolved|elected:voted out|resigned:stayed|retired:stayed|hardened:softened|thicker:thinner
    thick:thin|wide:narrow|wider:narrower|deep:shallow|deeper:shallower|warm:cold|warmer:colder|hotter:cooler|wet:dry
    wetter:drier|loose:tight|loosen:tighten|tightens:loosens|push:pull|pushes:pulls|ascending:descending
    climbed:descended|upstream:downstream|upstairs:downstairs|northeast:southwest|heavier:lighter|brighter:darker
    bright:dark|sweet:bitter|simple:complicated|visible:hidden|absorbs:releases|absorb:release|attracts:repels
    stable:unstable|sufficient:insufficient|known:unknown|complete:incomplete|valid:invalid|equal:unequal"""
)
PHRASES = _pairs(
    """able to:unable to|allowed to:barred from|included in:left out of|picked for:left out of|because of:despite
    due to:despite|thanks to:despite|in favour of:against|in favor of:against|more than:less than|at least:at most
    along with:instead of|as well as:but not|managed to:failed to|agreed to:refused to|decided to:refused to
    according to:contrary to|no later than:no earlier than|up to:at least|at least:up to|no more than:at least
    only if:even if|in front of:behind|on top of:underneath|switched on:switched off|turned on:turned off
    turn on:turn off|in advance:afterwards|in addition to:instead of|as well as:instead of
    independent of:dependent on"""
) | _pairs(
    """will be:will not be|has been:has never been|have been:have never been|there is:there is no|there are:there are no
    is known for:is not known for|set to:no longer set to|wants to:does not want to|plans to:has dropped plans to
    tried to:did not try to|began to:stopped trying to|used to:never used to|such as:except
    in addition to:instead of""",
    both_ways=False,
)
STRONGER = _pairs(
    """some:all|some:most|many:all|most:all|several:all|a few:most|part of:all of|one of the:the only one of the
    half of:all of
    may:will|might:will|could:will|can:must|should:must|often:always|sometimes:always|usually:always|generally:always
    rarely:never|probably:certainly|possibly:certainly|likely to:certain to|expected to:certain to|partly:entirely
    mostly:entirely|mainly:entirely|partially:completely|almost:more than|nearly:more than|about:exactly|around:exactly
    suggests:proves|suggest:prove|suggested:proved|indicates:proves|indicate:prove|linked to:caused by
    associated with:caused by|contributed to:caused|injured:killed|wounded:killed|hurt:killed|arrested:convicted
    charged with:convicted of|accused of:convicted of|suspected of:convicted of|suspected:convicted|proposed:approved
    considered:approved|considering:starting|nominated for:awarded|shortlisted for:awarded|called for:ordered
    asked:ordered
    threatened:attacked|tried to:managed to|attempted to:managed to|hopes to:will|plans to:has begun to
    planned to:managed to
    wants to:has agreed to|believed to be:proved to be|thought to be:known to be|claimed:proved|claims:proves
    helped:ensured
    reduces:eliminates|reduced:eliminated|reduce:eliminate|encouraged:forced|recommended:ordered|offered:given
    among the:the|up to:more than|at least one:every|damaged:destroyed|seen:caught|applied for:received""",
    both_ways=False,
)
SYNONYMS = _pairs(
    """began:started|begin:start|begins:starts|ended:finished|bought:purchased|buys:purchases|buy:purchase
    was founded:was established|founded:set up|located:situated|lies:is situated|large:big|huge:enormous|fast:quick
    quickly:rapidly|children:kids|film:movie|films:movies|movie:picture|song:track|songs:tracks|record:album
    killed:slain|jailed:imprisoned|sentenced to prison:given a prison term|hurt:injured|wounded:injured
    helped:assisted|help:assist|helps:assists|nearly:almost|about:around|approximately:about|roughly:around
    over the age of:older than|lives in:is a resident of|died:passed away|was born in:comes from|famous:well-known
    famous:renowned|got:received|received:was given|gets:receives|shows:demonstrates|show:demonstrate
    showed:demonstrated|suggests:indicates|suggested:indicated|attempted:tried|tried to:attempted to|permitted:allowed
    needs:requires|need:require|needed:required|often:frequently|usually:generally|mainly:chiefly|mostly:largely
    also known as:also called|known as:called|is called:goes by the name|near:close to|because of:owing to
    due to:because of|though:although|but:however|starred in:played a leading part in|stars in:has a leading role in
    wrote:authored|written by:authored by|directed by:made by director|released:brought out|published:brought out
    won:took|defeated:beat|beat:overcame|lost to:was beaten by|rose:climbed|fell:dropped|grew:increased
    increased:went up|decreased:went down|reduced:cut|raised:put up|built:constructed|constructed:put up
    destroyed:wrecked|damaged:harmed|selected:chosen|picked:selected|chosen:picked|hired:employed|fired:dismissed
    sacked:dismissed|resigned:stepped down|retired:stopped working|moved to:relocated to|left:departed
    arrived:came|announced:made public|said:stated|stated:said|claimed:asserted|explained:made clear|told:informed
    asked:requested|denied:rejected|agreed:consented|refused:declined|rejected:turned down|approved:gave approval to
    accused of:alleged to have committed|charged with:accused of|discovered:found|found:came upon|invented:devised
    created:made|made:produced|produced:made|whole:entire|entire:whole|main:principal|primary:main|important:significant
    first:earliest|last:final|final:last|final:closing|next:following|former:ex-|physician:doctor|doctor:physician
    lawyer:attorney|policeman:police officer|cops:police|teacher:instructor|student:pupil|actor:performer
    singer:vocalist
    author:writer|writer:author|scientist:researcher|researchers:scientists|firm:company|company:firm|business:company
    city:town|nation:country|country:nation|states:says|house:home|home:residence|car:automobile|plane:aircraft
    aeroplane:plane|ship:vessel|road:street|illness:disease|disease:illness|sick:ill|kids:children|wife:spouse
    husband:spouse|mother:mom|father:dad|parents:mother and father|a dozen:twelve|half:50 percent|two decades:20 years
    a decade:ten years|a century:100 years|a couple of:two|several:a number of|many:a lot of|some:a number of
    more than:over|over:more than|less than:under|at least:no fewer than|every year:annually|annually:each year
    each year:every year|per cent:percent|U.S.:United States|US:United States|UK:United Kingdom|United States:U.S.
    is able to:can|can:is able to|has to:must|must:has to|will:is going to|is the capital of:is the capital city of
    in order to:to|as well as:and also|such as:for example|despite:in spite of|prior to:before|before:prior to
    after:following|throughout:all through|across:throughout|currently:at present|presently:now|nowadays:today
    participated in:took part in|took part in:participated in|consists of:is made up of|includes:contains
    based in:with headquarters in|is part of:belongs to|owns:is the owner of|won the:was awarded the""",
    both_ways=False,
)
TAILS = tuple(
    """on Tuesday|on Sunday evening|last month|earlier this week|at the age of 71|after a short illness|with his brother
    for the second time|for the third year in a row|in front of a large crowd|near the border|in a written statement
    despite heavy criticism|because of rising costs|during the winter|in New York|in the north of the country
    for an undisclosed fee|for more than a decade|after a court ruling|with the help of volunteers
    at a cost of $3 million
    without any warning|as part of a new law|for the first time|for the last time|every year|twice|in most countries
    against the advice of experts|before an international audience|under a false name|at night|by accident
    on the orders of the government|in secret|to raise money for charity|in protest|in record time""".replace(
        "\n", "|"
    ).split("|")
)
QUALITIES = tuple(
    """former local British American wealthy elderly young famous military private controversial unknown retired French
    senior leading annual temporary wooden unfinished armed married religious rival
    illegal foreign independent""".split()
)
SUPERLATIVES = tuple("largest biggest oldest highest longest tallest best first only smallest fastest youngest".split())

# Past tenses whose participle is another word; of all others the two are alike.
PARTICIPLES = _pairs(
    """wrote:written|gave:given|took:taken|chose:chosen|drove:driven|broke:broken|stole:stolen|saw:seen|knew:known
    threw:thrown|drew:drawn|grew:grown|showed:shown|ate:eaten|beat:beaten|bit:bitten|began:begun|sang:sung|drank:drunk
    did:done|forgave:forgiven|hid:hidden|rode:ridden|shook:shaken|spoke:spoken|wore:worn|tore:torn|overthrew:overthrown
    undertook:undertaken|overtook:overtaken|foresaw:foreseen|flew:flown|froze:frozen|wove:woven|swore:sworn""",
    both_ways=False,
)
# Verbs whose subject and object can change places and leave the sentence true.
MUTUAL = frozenset(
    """is are was were be been being meet meets met marry marries married resemble resembles resembled include includes
    included contain contains contained mean means meant equal equals border borders bordered join joined have has had
    accompany accompanied accompanies become became becomes constitute constituted comprise comprises
    comprised""".split()
)
# Function words at which a sentence can be cut and go on as another one.
JOINTS = frozenset(
    """in on at for with from after before as by to that and because when while during against of who which about
    since until where""".split()
)
