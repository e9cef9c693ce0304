"""The tool that holds the reader, the printer and `requires` against a folder of PTX."""

from __future__ import annotations

from pathlib import Path

import pytest

import ptxgen
from ptxgen.check.lowest import least_for_ptxas, lowest_version
from ptxgen.ir.module import Module
from tools.certify.releases import release
from tools.corpus import __main__ as corpus
from tools.corpus import code, needs, rewriting
from tools.corpus.files import File, accepted
from tools.corpus.outcome import Outcome, lines

HEADER = ".version 7.5\n.target sm_75\n.address_size 64\n"
STORE = """// stores a constant
.visible .entry k(.param .u64 p)
{
\t.reg .b64 %rd<2>;
\tld.param.u64 %rd1, [p];
\tst.global.u32 [%rd1], 7; /* seven */
\tret;
}
"""
OLD = """.version 1.3
.target sm_13
.entry k
{
\t.param .u32 p;
\t.reg .u32 %r;
\tld.param.u32 %r, [p];
\texit;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files that ptxas accepts, and one that it does not."""
    texts = {"files/one/a.ptx": HEADER + STORE, "files/one/b.ptx": HEADER + STORE + "// longer\n"}
    texts |= {"files/two/old.ptx": OLD, "files/two/wrong.ptx": HEADER + "ret;\n"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    rows = [f"{name},{'reject' if 'wrong' in name else 'accept'}" for name in texts]
    (tmp_path / "verdicts.csv").write_text("\n".join(["path,newest_accepts", *rows]) + "\n")
    return tmp_path


def test_the_accepted_files_smallest_first(folder: Path) -> None:
    assert [(file.name, file.producer) for file in accepted(folder)] == [
        ("files/two/old.ptx", "two"),
        ("files/one/a.ptx", "one"),
        ("files/one/b.ptx", "one"),
    ]
    assert [file.name for file in accepted(folder, 1)] == ["files/two/old.ptx", "files/one/a.ptx"]


def test_a_table_with_a_sum() -> None:
    file, other = File(Path("x"), "files/one/x", "one"), File(Path("y"), "files/two/y", "two")
    outcomes = [Outcome(file, ("a",)), Outcome(other, ("a", "b"), (("c", "why"),), (("d", "so"),))]
    assert list(lines(outcomes, ("a", "b"))) == [
        "fault: files/two/y: c: why",
        "remark: files/two/y: d: so",
        "producer  files  a  b",
        "one           1  1  0",
        "two           1  1  1",
        "all           2  2  1",
    ]


def test_a_text_without_faults() -> None:
    assert list(rewriting.faults(HEADER + STORE)) == []


def test_a_text_that_cannot_be_read() -> None:
    ((what, why),) = rewriting.faults(HEADER + "ret;\n")
    assert what == rewriting.PARSED
    assert "error[syntax]" in why


@pytest.mark.parametrize(
    ("printed", "what"),
    [
        ("ret;", rewriting.EQUAL),
        (HEADER + STORE.replace("7;", "8;"), rewriting.EQUAL),
        (HEADER + STORE + "\n", rewriting.FIXED),
    ],
)
def test_a_printer_with_a_fault(printed: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = iter([printed])
    monkeypatch.setattr(Module, "ptx", lambda _: next(first, "another"))
    assert what in dict(rewriting.faults(HEADER + STORE))


def test_a_remark_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "remarks", lambda _: ["stores a constant"])
    assert dict(rewriting.faults(HEADER + STORE)) == {rewriting.REMARKS: "'seven' is lost; 2 are written and 1 kept"}
    monkeypatch.setattr(rewriting, "remarks", lambda _: ["stores a constant", "seven", "eight"])
    assert dict(rewriting.faults(HEADER + STORE)) == {rewriting.REMARKS: "'eight' is written nowhere"}


@pytest.mark.ptxas
def test_code_is_compared() -> None:
    ways = code.assemblies("sm_75", release("13.5"))
    text = HEADER + STORE
    assert [str(way) for way in ways[:2]] == ["ptxas 13.5.37 -arch=sm_75", "ptxas 13.5.37 -arch=sm_75 -c"]
    assert code.compare(text, text.replace(", 7;", ", 0x7;"), ways, 60)[0] == code.SAME
    assert code.compare(text, ptxgen.parse(text).ptx(), ways, 60) == (code.SAME, str(ways[0]))
    found, where = code.compare(text, text.replace(", 7;", ", 8;"), ways, 60)
    assert (found, where) == ("different", f"{ways[0]}: .text.k")
    assert code.compare(text, text.replace("ret;", "return;"), ways, 60)[0] == "refused"
    assert code.compare("ret;", text, ways, 60)[0] == ""


@pytest.mark.ptxas
def test_initial_values_and_names_are_compared() -> None:
    (way, *_) = code.assemblies("sm_75", release("13.5"))
    text = HEADER + ".visible .global .u32 x = 1;\n"
    made = [way.run(text.replace(*change), 60) for change in (("", ""), ("= 1", "= 2"), ("x", "y"))]
    one, two, renamed = (each for each in made if isinstance(each, bytes))
    assert code.differences(one, one) == []
    assert code.differences(one, two) == [".nv.global.init"]
    assert "symbols" in code.differences(one, renamed)


@pytest.mark.ptxas
def test_a_text_that_takes_too_long() -> None:
    (way, *_) = code.assemblies("sm_75", release("13.5"))
    assert way.run(HEADER + STORE, 1e-6) == "out of time, 1e-06 s"


@pytest.mark.ptxas
@pytest.mark.parametrize(
    "text",
    [
        HEADER + STORE,
        OLD,
        ".version 9.0\n.target sm_90\n.entry k { .reg .b32 %r; bar.warp.sync %r; ret; }\n",
        # what no instruction asks for
        ".version 9.0\n.target sm_75\n.func a();\n.func b() { ret; }\n.alias a, b;\n",
        '.version 9.0\n.target sm_30\n.file 1 "f", 1, 2\n.entry k { .loc 1 1 1 ret; }\n',
        ".version 9.0\n.target sm_30\n.section .debug_info { a: .b8 0 b: .b32 b-a }\n.entry k { ret; }\n",
        ".version 1.3\n.target sm_10\n.reg .u32 %r;\n.entry k { exit; }\n",
        ".version 1.3\n.target sm_10\n.tex .u32 t;\n.entry k { exit; }\n",
    ],
)
def test_needs_that_ptxas_confirms(text: str) -> None:
    assert list(needs.faults(ptxgen.parse(text), release("13.5"), 60)) == []


@pytest.mark.ptxas
def test_needs_that_ptxas_denies(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ptxgen.parse(".version 9.0\n.target sm_75\n.func a();\n.func b() { ret; }\n.alias a, b;\n")
    for wrong, says in (((6, 2), "6.2 is refused"), ((7, 0), "6.5 is accepted, below 7.0")):
        monkeypatch.setattr(needs, "lowest_version", lambda _, wrong=wrong: wrong)
        monkeypatch.setattr(needs, "least_for_ptxas", lambda *_, wrong=wrong: wrong)
        assert next(needs.faults(module, release("13.5"), 60))[1].startswith(says)


def test_by_the_manual() -> None:
    text = ".version 9.0\n.target sm_30\n.section .debug_str { a: .b8 0 }\n.entry k { ret; }\n"
    module = ptxgen.parse(text)
    assert (lowest_version(module), least_for_ptxas(module, "sm_30")) == ((7, 2), (7, 0))
    assert needs.by_the_manual(module)
    assert not needs.by_the_manual(ptxgen.parse(HEADER + STORE))


@pytest.mark.ptxas
def test_the_whole_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert corpus.main([str(folder)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [row.split() for row in printed[-3:]] == [
        ["one", "2", "2", "2", "2", "2", "2"],
        ["two", "1", "1", "1", "1", "1", "1"],
        ["all", "3", "3", "3", "3", "3", "3"],
    ]
    assert corpus.main([str(folder), "--requires", "--limit", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", "2", "2", "0"]


@pytest.mark.ptxas
def test_a_fault_is_exit_status_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "files/one/a.ptx").write_text("ret;\n")
    assert corpus.main([str(folder)]) == 1
    assert capsys.readouterr().out.startswith("fault: files/one/a.ptx: parsed: ")
    assert corpus.main([str(folder), "--requires"]) == 1


def test_a_folder_without_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert corpus.main([str(tmp_path), "--ptxas", "1.0"]) == 2
    assert "no ptxas 1.0" in capsys.readouterr().err
