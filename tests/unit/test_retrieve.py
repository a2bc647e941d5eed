"""Retrieval over files: what is read and where it stands, indexes that survive, BM25 by its formula, fusion, and the
retrievers of other packages."""

import errno
import json
import math
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import pairwise, permutations
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from graph_eval.errors import GraphEvalWarning, InputError, MissingPartError, UsageError
from graph_eval.registry import create
from graph_eval.retrieve import bm25 as bm25_room
from graph_eval.retrieve import corpus as corpora
from graph_eval.retrieve.bm25 import K1, B, BM25Retriever, tokens
from graph_eval.retrieve.corpus import MOST_BYTES, WORDS, Corpus, files_of, passages_of, read, words_in
from graph_eval.retrieve.foreign import ForeignRetriever, FunctionRetriever, as_retriever
from graph_eval.retrieve.fuse import reciprocal_rank_fusion
from graph_eval.retrieve.html import text_of_html
from graph_eval.retrieve.index import CONTENT, LEFT_BEHIND, META, PASSAGES
from graph_eval.retrieve.indexed import best_places
from graph_eval.retrieve.queries import history_of
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import RetrievalSettings, Settings
from graph_eval.testing.checkers import in_threads
from graph_eval.types import Example, ItemError, Passage
from tests.conftest import missing

LONG = "Ada opened the bank of Mora in 1889, and her brother kept its books for thirty years. " * 40
BINARY = bytes(range(256)) * 20


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    place = tmp_path / "docs"
    place.mkdir()
    (place / "bank.txt").write_text("The bank of Mora was opened in 1889.")
    (place / "train.md").write_text("# Trains\n\nTrains to Mora leave at nine.")
    return place


def problems_of(place: Path) -> dict[str, str]:
    """Why each file of a corpus, or line of one, was left out."""
    files, left_out = files_of(place)
    return {problem.place: problem.reason for problem in (*left_out, *read(files).problems)}


def texts_of(place: Path) -> list[str]:
    return [passage.text for passage in read(files_of(place)[0]).passages]


def found(retriever: Retriever, *texts: str, k: int = 3) -> list[list[str]]:
    answers = retriever.retrieve([Query(text) for text in texts], k)
    assert not any(isinstance(answer, ItemError) for answer in answers), answers
    return [[passage.text for passage in answer] for answer in answers if not isinstance(answer, ItemError)]


def error_of(retriever: Retriever, query: Query | None = None) -> str:
    """The error of a query."""
    (answer,) = retriever.retrieve([query or Query("a")], 3)
    assert isinstance(answer, ItemError), answer
    assert answer.stage == "ground"
    return answer.message


# ---- what is read of a folder ----


def test_files_are_read_by_their_names_also_in_folders_below(docs: Path) -> None:
    (docs / "a" / "b").mkdir(parents=True)
    (docs / "a" / "b" / "DEEP.TXT").write_text("Deep down.")
    (docs / "table.csv").write_text("not,read")
    assert [file.name for file in files_of(docs)[0]] == ["a/b/DEEP.TXT", "bank.txt", "train.md"]
    assert [passage.source for passage in read(files_of(docs)[0]).passages] == [
        "a/b/DEEP.TXT#0-10",
        "bank.txt#0-36",
        "train.md#0-39",
    ]
    assert problems_of(docs) == {}


def test_hidden_files_and_folders_are_not_looked_at(docs: Path) -> None:
    (docs / ".git").mkdir()
    (docs / ".git" / "a.txt").write_text("hidden")
    (docs / "._bank.txt").write_bytes(BINARY)  # as macOS writes beside each file
    assert [file.name for file in files_of(docs)[0]] == ["bank.txt", "train.md"]
    assert problems_of(docs) == {}


def test_one_file_is_a_corpus(docs: Path) -> None:
    assert [passage.source for passage in read(files_of(docs / "bank.txt")[0]).passages] == ["bank.txt#0-36"]


