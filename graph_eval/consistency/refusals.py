"""Texts that say nothing on any claim: empty ones, refusals, a bare yes or no, and error messages in the place of an
answer. In English, German, French, Spanish, Italian, Dutch and Portuguese."""

from __future__ import annotations

import re
from typing import NamedTuple

from graph_eval.extractors.statement import states_something
from graph_eval.text.sentences import sentences

EMPTY, REFUSAL, BARE, FAULT = "empty", "refusal", "yes or no", "error"
# Sentences that no answer of facts consists of. In a leaflet they can be claims, so only answers are read by them.
EVASIVE = re.compile(
    r"\W*(?:(?:that|this|it)(?:'s| is| was)? )?(?:unknown|unclear|uncertain|n/?a|none|null|nil|undefined"
    r"|not (?:known|sure|certain|available|applicable|specified|provided|mentioned|found)"
    r"|no (?:idea|answer|information|data|comment|results?)(?: (?:available|found))?)\W*"
    r"|\W*(?:please |you (?:should|could|may|might) "
    r"|i(?:'d| would) (?:recommend|suggest|advise) (?:that you |you |to )?)+"
    r"(?:consult|contact|ask|see|check|refer to|speak (?:to|with)|talk to|visit|look (?:at|up|for)|search|verify|try)"
    r"(?:ing)?\b.*",
    re.IGNORECASE | re.DOTALL,
)
# "As of my last update, ...", "Based on my training data, ...": what follows is stated, or refused
KNOWLEDGE = re.compile(
    r"\W*(?:(?:as|up) (?:of|to|until)|based on|according to|to|until|given|with)"
    r" (?:my|the) (?:(?:last|latest|most|recent|current|own) )*"
    r"(?:updates?|training|knowledge|cut-?off|information|data|understanding|records)\b[^,]{0,60},\s*",
    re.IGNORECASE,
)
# What a server or a library writes instead of an answer
SERVER_FAULT = re.compile(
    r"\W*(?:"
    r"(?:[\w.]{0,60}error|[\w.]{0,60}exception|fehler|erreur)\s*(?:code\s*)?(?:[:(]|\d{3}\b).*"
    r"|(?:http\S* |status |error |code ){0,3}[45]\d\d\W+(?:bad|too|internal|service|gateway|unauthori[sz]ed|forbidden"
    r"|not|server|client)\b.*"
    r"|(?:api |token )?(?:rate limit|quota|context length) (?:exceeded|reached|error)\b.*"
    r"|(?:too many requests|internal server error|service unavailable|bad gateway|gateway time-?out)\b.*"
    r"|(?:the )?(?:request|connection|server) (?:has |was )?(?:timed out|failed|aborted|refused|reset)\b.*"
    r"|time-?out|timed out|traceback \(most recent call last\).*"
    r")\W*",
    re.IGNORECASE | re.DOTALL,
)


class Words(NamedTuple):
    """Patterns of one language. `sorry`: apologies, and words around them. `but`: a word behind which something may be
    stated. `unknown`: how a sentence begins that says what the speaker cannot say. `nothing`: whole answers without
    content. `polar`: yes and no."""

    sorry: str
    but: str
    unknown: str
    nothing: str
    polar: str


