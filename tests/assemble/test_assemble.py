"""The verb: what it gives, and that no text ends in anything but an AssembleError."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ptxgen
from ptxgen.assemble import Assembler, Ptxas, assemble, default_assembler, find_ptxas
from ptxgen.assemble import assembler as choice
from ptxgen.assemble.worker import Worker
from ptxgen.errors import AssembleError
from tests.assemble.kernels import ALL, CRASHES, SAXPY, spilling


def refusal(text: str, arch: str = "sm_90", **options: float) -> AssembleError:
    with pytest.raises(AssembleError) as caught:
        assemble(text, arch, **options)  # pyright: ignore[reportArgumentType]
    assert caught.value.diagnostics
    return caught.value


def test_a_cubin_and_what_is_known_of_it():
    cubin = assemble(SAXPY, "sm_90a")
    assert cubin.code.startswith(b"\x7fELF")
    assert cubin.size == len(cubin.code)
    assert cubin.arch == "sm_90a"
    assert cubin.assembler == default_assembler().name
    assert list(cubin.resources) == ["saxpy"]
    assert cubin.messages == ()
    assert repr(cubin).startswith(f"Cubin(code=<{cubin.size} bytes>")


def test_info_lines_are_messages():
    text = SAXPY.replace("6.3", "8.0").replace("sm_52", "sm_90a")
    (message,) = assemble(text.replace("    ret;", "setmaxnreg.dec.sync.aligned.u32 24;\n    ret;"), "sm_90a").messages
    assert message.severity == "info"
    assert "setmaxnreg" in message.text
    assert message.code in ("C7504", "C7508")


def test_an_architecture_that_is_gone_becomes_the_closest_later_one():
    module = ptxgen.Module(version="6.3", target="sm_35")

    @module.entry
    def nothing(k: ptxgen.Builder) -> None:
        k.ret()

    assert assemble(module).arch in ("sm_35", "sm_50", "sm_75")


@pytest.mark.parametrize("arch", ["sm_21", "sm_35", "sm_71"])
def test_an_architecture_that_was_asked_for_is_never_another(arch: str):
    assert arch in str(refusal(SAXPY, arch))


def test_errors_have_their_lines():
    error = refusal(SAXPY.replace("fma.rn.f32", "fma.rn.f23"))
    line = SAXPY[: SAXPY.index("fma")].count("\n") + 1
    assert {diagnostic.line for diagnostic in error.diagnostics} == {line}
    assert {diagnostic.severity for diagnostic in error.diagnostics} == {"error"}
    assert f"line {line}: error" in str(error)
    assert "sm_90" in str(error)


@pytest.mark.parametrize(
    ("text", "arch"),
    [
        ("", "sm_90"),
        ("not PTX at all", "sm_90"),
        (SAXPY[:200], "sm_90"),
        (SAXPY.replace("6.3", "99.9"), "sm_90"),
        (SAXPY.replace("sm_52", "sm_90"), "sm_80"),
        (SAXPY.replace("6.3", "8.0").replace("sm_52", "sm_90a"), "sm_100"),
        (SAXPY, "sm_999"),
        (SAXPY, "sm_53a"),
        (SAXPY, "compute_90"),
        (SAXPY, "90"),
        (SAXPY, ""),
        (SAXPY + "\0", "sm_90"),
        ("\ud800" + SAXPY, "sm_90"),
        (SAXPY.replace("ret;", "call nowhere; ret;"), "sm_90"),
    ],
)
def test_what_cannot_be_assembled(text: str, arch: str):
    assert str(refusal(text, arch))


def test_a_crash_of_the_assembler_is_an_error_and_the_next_call_works():
    assert refusal(CRASHES, "sm_80")  # of releases that do not crash it is refused
    assert assemble(SAXPY, "sm_80").code


def test_a_worker_that_dies_gives_a_reply():
    worker = Worker.start()
    assert worker.ask(SAXPY.encode(), ("sm_80",), 60).code
    os.kill(worker.process.pid, signal.SIGSEGV)
    worker.process.wait()
    reply = worker.ask(SAXPY.encode(), ("sm_80",), 60)
    assert reply.code is None
    assert "crashed (signal 11)" in reply.failure
    assert not worker.alive


def test_a_ptxas_that_dies_is_an_error(tmp_path: Path):
    program = tmp_path / "ptxas"
    program.write_text('#!/bin/sh\ncase "$*" in *-v*) kill -SEGV $$;; esac\n')
    program.chmod(0o755)
    with pytest.raises(AssembleError, match=r"crashed \(signal 11\)"):
        Ptxas(program, "0.0.0").assemble(SAXPY, ("sm_80",), 60)


def test_a_text_that_takes_too_long_is_stopped():
    assert "longer than 0.05 s" in str(refusal(spilling(6000), timeout=0.05))
    assert assemble(SAXPY, "sm_80").code


def test_threads_assemble_side_by_side():
    targets = ["sm_75", "sm_80", "sm_90", "sm_100"] * 3
    with ThreadPoolExecutor(4) as pool:
        cubins = [pool.submit(assemble, SAXPY, arch) for arch in targets]
        assert [cubin.result().arch for cubin in cubins] == targets


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_does_not_talk_to_its_parents_child():
    assemble(SAXPY, "sm_90")
    script = (
        "import os, sys; from ptxgen.assemble import assemble; from tests.assemble.kernels import SAXPY\n"
        "assemble(SAXPY, 'sm_90'); pid = os.fork(); ok = assemble(SAXPY, 'sm_80' if pid else 'sm_90').arch\n"
        "status = os.waitpid(pid, 0)[1] if pid else 0\n"
        "sys.exit(status or ok != ('sm_80' if pid else 'sm_90'))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, timeout=60, check=False).returncode == 0


def test_every_other_assembler_gives_the_same_kind_of_result():
    ptxas = find_ptxas()
    if ptxas is None:
        pytest.skip("no ptxas on PATH, in a toolkit or in a wheel")
    cubin = assemble(SAXPY, "sm_80", assembler=ptxas)
    assert cubin.resources == assemble(SAXPY, "sm_80").resources
    assert cubin.assembler == f"ptxas {ptxas.version}"
    with pytest.raises(AssembleError, match=r"line \d+: error") as caught:
        assemble(SAXPY.replace("fma.rn", "fma.nr"), "sm_80", assembler=ptxas)
    assert caught.value.diagnostics[0].line
    with pytest.raises(AssembleError, match="does not know sm_999"):
        assemble(SAXPY, "sm_999", assembler=ptxas)
    with pytest.raises(AssembleError, match="longer than"):
        assemble(spilling(6000), "sm_80", assembler=ptxas, timeout=0.05)


@pytest.mark.parametrize("path", ["/nowhere/ptxas", sys.executable])
def test_a_path_that_is_no_ptxas(path: str):
    with pytest.raises(AssembleError, match=path):
        Ptxas.at(path)


def test_ptxas_is_found_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "ptxas"
    program.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 12.4, V12.4.131'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    found = find_ptxas()
    assert found is not None
    assert (found.path, found.version, found.name) == (program, "12.4.131", "ptxas 12.4.131")


def test_without_any_assembler_the_error_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch):
    def none() -> Assembler | None:
        return None

    monkeypatch.setattr(choice, "NvJitLink", type("NoNvJitLink", (), {"find": staticmethod(none)}))
    monkeypatch.setattr(choice, "find_ptxas", none)
    with pytest.raises(AssembleError, match="pip install"):
        assemble(SAXPY, "sm_90")


def test_importing_loads_nothing_heavy():
    script = (
        "import sys; import ptxgen.assemble, ptxgen.gpu, ptxgen.launch;"
        "sys.exit(any(name.split('.')[0] in ('cuda', 'numpy', 'llvmlite', 'yaml') for name in sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, check=False).returncode == 0


def test_all_modules_assemble_with_messages_free_of_statistics():
    for text in ALL.values():
        assert assemble(text, "sm_90").messages == ()
