"""A module around a statement: what examples of codes stand in."""

from __future__ import annotations

FRAME = """\
.version {version}
.target {target}
.address_size 64

.visible .entry kernel(.param .u64 pointer)
{{
	.reg .pred %p<4>;
	.reg .b16 %h<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	.reg .f32 %f<4>;
	.reg .f64 %fd<4>;
	.shared .align 16 .b8 buffer[1024];
	.shared .align 8 .b64 bar;
{body}
	ret;
}}
"""
VERSIONS = {"sm_80": "8.3", "sm_90a": "8.6", "sm_100a": "8.6"}


def framed(example: str, target: str = "sm_80") -> str:
    """A whole module as it is; statements in a kernel for a target."""
    if example.startswith(".version"):
        return example
    return FRAME.format(version=VERSIONS[target], target=target, body=example)
