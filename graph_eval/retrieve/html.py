"""The visible text of an HTML page, in one pass over it.

The time grows with the length of the page only, whatever is in it. That of Python's html.parser grows with the square
where tags never end, in the versions before that was mended: minutes for 100 KB.
"""

from __future__ import annotations

import re
from html import unescape

BLOCKS = frozenset(
    """p div li tr table caption ul ol dl h1 h2 h3 h4 h5 h6 title body main section article aside nav header footer form
    fieldset figure figcaption address hr pre blockquote dd dt option""".split()
)
LINES = frozenset(("br", "li", "tr", "option"))  # begin a line, not a paragraph
CELLS = frozenset(("td", "th"))
HIDDEN = frozenset(("script", "style", "template", "noscript"))
RAW = {tag: re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE) for tag in ("script", "style")}  # hold no tags
# A start tag, whose values in quotes may hold ">"; an end tag; a declaration and the like. Nothing in it is tried
# twice, and with a ">" at the end of the text each of them ends.
MARKUP = re.compile(
    r"""<(?:(?P<start>[a-z][^\s/>]*+)(?P<values>(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+)>"""
    r"""|/\s*+(?P<end>[a-z][^\s/>]*+)[^>]*+>|[!?/][^>]*+>)""",
    re.IGNORECASE,
)


def text_of_html(page: str) -> str:
    """The text that a browser shows, with empty lines between blocks. Comments, scripts and styles are left out."""
    parts: list[str] = []
    hidden = place = 0
    last_tag, last_section = page.rfind(">") + 1, page.rfind("]]>")
    while True:
        start = page.find("<", place)
        if not hidden:
            parts.append(re.sub(r"\s+", " ", unescape(page[place : None if start < 0 else start])))
        if start < 0:
            break
        if page.startswith("<!--", start):
            end = page.find("-->", start + 2)  # "<!-->" is a comment too
            if end < 0:
                break
            place = end + 3
        elif start < last_section and page.startswith("<![CDATA[", start):
            place = page.index("]]>", start) + 3
        elif tag := MARKUP.match(page, start, last_tag):
            place = tag.end()
            opened, closed = (tag["start"] or "").lower(), (tag["end"] or "").lower()
            if tag["start"] and tag["values"].endswith("/"):
                closed = opened
            if opened:
                hidden += opened in HIDDEN
                parts.append(_before(opened))
            if closed:
                hidden -= closed in HIDDEN and hidden > 0
                parts.append("\n\n" if closed in BLOCKS else "")
            if opened in RAW and not closed:
                end_tag = RAW[opened].search(page, place)
                if end_tag is None:
                    break
                place = end_tag.start()
        else:  # a "<" of the text
            if not hidden:
                parts.append("<")
            place = start + 1
    return "".join(parts)


def _before(tag: str) -> str:
    if tag in LINES or tag in CELLS:
        return "\n" if tag in LINES else " "
    return "\n\n" if tag in BLOCKS else ""