@pytest.mark.parametrize("name", ["a.csv", "a", "a.docx"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a,b")
    with pytest.raises(InputError, match=f"{name} is a file of another kind") as caught:
        files_of(tmp_path / name)
    assert caught.value.hint == "supported: .txt, .md, .html, .htm, .pdf, .jsonl"


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        BM25Retriever("a" * 300)


def test_a_corpus_without_a_file_or_a_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none does not exist"):
        files_of(tmp_path / "none")
    with pytest.raises(InputError, match=r"has no file to read\nsupported: "):
        files_of(tmp_path)
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"has no file to read: gone.txt: No such file"):
        files_of(tmp_path)
    (tmp_path / "empty.txt").write_text(" \n\n ")
    with pytest.raises(InputError, match=r"the corpus has no passage\nadd files with text: "):
        read(files_of(tmp_path)[0])
    (tmp_path / "binary.txt").write_bytes(BINARY)
    with pytest.raises(InputError, match=r"no passage: binary.txt: it is a binary file"):
        read(files_of(tmp_path)[0])


def test_links_out_of_the_folder_are_left_out_and_named(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "o.txt").write_text("other")
    (docs / "out.txt").symlink_to(tmp_path / "secret.txt")
    (docs / "inside.txt").symlink_to(docs / "bank.txt")
    (docs / "dangling.md").symlink_to(docs / "nothing.md")
    (docs / "circle.txt").symlink_to(docs / "circle.txt")
    (docs / "folder").symlink_to(tmp_path / "other")
    (docs / "up").symlink_to(docs)
    assert problems_of(docs) == {
        "circle.txt": "its links go in a circle",
        "dangling.md": "No such file or directory",
        "folder": "it is a link to a folder",
        "out.txt": "it is a link out of the folder",
        "up": "it is a link to a folder",
    }
    assert [file.name for file in files_of(docs)[0]] == ["bank.txt", "inside.txt", "train.md"]


def test_a_linked_corpus_is_read(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(docs)
    assert [file.name for file in files_of(tmp_path / "link")[0]] == ["bank.txt", "train.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_not_waited_for(docs: Path) -> None:
    os.mkfifo(docs / "pipe.txt")
    assert problems_of(docs) == {"pipe.txt": "it is not a file"}


def test_a_file_of_more_than_100_mb_is_left_out_unread(docs: Path) -> None:
    with (docs / "large.txt").open("wb") as stream:
        stream.truncate(1_000_000_000)  # sparse: it takes no room
    assert problems_of(docs) == {"large.txt": "it is larger than 100 MB"}
    with (docs / "large.txt").open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    assert "large.txt" in problems_of(docs)


def test_a_file_that_goes_away_is_named(docs: Path) -> None:
    files, _ = files_of(docs)
    (docs / "bank.txt").unlink()
    corpus = read(files)
    assert [passage.text for passage in corpus.passages] == ["# Trains\n\nTrains to Mora leave at nine."]
    assert list(map(str, corpus.problems)) == ["bank.txt: No such file or directory"]


def test_a_folder_that_cannot_be_listed_is_named(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "closed").mkdir()
    scandir = os.scandir

    def closed(place: Any) -> Any:  # as the superuser a test cannot take the right away
        if str(place).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(place))
        return scandir(place)

    monkeypatch.setattr(os, "scandir", closed)
    assert problems_of(docs) == {"closed": "Permission denied"}


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from graph_eval.retrieve.corpus import files_of, read
import graph_eval.text.sentences
if os.geteuid() == 0:
    os.seteuid(65534)  # root may read everything
files, left_out = files_of(Path(sys.argv[1]))
corpus = read(files)
print(sorted(str(problem) for problem in (*left_out, *corpus.problems)), len(corpus.passages))
"""


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="no users")
def test_what_the_user_may_not_read_is_named() -> None:
    with tempfile.TemporaryDirectory() as place:  # below no folder that only its owner may enter
        docs = Path(place)
        docs.chmod(0o755)
        for name in ("open.txt", "locked.txt", "closed/a.txt"):
            (docs / name).parent.mkdir(exist_ok=True)
            (docs / name).write_text("Ada opened the bank.")
            (docs / name).chmod(0o644)
        (docs / "locked.txt").chmod(0)
        (docs / "closed").chmod(0)
        done = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED, place], capture_output=True, text=True, timeout=60, check=False
        )
        (docs / "closed").chmod(0o755)
    assert done.stdout == "['closed: Permission denied', 'locked.txt: Permission denied'] 1\n", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
def test_a_file_name_that_is_no_utf8(docs: Path) -> None:
    (docs / os.fsdecode(b"caf\xe9.txt")).write_text("Coffee.")
    retriever = BM25Retriever(docs, docs / "index")
    assert found(retriever, "coffee") == [["Coffee."]]
    assert found(BM25Retriever(docs, docs / "index"), "coffee") == [["Coffee."]]


# ---- encodings ----


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_utf8_and_utf16_are_read(tmp_path: Path, encoding: str, name: str) -> None:
    (tmp_path / name).write_bytes("Émile opened a café — 7 €.".encode(encoding))
    assert texts_of(tmp_path) == ["Émile opened a café — 7 €."]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (BINARY, "it is a binary file"),
        (b"text\0text", "it is a binary file"),
        ("Émile".encode("utf-16-le"), "it is a binary file"),  # without a byte order mark
        ("a".encode("utf-32"), "it is a binary file"),
        ("caf\xe9".encode("latin-1"), "it is not UTF-8 (byte 3): convert it"),
        ("“quoted”".encode("cp1252"), "it is not UTF-8 (byte 0): convert it"),
        ("日本語".encode("shift-jis"), "it is not UTF-8 (byte 0): convert it"),
        (b"\xff\xfea\0b", "it is not UTF-16 (byte 4): convert it"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.jsonl"])
def test_other_encodings_are_named_and_the_rest_goes_on(docs: Path, content: bytes, reason: str, name: str) -> None:
    (docs / name).write_bytes(content)
    assert problems_of(docs) == {name: reason}
    assert len(texts_of(docs)) == 2


# ---- kinds of files ----


def test_html_is_its_visible_text(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<html><head><title>The bank</title><style>p {}</style><script>var x = '<p>no</p>';</script></head>"
        "<body>Hello<h1>Mora&nbsp;&amp; Orsa</h1><p>Ada <b>opened</b>\n it.<br>In 1889.</p>"
        "<ul><li>one<li>two</ul><table><tr><td>Year</td><td>1889</td></tr></table><noscript>off</noscript>"
        "<nav>Home</nav>tail &lt;p&gt;<p>unclosed"
    )
    (text,) = texts_of(tmp_path)
    assert text.split() == (
        "The bank Hello Mora & Orsa Ada opened it. In 1889. one two Year 1889 Home tail <p> unclosed".split()
    )
    assert [" ".join(block.split()) for block in re.split(r"\n\s*\n", text)] == [
        *("The bank", "Hello", "Mora & Orsa", "Ada opened it. In 1889.", "one two", "Year 1889", "Home", "tail <p>"),
        "unclosed",
    ]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<p title="a > b">one', "one"),
        ("<p title='a > b' lang=en>one", "one"),
        ("<img alt=\"it's\">one's", "one's"),
        ("<a title=it's>one</a> isn't two", "one isn't two"),
        ("<P>one</P><SCRIPT>no</SCRIPT>", "one"),
        ("<script>a < b; c</scripted> no</script >one", "one"),
        ("<script src=x/>one", "one"),
        ("<style>no<noscript></style>one", "one"),
        ("<noscript><style>no</style>no</noscript>one", "one"),
        ("a < b, 1<2 and 3 > 2", "a < b, 1<2 and 3 > 2"),
        ("one<", "one<"),
        ("one <b", "one <b"),
        ("<!-- no > no -->one<!---->two<!-->three", "onetwothree"),
        ("<?xml version='1.0'?><!DOCTYPE html><![CDATA[no > no]]>one</>", "one"),
        ("&lt;b&gt; &#233;&eacute; &amp;amp; &unknown; &", "<b> éé &amp; &unknown; &"),
        ("<p/>one<br/>two", "one two"),
        ("", ""),
    ],
)
def test_what_is_text_of_a_page(page: str, expected: str) -> None:
    assert " ".join(text_of_html(page).split()) == expected


def test_html_that_is_broken_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("</div></script>One <p <b>two</b> &unknown; <!-- never closed")
    (text,) = texts_of(tmp_path)
    assert text.startswith("One")
    (tmp_path / "a.html").write_text("<script>only a script")
    with pytest.raises(InputError, match="no passage"):
        texts_of(tmp_path)


def pdf(text: str) -> bytes:
    """A PDF of one page with this text."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
    resources = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources {resources} >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
    ]
    content, offsets = "%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        offsets.append(len(content))
        content += f"{number} 0 obj\n{item}\nendobj\n"
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
    return (content + table + trailer).encode("ascii")


def test_the_text_of_a_pdf(docs: Path) -> None:
    (docs / "a.pdf").write_bytes(pdf("Ada opened the bank of Orsa."))
    (docs / "damaged.pdf").write_bytes(b"%PDF-1.4 nothing")
    (docs / "pictures.pdf").write_bytes(pdf(""))
    corpus = read(files_of(docs)[0])
    (passage,) = (passage for passage in corpus.passages if passage.source and passage.source.startswith("a.pdf"))
    assert passage == Passage.of("Ada opened the bank of Orsa.", "a.pdf#0-28")
    reasons = problems_of(docs)
    assert list(reasons) == ["damaged.pdf", "pictures.pdf"]
    assert reasons["damaged.pdf"].startswith("it is not a readable PDF: ")
    assert reasons["pictures.pdf"] == "it has no text, only pictures perhaps"


def test_an_encrypted_pdf_is_named(docs: Path) -> None:
    import io

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Secret."))))
    writer.encrypt("word", algorithm="RC4-128")
    writer.write(docs / "closed.pdf")
    assert problems_of(docs)["closed.pdf"].startswith("it is not a readable PDF: ")


def test_without_pypdf_a_pdf_says_what_to_install(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "a.pdf").write_bytes(pdf("Ada."))
    monkeypatch.setattr(corpora, "find_spec", lambda _: None)
    with pytest.raises(MissingPartError, match="pypdf is not installed") as caught:
        read(files_of(docs)[0])
    assert caught.value.hint == "pip install 'graph_eval[retrieval]'"


def test_lines_of_jsonl(tmp_path: Path) -> None:
    lines = [
        '{"text": "one", "year": 1889, "open": true, "rate": 1.5, "place": "Mora", "tags": ["x"], "none": null}',
        '"two"',
        "",
        '{"context": ["three", " ", "four"], "source": "page 4", "year": 1890}',
        '{"passage": "five", "title": "T"}\r',
        '{"text": "", "content": "six"}',
        '["seven", "eight"]',
        '{"text": "one", "year": 1999}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    corpus = read(files_of(tmp_path)[0])
    assert [(passage.text, passage.source) for passage in corpus.passages] == [
        ("one", "a.jsonl:1"),
        ("two", "a.jsonl:2"),
        ("three", "page 4"),
        ("four", "page 4"),
        ("five", "a.jsonl:5"),
        ("six", "a.jsonl:6"),
        ("seven", "a.jsonl:7"),
        ("eight", "a.jsonl:7"),
        ("one", "a.jsonl:8"),  # with another year
    ]
    assert corpus.values[0] == {"year": "1889", "open": "true", "rate": "1.5", "place": "Mora"}
    assert corpus.values[2] == corpus.values[3] == {"year": "1890"}
    assert corpus.problems == []
    assert corpus.fields == {
        "open": ["true"],
        "place": ["Mora"],
        "rate": ["1.5"],
        "text": [""],
        "title": ["T"],
        "year": ["1890", "1889", "1999"],
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it is no JSON: "),
        ("[" * 100_000, "it is no JSON: "),
        ("1" * 5000, "it is no JSON: "),
        ("7", "it has no text: write text or context or passage or content"),
        ("null", "it has no text: "),
        ('{"title": "T"}', "it has no text: "),
        ('{"": "T"}', "it has no text: "),
        ('{"text": {"a": 1}}', "it has no text: "),
        ('{"text": ["a", 7]}', "it has no text: "),
    ],
)
def test_bad_lines_of_jsonl_are_named(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "a.jsonl").write_text(f'"good"\n{line}\n"also good"\n')
    assert texts_of(tmp_path) == ["good", "also good"]
    (place, told), *others = problems_of(tmp_path).items()
    assert (place, others) == ("a.jsonl:2", [])
    assert told.startswith(reason)


def test_half_a_character_becomes_a_question_mark(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a \\ud83d bank", "source": "\\ud83d", "year\\ud83d": "\\ud83d"}')
    BM25Retriever(tmp_path, tmp_path / "index")
    retriever = BM25Retriever(tmp_path, tmp_path / "index")
    assert retriever.retrieve([Query("bank")], 1) == [[Passage.of("a ? bank", "?")]]
    assert retriever.fields == {"year?": ["?"]}


# ---- passages ----


@hypothesis_settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.sampled_from(["\n\n", "\r\n\r\n", "\n \n", "1. One item.\n- Two.\n", "* * *\n"]),
            st.sampled_from([LONG, "漢字" * 700, "x" * 3000, "* " * 200]),
        ),
        max_size=8,
    )
)
def test_a_passage_stands_where_its_source_says_and_nothing_is_left_out(parts: list[str]) -> None:
    text = "".join(parts)
    end = 0
    for passage in passages_of("a.txt", text):
        name, _, place = (passage.source or "").partition("#")
        start, stop = map(int, place.split("-"))
        assert name == "a.txt"
        assert text[start:stop] == passage.text
        assert passage.text == passage.text.strip()
        assert start >= end
        assert not text[end:start].strip(), "only white space lies between passages"
        end = stop
    assert not text[end:].strip()


