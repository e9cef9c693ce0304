"""The entries of a parameter list."""

import pytest

from ptxgen.launch import Parameter


@pytest.mark.parametrize(
    ("parameter", "size", "holds_address", "text"),
    [
        (Parameter("n", "u32"), 4, False, ".u32 n"),
        (Parameter("x", "u64", pointer=True), 8, True, ".u64 .ptr x"),
        (Parameter("x", "u64"), 8, True, ".u64 x"),
        (Parameter("x", "b64"), 8, True, ".b64 x"),
        (Parameter("x", "s64"), 8, False, ".s64 x"),
        (Parameter("h", "f16x2"), 4, False, ".f16x2 h"),
        (Parameter("s", "b8", 16), 16, False, ".b8 s[16]"),
        (Parameter("v", "f64", 3), 24, False, ".f64 v[3]"),
        (Parameter("q", "b128"), 16, False, ".b128 q"),
        (Parameter("t", "texref"), 0, False, ".texref t"),
    ],
)
def test_size_and_text(parameter: Parameter, size: int, holds_address: bool, text: str):
    assert (parameter.size, parameter.holds_address, str(parameter)) == (size, holds_address, text)
