"""The benchmark: emitters write the same kernel, and a missed bound is an exit status. No time is judged here."""

import json
from pathlib import Path

import pytest

import ptxgen
from tools.bench import building, checking, editor, first_use, large, startup
from tools.bench.__main__ import main
from tools.bench.building import EMITTERS, PLAIN, PTXGEN, installed
from tools.bench.emitters import Emitter
from tools.bench.row import Bound, Row, duration, table

COUNT = 16
CHECKED = {"summary": {"timeInSec": 2.0}, "generalDiagnostics": []}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that keep every bound, in place of measured ones."""
    monkeypatch.setattr(startup, "measure", lambda repeat: dict.fromkeys(startup.PROGRAMS, 0.01))
    monkeypatch.setattr(startup, "heavy", lambda program: [])
    monkeypatch.setattr(building, "measure", lambda emitters, count, repeat: {PLAIN.name: 2e-7, PTXGEN.name: 5e-7})
    monkeypatch.setattr(first_use, "measure", lambda mnemonic, repeat: 0.001)
    monkeypatch.setattr(editor, "measure", lambda: CHECKED)
    monkeypatch.setattr(checking, "measure", lambda commands, repeat: (0.4, 1.4))
    monkeypatch.setattr(checking, "reading", lambda repeat, count: [])
    monkeypatch.setattr(checking, "pair", lambda files: checking.Pair((), ()))


def body(emitter: Emitter) -> list[str]:
    """The instructions that an emitter writes, without the return that LLVM adds."""
    if not installed(emitter):
        pytest.skip(f"{emitter.package} is not installed")
    text, _ = emitter.emit(COUNT)
    lines = [line.strip() for line in text.splitlines() if line.startswith(("\t", "  "))]
    return [line for line in lines if not line.startswith((".", "//", "ret"))]


def test_ptxgen_and_the_plain_emitter_write_the_same_text():
    assert PTXGEN.emit(COUNT)[0] == PLAIN.emit(COUNT)[0]


@pytest.mark.parametrize("name", ["plain emitter", "ptxgen", "pyptx"])
def test_the_mix_of_instructions(name: str):
    (emitter,) = (e for e in EMITTERS if e.name == name)
    opcodes = [line.split()[0] for line in body(emitter)]
    assert {opcode: opcodes.count(opcode) for opcode in opcodes} == {
        "add.f32": COUNT // 2,
        "fma.rn.f32": COUNT // 4,
        "ld.global.f32": COUNT // 8,
        "st.global.f32": COUNT // 8,
    }


def test_pyptx_writes_as_many_lines():
    (pyptx,) = (e for e in EMITTERS if e.name == "pyptx")
    body(pyptx)
    assert len(pyptx.emit(COUNT)[0].splitlines()) == len(PTXGEN.emit(COUNT)[0].splitlines())


def test_llvm_writes_as_many_instructions():
    ir, ptx = (e for e in EMITTERS if e.package == "llvmlite")
    assert len(body(ir)) == COUNT
    lines = body(ptx)
    parameters = [line for line in lines if line.startswith("ld.param")]
    unread = ("fma", "ld")  # the last values of the kernel, which LLVM leaves out
    assert len(lines) - len(parameters) == COUNT - len(unread)
    assert len([line for line in lines if line.startswith("add.rn.f32")]) == COUNT // 2


def test_all_rows_and_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(checking, "INSTRUCTIONS", 50)
    monkeypatch.setattr(checking, "measure", lambda commands, repeat: (0.4, 1.4))
    file = tmp_path / "figures.json"
    main(["--repeat", "1", "--sizes", "16,24", "--json", str(file)])
    printed = capsys.readouterr().out.splitlines()
    rows = json.loads(file.read_text())["rows"]
    assert [row["what"] for row in rows] == [
        *startup.PROGRAMS,
        first_use.WHAT,
        editor.WHAT,
        *(f"{emitter.name}, {count}" for count in (16, 24) for emitter in EMITTERS),
        checking.LARGE.format(50),
        checking.PARSE.format(50),
        checking.OTHER,
    ]
    assert [line.split("  ")[0] for line in printed[1:]] == [row["what"] for row in rows]
    for row in rows:
        assert row["seconds"] is not None or row["remark"].startswith("not installed")
    assert not [row["fault"] for row in rows if row["fault"]]


def test_bounds():
    assert Bound(3.0).met(3.0)
    assert not Bound(3.0).met(3.01)
    assert Bound(5.0, least=True).met(5.0)
    assert not Bound(5.0, least=True).met(4.99)
    assert Row("ptxgen", 1.0, 2.0, "plain", Bound(3.0)).met
    assert not Row("ptxgen", 1.0, 4.0, "plain", Bound(3.0)).met
    assert not Row("import", fault="loads numpy").met


@pytest.mark.usefixtures("quick")
def test_kept_bounds_are_exit_status_0(capsys: pytest.CaptureFixture[str]):
    assert main(["--sizes", "16"]) == 0
    assert "missed" not in capsys.readouterr().out


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("module", "name", "figures", "missed"),
    [
        (building, "measure", {PLAIN.name: 2e-7, PTXGEN.name: 7e-7}, "ptxgen, 16"),
        (building, "measure", {PLAIN.name: 2e-7, PTXGEN.name: 5e-7, "pyptx": 24e-7}, "pyptx, 16"),
        (startup, "measure", dict.fromkeys(startup.PROGRAMS, 0.01) | {startup.IMPORT: 0.014}, startup.IMPORT),
        (startup, "measure", dict.fromkeys(startup.PROGRAMS, 0.01) | {startup.MODULE: 0.017}, startup.MODULE),
        (first_use, "measure", 0.006, first_use.WHAT),
        (editor, "measure", CHECKED | {"summary": {"timeInSec": 11.0}}, editor.WHAT),
        (checking, "measure", (0.5, 1.6), checking.LARGE.format(checking.INSTRUCTIONS)),
    ],
)
def test_a_missed_bound_is_exit_status_1(
    module: object,
    name: str,
    figures: object,
    missed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(module, name, lambda *_: figures)
    assert main(["--sizes", "16"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines if line.endswith("missed")] == [missed]


@pytest.mark.usefixtures("quick")
def test_a_heavy_package_is_exit_status_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(startup, "heavy", lambda program: ["numpy", "cuda"])
    assert main(["--sizes", "16"]) == 1
    assert "loads numpy, cuda" in capsys.readouterr().out


def test_heavy_packages_are_seen():
    assert startup.heavy("import sys; sys.modules['yaml'] = sys") == ["yaml"]
    assert startup.heavy("print('pass')") == []


@pytest.mark.parametrize("arguments", [["--sizes", "12"], ["--sizes", "x"], ["--repeat", "0"], ["--corpus", "nowhere"]])
def test_wrong_arguments(arguments: list[str]):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three producers, of which one has two files."""
    rows = (("a/x", "sm_90", 25), ("a/y", "sm_90", 75), ("b/x", "sm_100a", 50), ("c/x", "sm_20", 0))
    for name, target, count in rows:
        file = tmp_path / f"{name}.ptx"
        file.parent.mkdir(exist_ok=True)
        file.write_text(large.kernel(count).replace("sm_90", target))
    return tmp_path


