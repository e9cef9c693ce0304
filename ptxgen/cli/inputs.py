"""Reading the files that a command names."""

from __future__ import annotations

import os
import sys

from ptxgen.cli.usage import WrongUsage

STDIN = "-"
_HEAD = 1024  # bytes that tell whether a file is text

# How files begin that are mistaken for PTX: what they are, and what to do.
_OTHERS = {
    b"\x7fELF": "an ELF file, which holds machine code; `cuobjdump -ptx` shows the PTX in it, if there is some",
    b"\x50\xed\x55\xba": "a fatbin; `cuobjdump -ptx` shows the PTX in it, if there is some",
    b"\x1f\x8b": "compressed by gzip; `gunzip` it first",
    b"\x28\xb5\x2f\xfd": "compressed by zstd; `unzstd` it first",
    b"PK\x03\x04": "a zip archive",
    b"BC\xc0\xde": "LLVM bitcode; `llc -march=nvptx64` makes PTX of it",
    b"\xff\xfe": "text in UTF-16; `iconv -f UTF-16 -t UTF-8` converts it",
    b"\xfe\xff": "text in UTF-16; `iconv -f UTF-16 -t UTF-8` converts it",
}
_MARK = b"\xef\xbb\xbf"  # that some editors put in front of UTF-8


def read(path: str) -> str:
    """The text of a file, or of standard input for "-"; WrongUsage says why it cannot be read.

    Bytes that are no UTF-8, which may stand in comments, are kept as surrogates: `written` gives them back.
    """
    if path.endswith(".py"):
        raise WrongUsage(f"{path} is a kernel file; `ptxgen build {path}` writes its PTX")
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:  # a NUL character in the name
        raise WrongUsage(f"cannot read {path!r}: {error}") from None
    return _decoded(data, named(path))


def named(path: str) -> str:
    """How messages call a file."""
    return "<stdin>" if path == STDIN else path


def written(text: str) -> bytes:
    """The bytes of a text that `read` gave."""
    return text.encode("utf-8", "surrogateescape")


def size(path: str) -> int:
    """Bytes of a file, 0 where nobody can tell."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _decoded(data: bytes, name: str) -> str:
    for beginning, what in _OTHERS.items():
        if data.startswith(beginning):
            raise WrongUsage(f"{name} is no PTX: it is {what}")
    data = data.removeprefix(_MARK)
    if (at := data.find(b"\0", 0, _HEAD)) >= 0:
        raise WrongUsage(f"{name} is no PTX: it is no text in UTF-8, byte {at + 1} is NUL")
    return data.decode("utf-8", "surrogateescape")
