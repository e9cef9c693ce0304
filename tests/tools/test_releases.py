"""The table of ptxas releases, and how they are fetched: from a package index made of a folder, without a network."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.certify.releases import RELEASES, ReleaseUnavailable, cache, isa, judges, newest, oldest, release

PROGRAM = b"#!/bin/sh\necho a stand-in\n"


def wheel(folder: Path, member: str = "nvidia/cu13/bin/ptxas") -> None:
    """Put a wheel of the newest release into `folder`, with a stand-in for the program."""
    info = "nvidia_cuda_nvcc-13.5.37.dist-info"
    with zipfile.ZipFile(folder / "nvidia_cuda_nvcc-13.5.37-py3-none-any.whl", "w") as archive:
        archive.writestr(member, PROGRAM)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: nvidia-cuda-nvcc\nVersion: 13.5.37\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package index, and an empty cache beside it."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PTXGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_versions_compare_as_numbers():
    assert isa("8.10") > isa("8.9") > isa("7.8")


def test_releases_stand_oldest_first():
    assert list(RELEASES) == sorted(RELEASES, key=lambda x: [int(part) for part in x.name.split(".")])
    assert [isa(x.newest) for x in RELEASES] == sorted(isa(x.newest) for x in RELEASES)


def test_release_by_short_and_whole_name():
    assert release("13.5") is release("13.5.37") is RELEASES[-1]
    with pytest.raises(ReleaseUnavailable, match=r"no ptxas 13\.55; there are 11\.7\.99"):
        release("13.55")


@pytest.mark.parametrize(
    ("name", "target", "architecture"),
    [
        ("13.5", "sm_100a", "compute_100a"),
        ("13.5", "sm_20", "compute_75"),
        ("13.5", "sm_82", "compute_86"),
        ("13.5", "sm_101a", "compute_110a"),
        ("12.9", "sm_101a", "compute_101a"),
        ("12.9", "sm_50", "compute_50"),
        ("12.9", "sm_110", None),
        ("12.9", "sm_88", None),
        ("12.8", "sm_90a", None),
        ("11.8", "sm_90a", None),
    ],
)
def test_architecture_for_a_target(name: str, target: str, architecture: str | None):
    assert release(name).architecture(target) == architecture


def test_oldest_and_newest_judge():
    assert oldest("7.8", "sm_80").name == "11.8.89"
    assert oldest("8.6", "sm_100a").name == "12.9.86"
    assert newest("1.0", "sm_10") is RELEASES[-1]
    assert [x.name for x in judges("9.4", "sm_107f")] == ["13.4.92", "13.5.37"]
    with pytest.raises(ReleaseUnavailable, match=r"no known ptxas judges PTX 99\.0 for sm_90"):
        oldest("99.0", "sm_90")


def test_cache_follows_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.setenv("PTXGEN_CACHE", "/elsewhere")
    assert cache() == Path("/elsewhere")
    monkeypatch.delenv("PTXGEN_CACHE")
    assert cache() == Path("/somewhere/ptxgen")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache() == Path.home() / ".cache" / "ptxgen"


def test_fetch_once(index: Path):
    wheel(index)
    program = release("13.5").path()
    assert program == cache() / "ptxas" / "13.5.37" / "ptxas"
    assert program.read_bytes() == PROGRAM
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "a stand-in\n"
    assert list(program.parent.iterdir()) == [program]
    next(index.iterdir()).unlink()
    assert release("13.5").path() == program


def test_fetch_in_several_processes(index: Path):
    wheel(index)
    command = [sys.executable, "-c", "from tools.certify.releases import release; print(release('13.5').path())"]
    several = [subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE) for _ in range(3)]
    assert {process.communicate()[0].decode().strip() for process in several} == {str(release("13.5").path())}


def test_failing_download_says_what_was_wanted(index: Path):
    with pytest.raises(ReleaseUnavailable, match=r"ptxas 13\.5\.37: cannot download nvidia-cuda-nvcc==13\.5\.37"):
        release("13.5").path()
    assert not (cache() / "ptxas" / "13.5.37" / "ptxas").exists()


def test_wheel_without_the_program(index: Path):
    wheel(index, member="nvidia/cu13/bin/fatbinary")
    with pytest.raises(ReleaseUnavailable, match="has no bin/ptxas"):
        release("13.5").path()