WORDS = {
    "de": Words(
        r"(?:es )?tut mir (?:sehr |wirklich )?leid|entschuldigung|verzeihung|leider|ich bedaure|sorry",
        r"aber|jedoch|allerdings|sondern",
        r"(?:leider )?(?:(?:das|dies|davon|dazu|darüber|hierzu) )?"
        r"(?:(?:weiß|weiss|kann|habe|kenne) ich|(?:ist|liegen) mir)\b.*\b(?:nicht|keine[nr]?|nichts)\b"
        r"|(?:leider )?ich (?:weiß|weiss|kenne|kann|habe|verfüge|bin)\b.*\b(?:nicht|keine[nr]?|nichts)\b"
        r"|(?:leider )?(?:dazu|darüber|hierzu) (?:gibt es|liegen)\b.*\bkeine\b"
        r"|als (?:ki|künstliche intelligenz|sprachmodell)\b.*\b(?:nicht|keine[nr]?)\b",
        r"(?:das ist |es ist |ist )?(?:unbekannt|unklar|nicht bekannt|unbestimmt)|weiß nicht"
        r"|keine (?:ahnung|angaben?|antwort|daten|informationen)",
        r"ja|nein|doch|wahr|falsch|richtig|stimmt",
    ),
    "fr": Words(
        r"(?:je suis )?(?:vraiment )?désolée?|malheureusement|pardon|excusez-moi|je regrette",
        r"mais|cependant|toutefois",
        r"(?:malheureusement,? )?je (?:ne |n')(?:(?:le|la|les|en) )?"
        r"(?:sais|peux|dispose|connais|trouve|suis|ai|possède)\b.*\b(?:pas|aucune?|rien)\b"
        r"|je (?:ne sais|l'ignore|ignore)\b"
        r"|en tant qu(?:e |')(?:ia|intelligence|modèle|assistant)\b.*\bne\b.*\bpas\b",
        r"(?:c'est )?inconnue?|aucune (?:idée|information|donnée|réponse)|je ne sais pas|non (?:précisé|disponible)",
        r"oui|non|si|vrai|faux",
    ),
    "es": Words(
        r"lo siento(?: mucho)?|lo lamento|disculpe?|perdón|desafortunadamente|lamentablemente|perdone",
        r"pero|sin embargo|aunque",
        r"(?:yo )?no (?:(?:lo|la|te|le) )?(?:sé|puedo|tengo|dispongo|conozco|encuentro|cuento|estoy segur[oa])\b.*"
        r"|(?:se )?(?:desconozco|desconoce)\b.*|no se (?:sabe|conoce)\b.*"
        r"|como (?:ia|inteligencia artificial|modelo de lenguaje|asistente)\b.*\bno\b.*",
        r"(?:es |está )?desconocid[oa]|sin (?:datos|información|respuesta)|ni idea|no disponible",
        r"sí|si|no|verdadero|falso|cierto|correcto",
    ),
    "it": Words(
        r"(?:mi )?(?:dispiace|spiace)|scusa(?:mi|te)?|mi scusi|purtroppo",
        r"ma|però|tuttavia",
        r"(?:purtroppo )?(?:io )?non (?:(?:lo|la|ne) )?"
        r"(?:so|posso|ho|dispongo|conosco|trovo|sono (?:in grado|sicur[oa]))\b.*"
        r"|come (?:ia|intelligenza artificiale|modello linguistico|assistente)\b.*\bnon\b.*",
        r"(?:è )?sconosciut[oa]|nessuna (?:idea|informazione|risposta)|nessun dato|non (?:noto|nota|disponibile)",
        r"sì|si|no|vero|falso|corretto",
    ),
    "nl": Words(
        r"(?:het )?spijt me(?: zeer)?|sorry|helaas|excuses|pardon",
        r"maar|echter",
        r"(?:helaas )?(?:dat|dit|daar|daarover) (?:weet|kan|heb|ken) ik\b.*\b(?:niet|geen|niets)\b.*"
        r"|(?:helaas )?ik (?:weet|kan|heb|ken|beschik|ben)\b.*\b(?:niet|geen|niets)\b.*"
        r"|(?:helaas )?(?:weet|kan|heb) ik\b.*\b(?:niet|geen|niets)\b.*"
        r"|als (?:ai|taalmodel|assistent)\b.*\b(?:niet|geen)\b.*",
        r"(?:dat is |het is )?(?:onbekend|onduidelijk|niet bekend)|geen (?:idee|informatie|gegevens|antwoord)",
        r"ja|nee|neen|waar|onwaar|juist",
    ),
    "pt": Words(
        r"(?:sinto|lamento) muito|lamento|desculpe?|infelizmente|peço desculpas?|perdão",
        r"mas|porém|contudo|no entanto",
        r"(?:infelizmente,? )?(?:eu )?não (?:(?:o|a|te|lhe) )?"
        r"(?:sei|posso|tenho|disponho|conheço|encontro|consigo|estou)\b.*|(?:eu )?desconheço\b.*|não se sabe\b.*"
        r"|como (?:ia|inteligência artificial|modelo de linguagem|assistente)\b.*\bnão\b.*",
        r"(?:é )?desconhecid[oa]|sem (?:dados|informaç(?:ão|ões)|resposta)|não disponível",
        r"sim|não|verdadeiro|falso|certo|correto",
    ),
}
YES_OR_NO = re.compile(
    rf"\W*(?:yes|no|yep|nope|yeah|true|false|correct|incorrect|{'|'.join(row.polar for row in WORDS.values())})\W*",
    re.IGNORECASE,
)
# "Es tut mir leid, aber das weiß ich nicht."; not "Ich weiß es nicht genau, aber es war wohl Warschau."
ELSEWHERE = re.compile(
    "|".join(
        rf"(?=.)(?:\W*(?:{row.sorry})\b)*\W*(?:(?:{row.but})\b\W*)?(?:(?:{row.sorry})\b\W*)*"
        rf"(?:(?!.*\W(?:{row.but})\W)(?:{row.unknown})[^.]*|{row.nothing})?\W*"
        for row in WORDS.values()
    ),
    re.IGNORECASE | re.DOTALL,
)
SHORT = 400  # characters: no sentence of a refusal is longer


def says_nothing(text: str) -> str | None:
    """Why a text says nothing on any claim, or None for one that does."""
    if not text.strip():
        return EMPTY
    if YES_OR_NO.fullmatch(text):
        return BARE
    if SERVER_FAULT.fullmatch(text):
        return FAULT
    if not any(_states_something(sentence.span.of(text)) for sentence in sentences(text)):
        return REFUSAL
    return None


def _states_something(sentence: str) -> bool:
    sentence = KNOWLEDGE.sub("", sentence.replace("’", "'"), count=1).strip()
    if not states_something(sentence) or EVASIVE.fullmatch(sentence):
        return False
    return len(sentence) > SHORT or not ELSEWHERE.fullmatch(sentence)