def test_offsets_are_those_of_the_file(tmp_path: Path) -> None:
    years = " ".join(f"In {year} Ada opened a bank in a town, and her brother kept its books." for year in range(99))
    content = f"Ünë.\r\n\r\n{years}\r\n\r\n{LONG}\n"
    (tmp_path / "a.txt").write_bytes(content.encode("utf-8-sig"))
    passages = read(files_of(tmp_path)[0]).passages
    assert len(passages) > 4
    for passage in passages:
        assert passage.source is not None
        start, stop = map(int, passage.source.removeprefix("a.txt#").split("-"))
        assert content[start:stop] == passage.text


def test_passages_have_about_100_words_and_whole_sentences() -> None:
    passages = list(passages_of("a", LONG))
    assert len(passages) > 5
    for passage in passages:
        assert 0 < words_in(passage.text) <= WORDS
        assert passage.text.startswith("Ada opened")
        assert passage.text.endswith("years.")
    assert min(words_in(passage.text) for passage in passages[:-1]) > WORDS - 17  # the next sentence did not fit


def test_short_paragraphs_are_one_passage_and_stay_whole() -> None:
    text = "\n\n".join(f"Paragraph {number} has {'some ' * 30}words." for number in range(6))
    passages = list(passages_of("a", text))
    assert [passage.text.count("Paragraph") for passage in passages] == [2, 2, 2]


def test_texts_without_spaces_are_cut_too() -> None:
    sizes = [len(passage.text) for passage in passages_of("a", "漢字仮名交じり文。" * 1000)]
    assert sum(sizes) == 9000
    assert max(sizes) <= 1000


def test_the_list_markers_of_a_long_list_are_kept() -> None:
    text = "\n".join(f"{number}. Item {number} is about {'words ' * 20}." for number in range(1, 12))
    passages = [passage.text for passage in passages_of("a", text)]
    assert len(passages) > 1
    assert "\n".join(passages) == text


def test_equal_passages_are_one_with_the_first_source(docs: Path) -> None:
    (docs / "copy.txt").write_text((docs / "bank.txt").read_text())
    assert [passage.source for passage in read(files_of(docs)[0]).passages] == ["bank.txt#0-36", "train.md#0-39"]


def test_a_corpus_in_memory() -> None:
    corpus = Corpus.of(["a", Passage.of("b", "s"), "a", " "])
    assert [(passage.text, passage.source) for passage in corpus.passages] == [("a", None), ("b", "s")]
    assert corpus.digest == Corpus.of(["a", Passage.of("b", "s")]).digest
    assert corpus.digest not in {Corpus.of(["a", "b"]).digest, Corpus.of(["b", "a"]).digest, Corpus.of([]).digest}
    assert corpus.fields == {}


