"""The white list: what a semantics text may say, and how what it may not say is reported."""

import pytest

from ptxgen.cpu.reference import SemanticsError, check_semantics, compile_semantics, name_of

NAMES = {"d", "a", "b", "sat", "rnd", "type", "and_", "f32"}


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("d = a.b", 1, "attributes"),
        ("d = a\nwhile a:\n    d = b", 2, "while"),
        ("def f():\n    d = 1", 1, "def"),
        ("d = (lambda x: x)(a)", 1, "lambda"),
        ("import os", 1, "import"),
        ("d = [x for x in a]", 1, "comprehensions"),
        ("d = max(x for x in a)", 1, "generator"),
        ("d = f'{a}'", 1, "f-strings"),
        ("d = (x := a)", 1, ":="),
        ("for i in lanes(type):\n    break", 2, "break"),
        ("pass", 1, "pass"),
        ("a + b", 1, "expressions without effect"),
        ("d = a[0:2]", 1, "slices"),
        ("d = a @ b", 1, "@"),
        ("d = b'x'", 1, "constant"),
        ("d = 1j", 1, "constant"),
        ("d = a is b", 1, "None"),
        ("d = x = a", 1, "one target"),
        ("d[0][1] = a", 1, "assigned"),
        ("for i in a:\n    d = i", 1, "a loop runs over"),
        ("for i in sorted(a):\n    d = i", 1, "a loop runs over"),
        ("for i, j in range(2):\n    d = i", 1, "one variable"),
        ("for i in range(2):\n    d = i\nelse:\n    d = 0", 1, "no else"),
        ("d = foo(a)", 1, "no intrinsic is called foo"),
        ("d = __import__('os')", 1, "no intrinsic"),
        ("d = a[0](b)", 1, "only intrinsics"),
        ("d = wrap(a)", 1, "takes 2 arguments, not 1"),
        ("d = max(a)", 1, "at least 2"),
        ("d = wrap(a, T=type)", 1, "by position"),
        ("d = wrap(*a)", 1, "by position"),
        ("d = peer(a + 1, 0)", 1, "name of an operand"),
        ("d = c", 1, "no operand, slot or token is called c"),
        ("d = a if u32 else b", 1, ".u32"),
        ("d = (", 1, "never closed"),
        ("d = a\n  d = b", 2, "indent"),
    ],
)
def test_what_is_outside_is_named_with_its_line(text: str, line: int, part: str) -> None:
    found = check_semantics(text, NAMES)
    assert any(at == line and part in message for at, message in found), found


@pytest.mark.parametrize(
    "text",
    [
        "d = a + b  # comment",
        "x, y = (a, b) if sat else (b, a)\nd = x - y",
        "for i in lanes(type):\n    d[i] = round(a[i] + b[i], type, rnd)",
        "for i in range(2, 10, 2):\n    d = i\nelif_ = 1\nd += elif_",
        "if sat and not and_:\n    d = 1\nelif a is None:\n    d = 2\nelse:\n    d = 3",
        "d = a if f32 else round(b, f16, 'rn')",
        "CC = 1 if 0 <= a < 5 else CC\nd = laneid",
        "d = peer(a, 3) if active(3) else len(a)",
    ],
)
def test_what_is_inside(text: str) -> None:
    assert check_semantics(text, NAMES) == []


def test_all_faults_are_reported_in_order() -> None:
    found = check_semantics("d = c\nd = foo(e)\nd = a.b", NAMES)
    assert [line for line, _ in found] == [1, 2, 2, 3]


def test_compiling_stops_at_the_first_fault() -> None:
    with pytest.raises(SemanticsError, match="line 2: no while") as caught:
        compile_semantics("d = a\nwhile d:\n    d = 0")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("token", "name"),
    [(".sat", "sat"), (".and", "and_"), (".L2::cache_hint", "L2__cache_hint"), ("scale-factor", "scale_factor"),
     (".2d", "_2d"), (".cta_group::1", "cta_group__1"), ("d", "d")],
)  # fmt: skip
def test_names(token: str, name: str) -> None:
    assert name_of(token) == name
