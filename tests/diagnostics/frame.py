"""A module around a statement: what examples of codes stand in."""

from __future__ import annotations

FRAME = """\
.version 8.3
.target sm_80
.address_size 64

.func takes_nothing;

.visible .entry kernel(.param .u64 pointer)
{{
	.reg .pred %p<4>;
	.reg .b16 %h<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	.reg .f32 %f<4>;
	.reg .f64 %fd<4>;
	{}
	ret;
}}
"""


def framed(example: str) -> str:
    """A whole module as it is; a statement in a kernel for sm_80 and PTX 8.3."""
    return example if example.startswith(".version") else FRAME.format(example)
