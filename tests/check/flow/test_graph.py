"""Basic blocks and what follows them."""

from __future__ import annotations

from ptxgen.check.flow.graph import Graph, reached
from tests.check.flow.functions import flow


def edges(body: str, before: str = "") -> dict[int, list[int]]:
    _, graph = flow(body, before)
    return {block: sorted(graph.following[block]) for block in graph.order}


def test_straight() -> None:
    assert edges("mov.u32 %r1, 1;\nret;") == {0: []}


def test_guarded_branch_goes_on() -> None:
    body = "setp.eq.u32 %p1, 1, 2;\n@%p1 bra L;\nmov.u32 %r1, 1;\nL:\nret;"
    assert edges(body) == {0: [1, 2], 1: [2], 2: []}


def test_unguarded_branch_does_not() -> None:
    assert edges("bra L;\nmov.u32 %r1, 1;\nL:\nret;") == {0: [2], 2: []}


def test_guarded_return_goes_on() -> None:
    assert edges("setp.eq.u32 %p1, 1, 2;\n@%p1 ret;\nexit;") == {0: [1], 1: []}


def test_loop() -> None:
    assert edges("L:\nsetp.eq.u32 %p1, 1, 2;\n@%p1 bra L;\nret;") == {0: [1], 1: [1, 2], 2: []}


def test_list_of_targets() -> None:
    body = "mov.u32 %r1, 0;\nts: .branchtargets A, B;\nbrx.idx %r1, ts;\nA:\nret;\nB:\nret;"
    assert edges(body) == {0: [1, 2], 1: [], 2: []}


def test_label_of_a_nested_scope() -> None:
    """Inline assembly in braces has labels of its own, which may bear the same name."""
    body = "{\nbra L;\nL:\nmov.u32 %r1, 1;\n}\n{\nbra L;\nL:\nmov.u32 %r2, 1;\n}\nret;"
    assert edges(body) == {0: [1], 1: [2], 2: []}


def test_trap_ends_and_is_not_written_so() -> None:
    _, graph = flow("trap;\nret;")
    assert (graph.following[0], graph.written[0]) == ([], [1])


def test_call_of_what_never_returns() -> None:
    before = ".func stop() .noreturn\n{\ntrap;\n}\n.func go()\n{\nret;\n}"
    assert edges("call go;\ncall stop;\nret;", before) == {0: [1], 1: []}


def test_end_of_the_body() -> None:
    assert edges("mov.u32 %r1, 1;\nL:") == {0: [1], 1: []}


def test_deep_graph() -> None:
    """No recursion: a chain of blocks longer than Python's stack."""
    count = 20_000
    _, graph = flow("\n".join(f"bra L{n};\nL{n}:" for n in range(count)) + "\nret;")
    assert len(graph.order) == len(reached(graph.following)) == count + 1


def test_order_has_a_block_before_what_follows_it() -> None:
    def at(graph: Graph) -> dict[int, int]:
        return {block: place for place, block in enumerate(graph.order)}

    _, graph = flow("setp.eq.u32 %p1, 1, 2;\n@%p1 bra L;\nbra M;\nL:\nmov.u32 %r1, 1;\nM:\nret;")
    places = at(graph)
    assert all(places[block] < places[after] for block in graph.order for after in graph.following[block])