def test_the_digest_follows_names_and_contents(docs: Path) -> None:
    digests = [read(files_of(docs)[0]).digest for _ in range(2)]
    (docs / "bank.txt").rename(docs / "bank2.txt")
    digests.append(read(files_of(docs)[0]).digest)
    (docs / "bank2.txt").write_text("Other.")
    digests.append(read(files_of(docs)[0]).digest)
    assert len(set(digests)) == 3
    assert digests[0] == digests[1]


# ---- the index ----


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


def quiet(source: Path, index: Path | None) -> BM25Retriever:
    """A retriever that must not warn: the index is used as it is, or made for the first time."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return BM25Retriever(source, index)


def contents(index: Path) -> list[Path]:
    return sorted(place for place in index.iterdir() if place.name.startswith(CONTENT))


def test_an_index_is_saved_and_used_again(docs: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = quiet(docs, index)
    state = {place: place.stat().st_mtime_ns for place in index.rglob("*")}
    monkeypatch.setattr("graph_eval.retrieve.bm25._indexed", None)  # it is not made again
    monkeypatch.setattr("graph_eval.retrieve.index.read", None)
    again = quiet(docs, index)
    assert {place: place.stat().st_mtime_ns for place in index.rglob("*")} == state
    assert again.fingerprint == made.fingerprint
    assert again.corpus.passages == made.corpus.passages
    for query in ("opened bank", "trains", "Mora", "nothing of it"):
        assert found(again, query) == found(made, query)


def test_the_index_keeps_fields_sources_and_problems(tmp_path: Path, index: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one bank", "year": 1889}\n{\n')
    with pytest.warns(GraphEvalWarning, match="could not be read in 1 place: a.jsonl:2: it is no JSON"):
        made = BM25Retriever(tmp_path / "a.jsonl", index)
    with pytest.warns(GraphEvalWarning, match="could not be read in 1 place: a.jsonl:2: it is no JSON"):
        again = BM25Retriever(tmp_path / "a.jsonl", index)
    assert again.fields == made.fields == {"year": ["1889"]}
    assert again.retrieve([Query("bank", (("year", "1889"),))], 1) == [[Passage.of("one bank", "a.jsonl:1")]]


def test_three_problems_are_named_and_all_are_counted(docs: Path) -> None:
    for number in range(5):
        (docs / f"bad{number}.txt").write_bytes(BINARY)
    with pytest.warns(GraphEvalWarning) as told:
        BM25Retriever(docs)
    (message,) = [str(warning.message) for warning in told]
    assert message.startswith("the corpus could not be read in 5 places: bad0.txt: it is a binary file; bad1.txt")
    assert message.endswith("bad2.txt: it is a binary file ...")


def change(docs: Path, how: str) -> None:
    bank = docs / "bank.txt"
    if how == "added":
        (docs / "new.txt").write_text("Zebras run.")
    elif how == "changed":
        bank.write_text("Zebras run.")
    elif how == "same size":
        before = bank.stat().st_mtime_ns
        bank.write_text(bank.read_text()[:-12] + "by zebras .."[:12])
        os.utime(bank, ns=(before + 1, before + 1))  # the clock of some file systems is coarse
    elif how == "renamed":
        bank.rename(docs / "zebras.txt")
    else:
        bank.unlink()


@pytest.mark.parametrize("how", ["added", "changed", "same size", "renamed", "removed"])
def test_a_changed_corpus_is_noticed(docs: Path, index: Path, how: str) -> None:
    old = quiet(docs, index)
    change(docs, how)
    with pytest.warns(GraphEvalWarning, match=r"the corpus has changed since .*index was made: making it again"):
        new = BM25Retriever(docs, index)
    assert new.fingerprint != old.fingerprint
    assert new.corpus.passages == BM25Retriever(docs).corpus.passages
    if how in ("added", "changed", "same size"):
        assert "zebras" in found(new, "zebras")[0][0].lower()
    assert len(contents(index)) == 1, "the old content is removed"
    assert quiet(docs, index).fingerprint == new.fingerprint


def damage(content: Path, how: str) -> None:
    files = sorted(content.iterdir(), key=lambda file: file.stat().st_size)
    if how == "gone":
        for file in files:
            file.unlink()
        content.rmdir()
    elif how == "a file gone":
        files[-1].unlink()
    elif how == "fewer passages":
        rows = (content / PASSAGES).read_text().splitlines(keepends=True)
        (content / PASSAGES).write_text("".join(rows[:-1]))
    elif how == "a row that is no JSON":
        rows = (content / PASSAGES).read_text()
        (content / PASSAGES).write_text("{" + rows[1:])
    elif how == "a row of another shape":
        rows = (content / PASSAGES).read_text()
        (content / PASSAGES).write_text("7" + " " * (len(rows) - 1))
    else:
        for file in files:
            size = {"empty": 0, "half": file.stat().st_size // 2, "zeros": file.stat().st_size}[how]
            file.write_bytes(bytes(size) if how == "zeros" else file.read_bytes()[:size])


@pytest.mark.parametrize(
    "how",
    [
        "gone",
        "a file gone",
        "fewer passages",
        "a row that is no JSON",
        "a row of another shape",
        "empty",
        "half",
        "zeros",
    ],
)
def test_a_damaged_index_is_made_again(docs: Path, index: Path, how: str) -> None:
    made = quiet(docs, index)
    damage(contents(index)[0], how)
    with pytest.warns(GraphEvalWarning, match=r"index is damaged: making it again"):
        again = BM25Retriever(docs, index)
    assert found(again, "opened bank", "trains") == found(made, "opened bank", "trains")
    assert quiet(docs, index).fingerprint == made.fingerprint


@pytest.mark.parametrize("name", ["vocab.index.json", "params.index.json", "data.csc.index.npy"])
def test_each_damaged_file_is_noticed(docs: Path, index: Path, name: str) -> None:
    quiet(docs, index)
    file = contents(index)[0] / name
    file.write_bytes(b"#" * file.stat().st_size)
    with pytest.warns(GraphEvalWarning, match="is damaged"):
        assert found(BM25Retriever(docs, index), "trains") == [["# Trains\n\nTrains to Mora leave at nine."]]


def test_the_index_of_another_version_is_made_again(docs: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(docs, index)
    monkeypatch.setattr("graph_eval.retrieve.bm25.VERSION", "bm25-next")
    with pytest.warns(GraphEvalWarning, match="was made by another retriever or another version: making it again"):
        BM25Retriever(docs, index)


def other_content(index: Path, how: str) -> None:
    if how == "a file":
        index.write_text("mine")
        return
    index.mkdir()
    if how == "foreign files":
        (index / "thesis.doc").write_text("mine")
    elif how == "a foreign file beside content":
        (index / f"{CONTENT}1").mkdir()
        (index / "thesis.doc").write_text("mine")
    else:
        (index / META).write_text(how)


@pytest.mark.parametrize(
    "how",
    [
        *("a file", "foreign files", "a foreign file beside content", "no JSON", "7", "[]", "{}", '{"folder": 7}'),
        *('{"folder": "/tmp/content-1", "version": "1"}', '{"folder": "../content-1", "version": "1"}'),
        *('{"folder": "content-1"}', '{"folder": "content-1/..", "version": "1"}'),
    ],
)
def test_a_folder_with_other_content_is_refused_and_stays(docs: Path, index: Path, how: str) -> None:
    other_content(index, how)
    before = {place: place.read_bytes() for place in (index, *index.rglob("*")) if place.is_file()}
    with pytest.raises(UsageError, match="index is not an index") as caught:
        BM25Retriever(docs, index)
    assert caught.value.hint == "pass another folder, or an empty one"
    assert {place: place.read_bytes() for place in (index, *index.rglob("*")) if place.is_file()} == before


def test_an_empty_or_a_new_folder_becomes_an_index(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "empty", tmp_path / "new" / "below"):
        quiet(docs, place)
        assert (place / META).is_file()


@pytest.mark.parametrize("when", ["the folder", "the content", "index.json"])
def test_an_index_that_cannot_be_written_is_named(
    docs: Path, index: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    target = {"the folder": (Path, "mkdir"), "the content": (bm25_room, "_save"), "index.json": (os, "replace")}[when]
    monkeypatch.setattr(*target, full)
    with pytest.raises(UsageError, match="cannot be written: No space left") as problem:
        BM25Retriever(docs, index)
    assert problem.value.hint == "pass another folder, or none: then the index is made in memory"
    monkeypatch.undo()
    assert not list(index.glob("*")), "what was begun is left behind"
    assert found(BM25Retriever(docs, index), "bank")


def test_an_index_inside_of_its_corpus_is_no_part_of_it(docs: Path) -> None:
    made = quiet(docs, docs / "index")
    again = quiet(docs, docs / "index")
    assert again.fingerprint == made.fingerprint
    assert len(again.corpus.passages) == 2


def test_what_was_left_behind_long_ago_is_removed(docs: Path, index: Path) -> None:
    for name, age in ((f"{CONTENT}old", LEFT_BEHIND + 60), (f"{CONTENT}new", 60)):
        (index / name).mkdir(parents=True)
        os.utime(index / name, (time.time() - age,) * 2)
    quiet(docs, index)
    names = {place.name for place in contents(index)}
    assert f"{CONTENT}new" in names, "another process may be writing it"
    assert f"{CONTENT}old" not in names
    assert len(names) == 2


def test_an_index_that_another_process_replaces_meanwhile(
    docs: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the reading of index.json and of the content that it names, this content goes."""
    import graph_eval.retrieve.bm25 as module

    quiet(docs, index)
    load, (first,) = module._load, contents(index)

    def replaced(place: Path) -> Any:
        if place == first:
            meta = json.loads((index / META).read_text())
            first.rename(index / f"{CONTENT}second")
            (index / META).write_text(json.dumps({**meta, "folder": f"{CONTENT}second"}))
        return load(place)

    monkeypatch.setattr(module, "_load", replaced)
    assert found(quiet(docs, index), "trains") == [["# Trains\n\nTrains to Mora leave at nine."]]