def test_the_largest_file_of_each_producer(corpus: Path, monkeypatch: pytest.MonkeyPatch):
    files = [corpus / name for name in ("a/y.ptx", "b/x.ptx", "c/x.ptx")]
    assert checking.largest(corpus) == files
    commands = checking.pair(files)
    assert [command[-3:] for command in commands.ptxgen] == [tuple(map(str, files))]
    assert [command[1] for command in commands.ptxas] == ["-arch=compute_90", "-arch=compute_100a", "-arch=compute_75"]
    monkeypatch.setattr(checking, "PRODUCERS", 2)
    assert checking.largest(corpus) == files[:2]


def test_both_are_run_and_compared(corpus: Path):
    commands = checking.pair(checking.largest(corpus)[:1])
    seconds, ratio = checking.measure(commands, 1)
    assert seconds > 0
    assert ratio > 0


@pytest.mark.usefixtures("quick")
def test_a_corpus_is_checked_and_has_a_bound(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["--sizes", "16", "--corpus", str(corpus)]) == 1
    missed = [line for line in capsys.readouterr().out.splitlines() if line.endswith("missed")]
    assert [line.split("  ")[0] for line in missed] == ["check, 3 files"]  # the ratio is 1.4, and 1.2 its bound
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["--sizes", "16", "--corpus", str(empty)]) == 1
    assert "no .ptx file" in capsys.readouterr().out


@pytest.mark.parametrize("simple", [False, True])
def test_the_large_kernel_is_right(simple: bool):
    text = large.kernel(100, simple)
    report = ptxgen.check(text)
    assert list(report.diagnostics) == []
    (function,) = ptxgen.parse(text).functions
    assert len(list(function.instructions())) == 100 + (6 if simple else 7) + 1  # a head, and a return
    assert simple == (".f64" not in text)


def test_table():
    rows = [Row("a", 0.0123), Row("bb", 4e-7, 2.5, "a", Bound(3))]
    assert [duration(x) for x in (2.0, 0.0123, 4.5e-6, 4e-7)] == ["2 s", "12.3 ms", "4.5 us", "400 ns"]
    assert table(rows) == "     median  ratio  to  bound\na   12.3 ms\nbb   400 ns   2.50  a   <= 3"
