"""Verdicts of ptxas, in bulk.

ptxas takes any number of files and checks each of them, whatever it finds in the others. So every statement gets a
module of its own, a few thousand modules go into one run, and the files that it names are the ones it rejects. Nothing
is read of its messages but the file and the severity. With `-arch=compute_XX` it makes no code.

Some things connect the modules of one run, and each is undone here:

* Some checks are made only when no module of the run has an error. So what was not named is run again until nothing
  is named: only a run without any error accepts.
* A `fatal` error leaves things behind: the modifiers of the statement that it breaks, or the rest of what ptxas
  expands an instruction into. The next module of the run suffers from them, and then they are gone. So an error right
  after a `fatal` one is not believed, but the module tried again at a distance from such neighbours.
* An error in an expansion bears the name of no module; the next one may be named for it. So the module before that
  one, or each when none is named, is tried again with a marker behind it: what is said before the marker is of it.
* A crash ends the run. The module that ptxas was at is found by a marker after each module, and put to ptxas alone.
* Names that can be linked are known in all modules. Only a statement that closes its entry can define one: such a
  statement is put to ptxas alone.
"""

import enum
import os
import re
import subprocess
import tempfile
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, pairwise, repeat
from pathlib import Path

from attrs import frozen

from tools.certify.environment import EXAMPLES, Environment, Header
from tools.certify.releases import Release, ReleaseUnavailable

BATCH = 2000
"""Modules in a run. Fewer pay the start of ptxas (8 to 20 ms) too often, more than 4000 make each module slower."""

WORKERS = 2
TIMEOUT = 120.0
"""Seconds after which a run counts as crashed."""


class Verdict(enum.Enum):
    """What ptxas says to a module."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CRASHED = "crashed"


class EnvironmentRejected(Exception):
    """ptxas rejects the module around the statements, whatever the statement."""


# A module that draws an error, and not a fatal one: seen among the messages, it tells how far ptxas came.
_MARKER = "marker"
# Two legal modules, which keep their neighbours apart: what the first suffers does not reach the second.
_SPACERS = ("spacer1", "spacer2")
_AUXILIARY = {
    _MARKER: ".version 1.4 .target sm_10 .entry ptxgen_entry () { bra $nowhere; }\n",
    **dict.fromkeys(_SPACERS, ".version 1.4 .target sm_10 .entry ptxgen_entry () { ret; }\n"),
}

_MESSAGE = re.compile(r"^ptxas (\S+), line \d+; (error|fatal)", re.MULTILINE)
# Where ptxas reads the text that it expands some instructions into; whose expansion it was, it does not say.
_EXPANSION = "<builtin>"


@frozen
class _Message:
    file: str
    fatal: bool


@frozen
class _Run:
    status: int | None
    """The exit status; negative for a signal, None when it ran out of time."""
    text: str

    @property
    def died(self) -> bool:
        return self.status is None or self.status < 0

    @property
    def verdict(self) -> Verdict:
        """The verdict on the modules of the run together. A crash after an error leaves the error standing."""
        if self.status == 0:
            return Verdict.ACCEPTED
        return Verdict.CRASHED if self.died and not self.messages() else Verdict.REJECTED

    def messages(self) -> list[_Message]:
        """Errors at a position, in the order in which ptxas found them."""
        return [_Message(file, word == "fatal") for file, word in _MESSAGE.findall(self.text)]


@frozen
class _Ptxas:
    program: Path
    architecture: str
    folder: Path
    timeout: float

    def run(self, files: Sequence[str]) -> _Run:
        command = [self.program, f"-arch={self.architecture}", *files, "-o", os.devnull]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                encoding="utf-8",
                errors="replace",
                timeout=self.timeout,
            )
        except subprocess.TimeoutExpired as late:
            return _Run(None, (late.stderr or b"").decode("utf-8", "replace"))
        return _Run(done.returncode, done.stdout + done.stderr)

    def alone(self, file: str) -> Verdict:
        return self.run([file]).verdict

    def judge(self, files: Sequence[str]) -> Iterator[tuple[str, Verdict]]:
        """The verdicts of many modules, in no particular order."""
        left = list(files)
        doubtful: set[str] = set()
        crashing: list[str] = []
        while left:
            # The doubtful ones go last, so that they disturb nobody.
            order = [file for file in left if file not in doubtful]
            order += chain.from_iterable((file, *_SPACERS) for file in left if file in doubtful)
            run = self.run(order)
            if run.verdict is Verdict.ACCEPTED:
                yield from zip(left, repeat(Verdict.ACCEPTED))
                break
            rejected, doubtful, suspects = _believe(order, run.messages())
            if not rejected and not run.died:
                suspects = set(left)
            if suspects:
                rejected = (rejected - suspects) | self._guilty([file for file in left if file in suspects])
                doubtful -= rejected
            if rejected:
                yield from zip(rejected, repeat(Verdict.REJECTED))
                left = [file for file in left if file not in rejected]
                continue
            # A crash, or an error without position.
            culprit = self._interrupted_at(left) if run.died else None
            if culprit is not None or len(left) == 1:
                culprit = culprit or left[0]
                crashing.append(culprit)
                left.remove(culprit)
            else:
                half = len(left) // 2
                yield from self.judge(left[:half])
                left = left[half:]
        for file in crashing:
            yield file, self.alone(file)

    def _guilty(self, files: Sequence[str]) -> set[str]:
        """Those of some modules that draw an error, whatever file ptxas ascribes it to."""
        run = self.run(list(chain.from_iterable((file, *_SPACERS, _MARKER) for file in files)))
        guilty: set[str] = set()
        done = 0
        for message in run.messages():
            if message.file == _MARKER:
                done += 1
            elif done < len(files):
                guilty.add(files[done])
        return guilty

    def _interrupted_at(self, files: Sequence[str]) -> str | None:
        """The module at which ptxas crashes, if it crashes while it reads modules."""
        run = self.run(list(chain.from_iterable(zip(files, repeat(_MARKER)))))
        done = sum(message.file == _MARKER for message in run.messages())
        return files[done] if run.died and done < len(files) else None


def _believe(order: Sequence[str], messages: Sequence[_Message]) -> tuple[set[str], set[str], set[str]]:
    """The files that are rejected, those that may be named only because of the one before, and those that an error in
    an expansion may belong to: the next file to be named suffers from it, so it is of the one before that."""
    named = {message.file for message in messages} - _AUXILIARY.keys() - {_EXPANSION}
    fatal = {message.file for message in messages if message.fatal}
    doubtful = {file for before, file in pairwise(order) if before in fatal and file in named}
    suspects: set[str] = set()
    for message, after in pairwise(messages):
        if message.file == _EXPANSION and after.file in named:
            doubtful.add(after.file)
            before = order.index(after.file) - 1
            if before >= 0:
                suspects.add(order[before])
    return named.intersection(order) - doubtful, doubtful, suspects - _AUXILIARY.keys()


def temporary() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder, in memory where that is possible."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="ptxgen-", dir=memory if os.access(memory, os.W_OK) else None)


def _judge_batch(
    texts: Sequence[str], alone: Container[str], program: Path, architecture: str, timeout: float
) -> list[Verdict]:
    files = [str(i) for i in range(len(texts))]
    with temporary() as name:
        folder = Path(name)
        for file, text in chain(_AUXILIARY.items(), zip(files, texts, strict=True)):
            (folder / file).write_bytes(text.encode("utf-8", "surrogatepass"))
        ptxas = _Ptxas(program, architecture, folder, timeout)
        single = {file for file, text in zip(files, texts, strict=True) if text in alone or _hides_errors(text)}
        found = dict(ptxas.judge([file for file in files if file not in single]))
        return [ptxas.alone(file) if file in single else found[file] for file in files]


def _hides_errors(text: str) -> bool:
    """Whether errors in a module may appear under another file's name, or without a position."""
    return "#" in text or not text.isascii()