# ---- killed, and two at once ----

PROGRAM = """
import os, signal, sys, time, warnings
from pathlib import Path
from graph_eval.retrieve import bm25, corpus, index
warnings.simplefilter("ignore")
docs, place, when = sys.argv[1:]

def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def half(scorer, folder):
    (folder / "params.index.json").write_text("{")
    killed()

if when == "reading":
    corpus.READERS[".md"] = killed
elif when == "indexing":
    bm25._indexed = killed
elif when == "saving":
    bm25._save = half
elif when == "writing passages":
    corpus.Corpus.rows = killed
elif when == "before the change":
    os.replace = killed
elif when == "after the change":
    index.shutil.rmtree = killed
elif when.startswith("again"):
    print("ready", flush=True)
    number = 0
    while True:
        number += 1
        (Path(docs) / "n.txt").write_text(f"Number {number}. " + "Words fill the file. " * 2000)
        bm25.BM25Retriever(docs, place)
elif when.startswith("at "):
    print("ready", flush=True)
    sys.stdin.readline()
found = bm25.BM25Retriever(docs, place).retrieve([bm25.Query("trains")], 1)
print(found[0][0].text.splitlines()[-1])
"""
MOMENTS = ["reading", "indexing", "saving", "writing passages", "before the change", "after the change"]
needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL")


def program(docs: Path, index: Path, when: str, folder: Path | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(docs), str(index), when],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


def ended(process: subprocess.Popen[str], answer: str = "") -> tuple[int, str]:
    """The exit status and the last line of a process."""
    out, err = process.communicate(answer, timeout=60)
    return process.returncode, (out.splitlines() or [err])[-1]


@needs_kill
@pytest.mark.parametrize("when", MOMENTS[:-1])
def test_a_process_that_is_killed_leaves_a_folder_that_becomes_an_index(docs: Path, tmp_path: Path, when: str) -> None:
    """Also by a relative path."""
    assert ended(program(docs, Path("index"), when, tmp_path))[0] == -signal.SIGKILL
    assert not (tmp_path / "index" / META).exists()
    assert ended(program(docs, Path("index"), "", tmp_path)) == (0, "Trains to Mora leave at nine.")
    quiet(docs, tmp_path / "index")


@needs_kill
@pytest.mark.parametrize("when", MOMENTS)
def test_a_process_that_is_killed_leaves_the_old_index_or_the_new_one(docs: Path, index: Path, when: str) -> None:
    old = quiet(docs, index)
    bank = (docs / "bank.txt").read_text()
    state = (docs / "bank.txt").stat()
    (docs / "bank.txt").write_text("Zebras run.")
    assert ended(program(docs, index, when))[0] == -signal.SIGKILL
    if when == "after the change":
        assert found(quiet(docs, index), "zebras") == [["Zebras run."]]
        return
    (docs / "bank.txt").write_text(bank)
    os.utime(docs / "bank.txt", ns=(state.st_atime_ns, state.st_mtime_ns))
    assert quiet(docs, index).fingerprint == old.fingerprint, "the old index is whole"


@needs_kill
def test_a_process_that_is_killed_at_any_time(docs: Path, index: Path) -> None:
    rng = random.Random(7)  # noqa: S311
    for _ in range(5):
        process = program(docs, index, "again")
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(rng.uniform(0.02, 0.4))
        process.kill()
        assert ended(process)[0] == -signal.SIGKILL
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the corpus may have changed since
            retriever = BM25Retriever(docs, index)
        number = (docs / "n.txt").read_text().split(".")[0]
        if number:
            assert found(retriever, number, k=1)[0][0].startswith(number)
        assert found(quiet(docs, index), "trains") == [["# Trains\n\nTrains to Mora leave at nine."]]


