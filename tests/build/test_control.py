"""Labels, branches and the two helpers of control flow: exactly the statements that one would write by hand."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen import Module, OperandError, Unavailable
from tests.build.kernels import builder, building, refused, written


def test_labels() -> None:
    def body(k: Any) -> None:
        p = k.reg.pred()
        top = k.label("top")
        k.place(top)
        k.bra(top, pred=p)
        end = k.label("$end")
        k.bra.uni(end)
        k.place(end)

    assert written(body) == ["$top_1:", "@%p0 bra $top_1;", "bra.uni $end_2;", "$end_2:"]


def test_if() -> None:
    def body(k: Any) -> None:
        with k.if_(k.reg.pred()):
            k.bar.sync(0)

    assert written(body) == ["@!%p0 bra $endif_1;", "bar.sync 0;", "$endif_1:"]


def test_if_of_a_complement() -> None:
    def body(k: Any) -> None:
        with k.if_(~k.reg.pred()):
            k.bar.sync(0)

    assert written(body) == ["@%p0 bra $endif_1;", "bar.sync 0;", "$endif_1:"]


def test_if_else() -> None:
    def body(k: Any) -> None:
        with k.if_(k.reg.pred()) as branch:
            k.bar.sync(0)
        with branch.else_():
            k.bar.sync(1)
        k.bar.sync(2)

    assert written(body) == [
        "@!%p0 bra $endif_1;", "bar.sync 0;", "bra $endelse_2;", "$endif_1:", "bar.sync 1;", "$endelse_2:",
        "bar.sync 2;",
    ]  # fmt: skip


def test_loop() -> None:
    def body(k: Any) -> None:
        p, q = k.reg.pred(2)
        with k.loop("spin") as spin:
            spin.break_(pred=q)
            spin.repeat(pred=~p)
        with k.loop() as forever:
            forever.repeat()

    assert written(body) == [
        "$spin_1:", "@%p1 bra $spin_end_2;", "@!%p0 bra $spin_1;", "$spin_end_2:", "$loop_3:", "bra $loop_3;",
    ]  # fmt: skip


def test_nested_helpers() -> None:
    def body(k: Any) -> None:
        p = k.reg.pred()
        with k.loop("outer") as outer:
            with k.if_(p) as branch, k.loop("inner") as inner:
                inner.repeat(pred=p)
            with branch.else_():
                outer.break_()
            outer.repeat()

    assert written(body) == [
        "$outer_1:", "@!%p0 bra $endif_3;", "$inner_4:", "@%p0 bra $inner_4;", "bra $endelse_6;", "$endif_3:",
        "bra $outer_end_2;", "$endelse_6:", "bra $outer_1;", "$outer_end_2:",
    ]  # fmt: skip


def test_tables_of_branches() -> None:
    def body(k: Any) -> None:
        first, second = k.label("a"), k.label("b")
        k.brx.idx(k.reg.u32(), k.branchtargets("table", first, second))
        k.place(first)
        k.place(second)

    assert written(body) == ["$table_3: .branchtargets $a_1, $b_2;", "brx.idx %r0, $table_3;", "$a_1:", "$b_2:"]


def test_comments_and_pragmas() -> None:
    def body(k: Any) -> None:
        k.comment("two\nlines")
        k.pragma("nounroll")
        k.raw("\tadd.u32 a, b, c;")

    assert written(body) == ["// two", "// lines", '.pragma "nounroll";', "add.u32 a, b, c;"]


# ---- refusals


def test_labels_refused() -> None:
    k, other = builder(), building(Module("sm_90"), "other")
    top = k.label("top")
    k.place(top)
    with refused(OperandError, "the label $top_1 is placed twice", k=k):
        k.place(top)
    for stranger in (other.label("top"), builder().label("x")):
        with refused(OperandError, "belongs to another function", k=k):
            k.place(stranger)
        with refused(OperandError, "belongs to another function", k=k):
            k.branchtargets("table", top, stranger)
        with refused(OperandError, f"bra: {stranger.text} belongs to", k=k):
            k.bra(stranger)
    for wrong in ("top", None, 5, k.reg.u32(), k.branchtargets("t", top)):
        with refused(OperandError, "a label made with k.label is needed, got", k=k):
            k.place(wrong)
    with refused(OperandError, ".branchtargets lists at least one target", k=k):
        k.branchtargets("empty")
    for name in (5, None):
        with refused(OperandError, "a string is needed", k=k):
            k.label(name)  # pyright: ignore
        with refused(OperandError, "a string is needed", k=k):
            k.loop(name).__enter__()  # pyright: ignore
    with refused(OperandError, "is no PTX identifier", k=k):
        k.label("a b")


@pytest.mark.parametrize("use", ["bra", "brx"])
def test_a_label_that_is_used_is_placed(use: str) -> None:
    module = Module("sm_90")

    def kernel(k: Any) -> None:
        end = k.label("end")
        if use == "bra":
            k.bra(end)
        else:
            k.branchtargets("table", end)
        k.label("unused")

    with refused(OperandError, "the label $end_1 is branched to and placed nowhere; use k.place", module=module):
        module.entry(kernel)
    module.entry(lambda k: k.label("unused") and None, name="kernel")


@pytest.mark.parametrize("condition", [None, 1, "p", True])
def test_conditions_refused(condition: Any) -> None:
    k = builder()
    for helper in (k.if_,):
        with (
            refused(OperandError, "k.if_(p): pred= takes a predicate register or its complement ~p", k=k),
            helper(condition),
        ):
            pass
    with refused(OperandError, "takes a predicate register", k=k), k.if_(k.reg.u32()):
        pass
    with k.loop("l") as loop, refused(OperandError, "bra: pred= takes a predicate register", k=k):
        loop.repeat(pred=k.reg.u32())
    p = building(Module("sm_90"), "other").reg.pred()
    with refused(OperandError, "the guard %p0 belongs to other, not to kernel", k=k), k.if_(p):
        pass


def test_else_follows_its_if() -> None:
    k = builder()
    with k.if_(k.reg.pred()) as branch:
        pass
    k.bar.sync(0)
    with refused(OperandError, "else_() follows its if_() at once, and only one does", k=k), branch.else_():
        pass
    with k.if_(k.reg.pred()) as branch:
        pass
    with branch.else_():
        pass
    with refused(OperandError, "else_() follows its if_() at once", k=k), branch.else_():
        pass


@pytest.mark.parametrize("text", ['a"b', "a\nb", 5, None])
def test_pragmas_refused(text: Any) -> None:
    k = builder()
    with refused(OperandError, k=k):
        k.pragma(text)


def test_availability() -> None:
    k = building(Module("sm_70", "6.0"))
    with refused(Unavailable, '.pragma "frequency 5" needs PTX 9.0; the module has sm_70 and PTX 6.0', k=k):
        k.pragma("frequency 5")
    k = building(Module("sm_50", "5.0"))
    label = k.label("x")
    with refused(Unavailable, ".branchtargets needs sm_30 with PTX 6.0; the module has sm_50 and PTX 5.0", k=k):
        k.branchtargets("t", label)


@pytest.mark.parametrize("text", [5, None, b"x"])
def test_texts_refused(text: Any) -> None:
    k = builder()
    for append in (k.comment, k.raw):
        with refused(OperandError, "a string is needed", k=k):
            append(text)


@pytest.mark.parametrize("statement", [5, None, "add.f32 a, b, c;", (1, 2)])
def test_emit_refused(statement: Any) -> None:
    k = builder()
    with refused(OperandError, "k.emit takes an Instruction, got", k=k):
        k.emit(statement)
