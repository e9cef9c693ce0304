"""Every example: clean under check, printed as before, assembled for its target, and launched where there is a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

import ptxgen
from ptxgen.assemble import Assembler
from ptxgen.assemble.assembler import assemblers
from ptxgen.cli.kernel_file import load_kernel_file
from ptxgen.gpu import machine
from ptxgen.gpu.fitness import runs_on
from ptxgen.isa import versions
from tests.cli.command import command

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
GOLDEN = ROOT / "tests" / "golden"

each = pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])


def test_every_golden_file_has_its_example():
    assert EXAMPLES
    assert {path.stem for path in GOLDEN.glob("*.ptx")} == {path.stem for path in EXAMPLES}


@each
def test_nothing_to_say_about_it(path: Path):
    kernel = load_kernel_file(str(path))
    assert kernel.run is not None
    assert ptxgen.check(kernel.module).diagnostics == ()


@each
def test_printed_as_before(path: Path):
    """A change that is meant: ptxgen build examples/NAME.py -o tests/golden/NAME.ptx."""
    expected = (GOLDEN / f"{path.stem}.ptx").read_text(encoding="utf-8")
    assert load_kernel_file(str(path)).module.ptx() == expected


@each
def test_the_version_is_the_lowest(path: Path):
    module = load_kernel_file(str(path)).module
    needs = ptxgen.requires(module)
    assert module.ptx().startswith(f".version {needs.version}\n.target {module.target}\n")
    assert needs.targets[module.target] == needs.version
    older = [versions.text(version) for version in versions.known() if version < versions.parse(needs.version)]
    assert not any(ptxgen.check(module, version=text).ok for text in older)


@pytest.fixture(scope="module")
def assembler() -> Assembler:
    found = next(assemblers(), None)
    if found is None:
        pytest.skip("no nvJitLink and no ptxas")
    return found


@each
def test_assembled_for_its_target(path: Path, assembler: Assembler):
    module = load_kernel_file(str(path)).module
    cubin = ptxgen.assemble(module, assembler=assembler)
    assert cubin.arch == module.target
    assert cubin.messages == ()
    entries = {function.name for function in module.functions if function.entry}
    assert entries <= set(cubin.resources)
    assert not any(taken.spill_stores for taken in cubin.resources.values())


class Idle:
    """A program whose kernels do nothing at all."""

    def __getitem__(self, name: str) -> Idle:
        return self

    def launch(self, *arguments: object, **options: object) -> None:
        pass


def needs_gpu(path: Path) -> bool:
    """Whether the host hands the kernel what only a GPU can make: a tensor map, a texture."""
    return "from shared." in path.read_text(encoding="utf-8")


def test_most_examples_need_no_gpu_to_begin():
    assert {path.stem for path in EXAMPLES if needs_gpu(path)} == {"hopper", "blackwell", "texture"}


@pytest.mark.parametrize("path", [path for path in EXAMPLES if not needs_gpu(path)], ids=lambda path: path.stem)
def test_a_kernel_that_does_nothing_is_found_out(path: Path):
    run = load_kernel_file(str(path)).run
    assert run is not None
    with pytest.raises(SystemExit, match=r"\w+: .*(wrong|expected)"):
        run(Idle())


HERE = machine()


@each
@pytest.mark.gpu
@pytest.mark.skipif(bool(HERE.missing), reason=HERE.missing)
def test_launched(path: Path):
    target = load_kernel_file(str(path)).module.target
    if not any(runs_on(target, gpu.arch) for gpu in HERE.gpus):
        pytest.skip(f"no GPU here runs {target}")
    done = command("run", str(path), "--device", "gpu")
    assert done.status == 0, done.errors
    assert "launched on GPU" in done.output