def test_processes_make_an_index_at_once(docs: Path, index: Path) -> None:
    for change_first in (False, True):
        if change_first:
            (docs / "new.txt").write_text("Zebras run.")
        processes = [program(docs, index, f"at {number}") for number in range(4)]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        assert [ended(process) for process in processes] == [(0, "Trains to Mora leave at nine.")] * 4
        assert len(quiet(docs, index).corpus.passages) == (3 if change_first else 2)


# ---- BM25 ----

WORD = st.sampled_from("bank mora train nine orsa zebra lamp olive river stone".split())
DOCUMENT = st.lists(WORD, min_size=1, max_size=12).map(" ".join)


def bm25(texts: Sequence[str], query: str) -> list[float]:
    """The scores of the texts by the formula of Lucene (Kamphuis et al. 2020, table 1)."""
    rows = [tokens(text) for text in texts]
    average = sum(map(len, rows)) / len(rows)
    scores = []
    for row in rows:
        score = 0.0
        for word in set(tokens(query)):
            containing = sum(word in other for other in rows)
            idf = math.log(1 + (len(rows) - containing + 0.5) / (containing + 0.5))
            count = row.count(word)
            score += idf * count / (count + K1 * (1 - B + B * len(row) / average))
        scores.append(score)
    return scores


@hypothesis_settings(deadline=None, max_examples=60)
@given(st.lists(DOCUMENT, min_size=1, max_size=15, unique=True), DOCUMENT)
def test_the_ranking_is_that_of_the_formula(texts: list[str], query: str) -> None:
    retriever = BM25Retriever(Corpus.of(texts))
    expected = bm25(texts, query)
    (answer,) = retriever.retrieve([Query(query)], 20)
    scores = [expected[texts.index(passage.text)] for passage in answer]
    assert {passage.text for passage in answer} == {text for text, score in zip(texts, expected, strict=True) if score}
    assert all(one >= other - 1e-5 for one, other in pairwise(scores)), scores
    (short,) = retriever.retrieve([Query(query)], 3)
    assert list(short) == list(answer[:3])


@hypothesis_settings(deadline=None, max_examples=40)
@given(st.lists(DOCUMENT, min_size=1, max_size=15, unique=True), DOCUMENT)
def test_the_scores_are_those_of_the_formula(texts: list[str], query: str) -> None:
    retriever = BM25Retriever(Corpus.of(texts))
    known = [word for word in dict.fromkeys(tokens(query)) if word in retriever._scorer.vocab_dict]
    if known:
        assert retriever._scorer.get_scores(known) == pytest.approx(bm25(texts, query), abs=1e-5)


def test_a_hand_calculation() -> None:
    texts = ["bank bank river", "bank", "stone stone stone stone"]
    idf = math.log(1 + 1.5 / 2.5)  # 2 of 3 texts have the word; the mean length is 8 / 3
    first = idf * 2 / (2 + 1.5 * (0.25 + 0.75 * 9 / 8))
    second = idf / (1 + 1.5 * (0.25 + 0.75 * 3 / 8))
    assert bm25(texts, "bank") == pytest.approx([first, second, 0])
    assert second > first  # the shorter text has the word once, and is all about it
    assert found(BM25Retriever(Corpus.of(texts)), "the bank?") == [["bank", "bank bank river"]]


def test_words_meet_whatever_their_form_and_stop_words_do_not_count() -> None:
    retriever = BM25Retriever(Corpus.of(["Trains were leaving.", "The bank opened."]))
    assert found(retriever, "a TRAIN leaves", "the", "Did banks open?") == [
        ["Trains were leaving."],
        [],
        ["The bank opened."],
    ]


@pytest.mark.parametrize("query", ["", " \n", "zebra", "the of and", "?!", "\ud83d", "x" * 100_000])
def test_no_hit_is_no_passage(query: str) -> None:
    assert BM25Retriever(Corpus.of(["The bank opened."])).retrieve([Query(query)], 5) == [[]]


@pytest.mark.parametrize("texts", [[], ["?!"], ["the of"]])
def test_a_corpus_without_a_word_finds_nothing(texts: list[str]) -> None:
    assert BM25Retriever(Corpus.of(texts)).retrieve([Query("bank"), Query("-")], 5) == [[], []]


def test_equal_scores_keep_the_order_of_the_corpus() -> None:
    texts = [f"bank number{number}" for number in range(30)]
    retriever = BM25Retriever(Corpus.of(texts))
    assert found(retriever, "bank", k=7) == [texts[:7]]


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 40), st.booleans())
def test_the_best_places_are_those_of_sorting(values: list[int], k: int, limited: bool) -> None:
    import numpy as np

    scores = np.array(values, dtype=np.float32)
    allowed = [place for place in range(len(values)) if place % 3] if limited else list(range(len(values)))
    expected = sorted((place for place in allowed if values[place] > 0), key=lambda place: -values[place])[:k]
    assert best_places(scores, k, np.array(allowed, dtype=np.int64) if limited else None, 0.0) == expected


@pytest.fixture
def dated(tmp_path: Path) -> BM25Retriever:
    rows = [
        {"text": "The bank opened.", "year": 1889, "Place": "Mora"},
        {"text": "The bank closed.", "year": 1890, "Place": "Orsa"},
        {"text": "A bank in the river."},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return BM25Retriever(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ((("year", "1889"),), ["The bank opened."]),
        ((("Place", "ORSA"),), ["The bank closed."]),
        ((("Place", "Orsa"), ("year", "1889")), []),
        ((("Place", "Orsa"), ("year", "1890")), ["The bank closed."]),
        ((("year", "2000"),), []),
        ((("author", "Ada"),), []),
        ((), ["The bank opened.", "The bank closed.", "A bank in the river."]),
    ],
)
def test_conditions_on_fields(dated: BM25Retriever, where: tuple[tuple[str, str], ...], expected: list[str]) -> None:
    (answer,) = dated.retrieve([Query("the bank", where)], 9)
    assert not isinstance(answer, ItemError)
    assert [passage.text for passage in answer] == expected


def test_by_name_pickled_and_in_threads(docs: Path, index: Path) -> None:
    settings = Settings(retrieval=RetrievalSettings(ground_index=str(index)))
    retriever = create("retriever", f"bm25:{docs}", settings)
    assert (index / META).is_file()
    expected = found(retriever, "the bank", "trains")
    copy = pickle.loads(pickle.dumps(retriever))  # noqa: S301
    assert copy.fingerprint == retriever.fingerprint
    assert found(copy, "the bank", "trains") == expected
    assert all(answer == expected for answer in in_threads(lambda: found(retriever, "the bank", "trains")))
    assert BM25Retriever(str(docs)).fingerprint == retriever.fingerprint