def _leaves_entry(statement: str) -> bool:
    """Whether a statement may close the entry that it stands in, and go on with definitions that others can see."""
    if "//" in statement or "/*" in statement:
        return True  # the comment may hide a brace
    depth = 0
    for brace in re.findall("[{}]", statement):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return True
    return False


def module_verdicts(
    texts: Sequence[str],
    release: Release,
    arch: str,
    *,
    alone: Container[str] = (),
    workers: int = WORKERS,
    timeout: float = TIMEOUT,
) -> list[Verdict]:
    """What `release` says to each of many modules, with `-arch=arch`, which has to fit all of them.

    The modules of a run are linked: `.visible` and `.extern` names of one are known in the others, and must not be
    defined twice. Those in `alone` get a run of their own, which takes a hundred times as long.
    """
    program = release.path()
    different = list(dict.fromkeys(texts))
    size = max(1, min(BATCH, -(-len(different) // workers)))

    def judge(start: int) -> list[Verdict]:
        return _judge_batch(different[start : start + size], alone, program, arch, timeout)

    with ThreadPoolExecutor(workers) as pool:
        found = chain.from_iterable(pool.map(judge, range(0, len(different), size)))
        verdict = dict(zip(different, found, strict=True))
    return [verdict[text] for text in texts]


def verdicts(
    statements: Sequence[str],
    version: str,
    target: str,
    release: Release,
    *,
    options: Sequence[str] = (),
    environment: Environment = EXAMPLES,
    workers: int = WORKERS,
    timeout: float = TIMEOUT,
) -> list[Verdict]:
    """What `release` says to each statement under `.version version` and `.target target, *options`.

    Every statement is judged as the only one of its module. Registers and names are those of `environment`; a statement
    that names what the version and target do not admit is rejected.
    """
    arch = release.architecture(target)
    if arch is None or not release.judges(version, target):
        raise ReleaseUnavailable(f"ptxas {release.name} does not judge PTX {version} for {target}")
    scope = environment.under(Header(version, target, tuple(options)))
    if module_verdict(scope.everything(), release, arch, timeout=timeout) is not Verdict.ACCEPTED:
        raise EnvironmentRejected(f"ptxas {release.name}:\n{messages(scope.everything(), release, arch)}")
    modules = [scope.module(statement) for statement in statements]
    alone = {module for module, statement in zip(modules, statements, strict=True) if _leaves_entry(statement)}
    return module_verdicts(modules, release, arch, alone=alone, workers=workers, timeout=timeout)


def module_verdict(text: str, release: Release, arch: str, *, timeout: float = TIMEOUT) -> Verdict:
    """What `release` says to a whole module: `arch` is "compute_90" to check, "sm_90" to make code as well."""
    return _run_alone(text, release, arch, timeout).verdict


def messages(text: str, release: Release, arch: str, *, timeout: float = TIMEOUT) -> str:
    """The words of ptxas about a module, for people: they change from release to release."""
    return _run_alone(text, release, arch, timeout).text


def _run_alone(text: str, release: Release, arch: str, timeout: float) -> _Run:
    with temporary() as name:
        (Path(name) / "0").write_bytes(text.encode("utf-8", "surrogatepass"))
        return _Ptxas(release.path(), arch, Path(name), timeout).run(["0"])
