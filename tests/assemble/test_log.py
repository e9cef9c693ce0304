"""The log of ptxas and nvJitLink, as several releases wrote it."""

from __future__ import annotations

import pytest

from ptxgen.assemble.log import Message, Spills, messages_of, spills_of

PTXAS_11_8 = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'spilling' for 'sm_80'
ptxas info    : Function properties for spilling
    232 bytes stack frame, 228 bytes spill stores, 224 bytes spill loads
ptxas info    : Used 32 registers, 360 bytes cmem[0]
"""
PTXAS_13_5 = """\
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'two' for 'sm_90a'
ptxas info    : Function properties for two
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, used 2 barriers
ptxas info    : Compile time = 1.682 ms
"""
NVJITLINK_13_5 = """\
ptxas info    : (C7504) Potential Performance Loss: 'setmaxnreg' ignored to maintain compatibility across units.
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'saxpy' for 'sm_90a'
ptxas info    : Function properties for saxpy
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 512 bytes smem
ptxas info    : Compile time = 1.669 ms
\0"""
ERRORS = """\
ptxas application ptx input, line 12; error   : Unknown modifier '.s17'
ptxas application ptx input, line 12; error   : Unknown modifier '.s17'
ptxas /tmp/a, line 2.ptx, line 14; warning : something odd
ptxas fatal   : Ptx assembly aborted due to errors
ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (ptx)
"""


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (PTXAS_11_8, {"spilling": Spills(228, 224)}),
        (PTXAS_13_5, {"two": Spills(0, 0)}),
        (NVJITLINK_13_5, {"saxpy": Spills(0, 0)}),
        (ERRORS, {}),
        ("", {}),
    ],
)
def test_spills(log: str, expected: dict[str, Spills]):
    assert spills_of(log) == expected


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (PTXAS_11_8, []),
        (PTXAS_13_5, [("info", 0, "C7508")]),
        (NVJITLINK_13_5, [("info", 0, "C7504")]),
        (ERRORS, [("error", 12, ""), ("warning", 14, "")]),
        ("", []),
    ],
)
def test_messages_are_the_lines_without_statistics_each_once(log: str, expected: list[tuple[str, int, str]]):
    assert [(message.severity, message.line, message.code) for message in messages_of(log)] == expected


def test_lines_of_unknown_wording_are_kept():
    log = "ptxas hint    : try harder\nsomething else\nptxas info    : Used magic\n"
    assert [message.text for message in messages_of(log)] == [
        "ptxas hint    : try harder",
        "something else",
        "Used magic",
    ]


def test_the_closing_line_counts_where_it_is_the_only_reason():
    assert messages_of("ERROR NVJITLINK_ERROR_X: no reason\n") == (
        Message("error", "ERROR NVJITLINK_ERROR_X: no reason"),
    )


def test_text_of_a_message():
    assert str(Message("info", "slow", 3, "C7508")) == "line 3: info: (C7508) slow"
    assert str(Message("error", "bad")) == "error: bad"