def test_without_bm25s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph_eval.retrieve.bm25.find_spec", lambda _: None)
    with pytest.raises(MissingPartError, match="bm25s is not installed") as caught:
        BM25Retriever(Corpus.of(["a"]))
    assert caught.value.hint == "pip install 'graph_eval[retrieval]'"


# ---- reciprocal rank fusion ----

RANKINGS = st.lists(st.lists(st.integers(0, 12), max_size=8, unique=True), max_size=5)


def test_fusion_by_hand() -> None:
    assert reciprocal_rank_fusion([["a", "b", "c"], ["c", "d"]]) == [
        ("c", pytest.approx(1 / 62 + 1 / 60)),
        ("a", pytest.approx(1 / 60)),
        ("b", pytest.approx(1 / 61)),
        ("d", pytest.approx(1 / 61)),
    ]
    assert reciprocal_rank_fusion([["a", "b"], ["b"]], 1) == [("b", 1.5), ("a", 1.0)]
    assert reciprocal_rank_fusion([["a", "b"], ["b", "c"], ["c", "b"]], 0.5) == [
        ("b", pytest.approx(1 / 1.5 + 1 / 0.5 + 1 / 1.5)),
        ("c", pytest.approx(1 / 1.5 + 1 / 0.5)),
        ("a", 2.0),
    ]
    assert reciprocal_rank_fusion([]) == reciprocal_rank_fusion([[], []]) == []


@given(RANKINGS, st.floats(0.1, 100))
def test_the_score_is_the_sum_over_the_rankings(rankings: list[list[int]], k: float) -> None:
    fused = reciprocal_rank_fusion(rankings, k)
    assert {item for item, _ in fused} == {item for ranking in rankings for item in ranking}
    for item, score in fused:
        assert score == pytest.approx(sum(1 / (ranking.index(item) + k) for ranking in rankings if item in ranking))
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)


@given(RANKINGS)
def test_what_fusion_keeps(rankings: list[list[int]]) -> None:
    fused = [item for item, _ in reciprocal_rank_fusion(rankings)]
    assert reciprocal_rank_fusion([*rankings, []]) == reciprocal_rank_fusion(rankings)
    for ranking in rankings:
        assert [item for item, _ in reciprocal_rank_fusion([ranking])] == ranking
        assert [item for item, _ in reciprocal_rank_fusion([ranking, ranking])] == ranking
    for one, other in permutations(fused, 2):  # what is before another item in every ranking is before it
        if all(one in ranking[: ranking.index(other)] for ranking in rankings if other in ranking):
            assert fused.index(one) < fused.index(other)


def test_an_item_counts_once_in_a_ranking() -> None:
    assert reciprocal_rank_fusion([["a", "a", "b"]], 1) == [("a", 1.0), ("b", 0.5)]


@pytest.mark.parametrize("k", [0, -1, float("nan")])
def test_k_must_be_positive(k: float) -> None:
    with pytest.raises(ValueError, match="k of reciprocal rank fusion"):
        reciprocal_rank_fusion([["a"]], k)


# ---- objects and functions of a user ----


class Batches:
    """Asked for all texts at once."""

    fingerprint = "batches-1"
    models = ("m",)
    reads = ("threads",)

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], int]] = []

    def retrieve(self, texts: list[str], k: int) -> list[Any]:
        self.calls.append((texts, k))
        return [self.answer(text) for text in texts]

    def answer(self, text: str) -> Any:
        if text == "bad":
            raise OSError("it is down")
        return [f"{text} 1", Passage.of(f"{text} 2", "s"), " ", f"{text} 3", f"{text} 4"]


def document(kind: str) -> Any:
    """A document as libraries have them."""
    text, metadata = "found", {"source": "a.txt", "page": 3}
    return {
        "langchain": SimpleNamespace(page_content=text, metadata=metadata),
        "llama_index": SimpleNamespace(node=SimpleNamespace(text=text, metadata={"file_path": "a.txt"}), score=0.5),
        "haystack": SimpleNamespace(content=text, meta={}, metadata=metadata),
        "mapping": {"text": text, "source": "a.txt"},
        "mapping with metadata": {"page_content": text, "metadata": {"url": "a.txt"}},
        "content": {"content": text, "file_name": "a.txt"},
        "passage": Passage.of(text, "a.txt"),
    }[kind]


@pytest.mark.parametrize(
    "kind", ["langchain", "llama_index", "haystack", "mapping", "mapping with metadata", "content", "passage"]
)
def test_documents_become_passages(kind: str) -> None:
    retriever = as_retriever(lambda _, __: [document(kind)])
    assert retriever.retrieve([Query("a")], 1) == [[Passage.of("found", "a.txt")]]


def test_an_object_is_asked_once_for_all_queries() -> None:
    part = Batches()
    retriever = as_retriever(part)
    assert isinstance(retriever, ForeignRetriever)
    assert found(retriever, "a", "b") == [["a 1", "a 2", "a 3"], ["b 1", "b 2", "b 3"]]
    assert part.calls == [(["a", "b"], 3)]
    assert (retriever.fingerprint, retriever.models, retriever.reads) == ("batches-1", ("m",), ("threads",))
    assert retriever.retrieve([], 3) == []


def test_the_query_that_an_object_raises_on_fails_alone() -> None:
    one, bad, other = as_retriever(Batches()).retrieve([Query("a"), Query("bad"), Query("b")], 1)
    assert isinstance(bad, ItemError)
    assert bad.message.startswith("OSError: it is down")
    assert [one, other] == [[Passage.of("a 1")], [Passage.of("b 1")]]


def test_an_object_may_return_errors_and_generators() -> None:
    class Own:
        def retrieve(self, texts: list[str], k: int) -> Iterator[Any]:
            for text in texts:
                yield ItemError("ground", "none") if text == "bad" else (f"{text} {n}" for n in range(k))

    assert as_retriever(Own()).retrieve([Query("a"), Query("bad")], 2) == [
        [Passage.of("a 0"), Passage.of("a 1")],
        ItemError("ground", "none"),
    ]


def test_a_function_is_asked_for_each_query() -> None:
    retriever = as_retriever(lambda text, k: [f"{text} {number}" for number in range(k + 2)])
    assert isinstance(retriever, FunctionRetriever)
    assert found(retriever, "a", "b", k=2) == [["a 0", "a 1"], ["b 0", "b 1"]]
    assert as_retriever(retriever) is retriever
    assert as_retriever(lambda _, __: None).retrieve([Query("a")], 1) == [[]]


