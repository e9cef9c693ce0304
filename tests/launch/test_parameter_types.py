"""The types of parameters are those of specs/types.yaml that have registers."""

from __future__ import annotations

import pytest

from ptxgen.launch.parameters import kind, width


@pytest.mark.parametrize(
    ("ptx_type", "bits", "letter"),
    [
        ("u8", 8, "u"), ("s64", 64, "s"), ("b128", 128, "b"), ("f16", 16, "f"), ("f16x2", 32, "b"), ("f64", 64, "f"),
        ("pred", 0, ""), ("texref", 0, ""), ("e4m3", 0, ""), ("bf16", 0, ""), ("b1024", 0, ""), ("u7", 0, ""),
    ],
)  # fmt: skip
def test_width_and_kind(ptx_type: str, bits: int, letter: str) -> None:
    assert (width(ptx_type), kind(ptx_type)) == (bits, letter)
