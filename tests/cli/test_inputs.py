"""Files that cannot be read are a sentence, whatever they are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ptxgen.cli.inputs import read, written
from ptxgen.cli.usage import WrongUsage
from tests.cli.conftest import GOOD

TEXT = GOOD


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (TEXT.encode("utf-16"), "it is text in UTF-16; `iconv"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "it is text in UTF-16; `iconv"),
        (TEXT.encode("utf-16-le"), "it is no text in UTF-8, byte 2 is NUL"),
        (TEXT.encode("utf-32-be"), "it is no text in UTF-8, byte 1 is NUL"),
        (b"\x7fELF\x02\x01\x01\0", "it is an ELF file, which holds machine code; `cuobjdump -ptx`"),
        (b"\x50\xed\x55\xba\x01\0", "it is a fatbin"),
        (gzip.compress(TEXT.encode()), "it is compressed by gzip; `gunzip` it first"),
        (b"BC\xc0\xde5\x14\0", "it is LLVM bitcode"),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "file.ptx"
    path.write_bytes(data)
    with pytest.raises(WrongUsage) as caught:
        read(str(path))
    assert str(caught.value).startswith(f"{path} is no PTX: {says}")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("no-such.ptx", "cannot read no-such.ptx: no such file or directory"),
        (".", "cannot read .: is a directory"),
        ("a\0b", "cannot read 'a\\x00b': embedded null"),
        ("kernel.py", "kernel.py is a kernel file; `ptxgen build kernel.py` writes its PTX"),
    ],
)
def test_what_is_no_file(path: str, says: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        read(path)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("data", [b"", b"// \xe9 in Latin-1\n", "// \u00e9 in UTF-8\r\n".encode(), b"late \0" * 1000])
def test_bytes_are_kept(tmp_path: Path, data: bytes) -> None:
    """Comments are written in any encoding, and a NUL far behind is for the reader to report, with its line."""
    path = tmp_path / "file.ptx"
    data = b" " * 1024 + data
    path.write_bytes(data)
    assert written(read(str(path))) == data


def test_the_mark_of_utf_8_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "file.ptx"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert read(str(path)) == TEXT