def test_no_more_is_taken_than_asked_for() -> None:
    def endless(text: str, _: int) -> Iterator[str]:
        while True:
            yield text

    assert found(as_retriever(endless), "a", k=3) == [["a", "a", "a"]]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("one text", "the retriever returned a str instead of a list of passages"),
        (Passage.of("a"), "the retriever returned a Passage instead of a list"),
        ({"text": "a"}, "the retriever returned a dict instead of a list"),
        (7, "the retriever returned a int instead of a list"),
        ([7], "the retriever found a int, which has no text"),
        ([None], "the retriever found a NoneType, which has no text"),
        ([{"score": 1}], "the retriever found a dict, which has no text"),
        ([SimpleNamespace(text=b"bytes")], "the retriever found a SimpleNamespace, which has no text"),
    ],
)
def test_an_answer_without_passages_is_an_error(answer: Any, message: str) -> None:
    assert message in error_of(as_retriever(lambda _, __: answer))


def test_an_answer_of_another_length_is_an_error() -> None:
    class Short:
        def retrieve(self, _: list[str], __: int) -> list[list[str]]:
            return []

    assert "0 results for 1 items" in error_of(as_retriever(Short()))


def test_fields_are_not_known_to_a_foreign_retriever() -> None:
    query = Query("a", (("year", "1889"),))
    for part in (Batches(), lambda text, _: [text]):
        retriever = as_retriever(part)
        assert "knows no fields, and the query asks for {'year': '1889'}" in error_of(retriever, query)
        assert retriever.fields == {}


@pytest.mark.parametrize("part", [7, None, "bm25", object()])
def test_what_is_no_retriever(part: Any) -> None:
    with pytest.raises(UsageError, match="is not a retriever"):
        as_retriever(part)


def test_what_cannot_be_called_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="Batches is a class") as caught:
        as_retriever(Batches)
    assert caught.value.hint == "pass an object: Batches(...)"
    with pytest.raises(UsageError, match="cannot find passages") as caught:
        as_retriever(lambda text: [text])
    assert caught.value.hint == "write a function of a text and a number of passages"


class LangChainLike:
    def invoke(self, input: str, config: Any = None) -> list[Any]:  # noqa: A002, ARG002
        return [SimpleNamespace(page_content=f"{input} {n}", metadata={"source": f"{n}.txt"}) for n in range(4)]


class LlamaIndexLike:
    def retrieve(self, str_or_query_bundle: str) -> list[Any]:
        node = SimpleNamespace(text=f"{str_or_query_bundle}!", metadata={"file_name": "a.txt"})
        return [SimpleNamespace(node=node, score=0.7)]


def test_retrievers_of_their_shape() -> None:
    assert as_retriever(LangChainLike()).retrieve([Query("a")], 2) == [
        [Passage.of("a 0", "0.txt"), Passage.of("a 1", "1.txt")]
    ]
    assert as_retriever(LlamaIndexLike()).retrieve([Query("a"), Query("b")], 2) == [
        [Passage.of("a!", "a.txt")],
        [Passage.of("b!", "a.txt")],
    ]


def test_a_pickled_foreign_retriever_finds_the_same() -> None:
    for part in (Batches(), LangChainLike(), LlamaIndexLike(), LangChainLike().invoke):
        retriever = as_retriever(part)
        copy = pickle.loads(pickle.dumps(retriever))  # noqa: S301
        assert copy.fingerprint == retriever.fingerprint
        assert copy.retrieve([Query("a")], 2) == retriever.retrieve([Query("a")], 2)


def test_one_thread_at_a_time_asks_a_foreign_retriever() -> None:
    inside: list[int] = []

    def find(text: str, _: int) -> list[str]:
        inside.append(1)
        time.sleep(0.002)
        assert len(inside) == 1
        inside.pop()
        return [text]

    retriever = as_retriever(find)
    assert in_threads(lambda: found(retriever, "a", "b")) == [[["a"], ["b"]]] * 8


def package(name: str, part: str) -> ModuleType:
    """An optional package, whose import may warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return import_module(name)
        except ImportError as problem:
            missing(part, f"{part} is not installed: {problem}")
            raise


def test_a_retriever_of_langchain() -> None:
    base = package("langchain_core.retrievers", "langchain_core").BaseRetriever
    document = package("langchain_core.documents", "langchain_core").Document

    class Own(base):  # type: ignore[misc, valid-type]
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:  # noqa: ARG002
            if query == "bad":
                raise OSError("it is down")
            return [document(page_content=f"{query} {n}", metadata={"source": f"{n}.txt"}) for n in range(4)]

    answers = as_retriever(Own()).retrieve([Query("a"), Query("bad")], 2)
    assert answers[0] == [Passage.of("a 0", "0.txt"), Passage.of("a 1", "1.txt")]
    assert isinstance(answers[1], ItemError)
    store = package("langchain_core.vectorstores", "langchain_core").InMemoryVectorStore
    embedding = package("langchain_core.embeddings", "langchain_core").DeterministicFakeEmbedding(size=8)
    kept = store.from_texts(["one", "two"], embedding, metadatas=[{"source": "1"}, {"source": "2"}])
    assert as_retriever(kept.as_retriever()).retrieve([Query("two")], 1) == [[Passage.of("two", "2")]]


def test_a_retriever_of_llama_index() -> None:
    base = package("llama_index.core.retrievers", "llama_index").BaseRetriever
    schema = package("llama_index.core.schema", "llama_index")

    class Own(base):  # type: ignore[misc, valid-type]
        def _retrieve(self, query_bundle: Any) -> list[Any]:
            if query_bundle.query_str == "bad":
                raise OSError("it is down")
            node = schema.TextNode(text=f"{query_bundle.query_str}!", metadata={"file_path": "a.txt"})
            return [schema.NodeWithScore(node=node, score=0.5)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = as_retriever(Own()).retrieve([Query("a"), Query("bad")], 2)
    assert answers[0] == [Passage.of("a!", "a.txt")]
    assert isinstance(answers[1], ItemError)


# ---- the conversation of a record ----

TURNS = (("user", "Who was Ada?"), ("assistant", "A banker."))


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"messages": [{"role": role, "content": text} for role, text in TURNS]}, TURNS),
        ({"history": [list(turn) for turn in TURNS]}, TURNS),
        ({"chat_history": list(TURNS)}, TURNS),
        ({"conversation": ["Who was Ada?", "A banker."]}, (("", "Who was Ada?"), ("", "A banker."))),
        ({"history": [{"content": "Who?"}, {"role": None, "content": "Ada."}]}, (("", "Who?"), ("", "Ada."))),
        ({"history": [], "messages": ["Who?"]}, (("", "Who?"),)),
        ({"history": [{"role": "user"}, 7, None, ["a", "b", "c"], ["a", 7], " ", {"content": ["part"]}]}, ()),
        ({"history": "Who was Ada?"}, ()),
        ({"history": {"role": "user", "content": "Who?"}}, ()),
        ({"other": ["Who?"]}, ()),
        ({}, ()),
    ],
)
def test_the_turns_of_a_record(meta: dict[str, Any], expected: tuple[tuple[str, str], ...]) -> None:
    assert history_of(Example("a", "", "R.", meta=meta)) == expected
