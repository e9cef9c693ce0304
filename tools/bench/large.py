"""A large kernel as a compiler would write it: two kinds of blocks by turns, whose every result is a new register.

A block has 25 instructions, of which a forward branch may leave out half, and its head carries values on to the next.
"""

from __future__ import annotations

import re

BLOCK = 25  # instructions
TARGET = "90"  # what follows compute_ and sm_
_TYPES: tuple[str, ...] = ("%p", "%rs", "%f", "%r", "%fd", "%rd")
_MOST = 12  # of one type that a block may use

_REGISTER = re.compile(r"(%(?:p|rs|fd?|rd?))(?:\+(\d+))?(?![\w.])")
_HEAD = """.version 8.3
.target sm_{target}
.address_size 64

.visible .entry large(
	.param .u64 large_param_0,
	.param .u32 large_param_1
)
{{
	.shared .align 8 .b8 tile[4096];
	.reg .pred 	%p<{p}>;
	.reg .b16 	%rs<{rs}>;
	.reg .f32 	%f<{f}>;
	.reg .b32 	%r<{r}>;
	.reg .f64 	%fd<{fd}>;
	.reg .b64 	%rd<{rd}>;

	ld.param.u64 	%rd1, [large_param_0];
	cvta.to.global.u64 	%rd0, %rd1;
	ld.param.u32 	%r1, [large_param_1];
	mov.u32 	%r2, %tid.x;
	add.s32 	%r0, %r1, %r2;
	mov.f32 	%f0, 0f3F800000;
	mov.f64 	%fd0, 0d3FF0000000000000;
"""

# %r+3 is the third register of the block, %r+1 the value for the next block, where it is %r.
_SINGLE = """
$L__BB0_{n}:
	add.s32 	%r+1, %r, {n};
	shl.b32 	%r+2, %r+1, 2;
	mul.wide.s32 	%rd+1, %r+2, 4;
	add.s64 	%rd+2, %rd0, %rd+1;
	ld.global.f32 	%f+3, [%rd+2];
	ld.global.nc.f32 	%f+4, [%rd+2+{bytes}];
	mul.f32 	%f+5, %f+3, %f+4;
	fma.rn.f32 	%f+6, %f+5, %f+3, %f;
	add.f32 	%f+1, %f+6, 0f3F000000;
	cvt.f64.f32 	%fd+1, %f+1;
	and.b32 	%r+3, %r+1, 31;
	setp.lt.u32 	%p+1, %r+3, {small};
	@%p+1 bra 	$L__BB0_{next};
	cvt.rn.f32.s32 	%f+7, %r+3;
	mul.f32 	%f+8, %f+7, %f+1;
	mov.u32 	%r+4, {n};
	xor.b32 	%r+5, %r+4, %r+3;
	mul.wide.u32 	%rd+3, %r+5, 4;
	add.s64 	%rd+4, %rd0, %rd+3;
	st.global.f32 	[%rd+4], %f+8;
	ld.global.v2.u32 	{{%r+6, %r+7}}, [%rd+2+16];
	mad.lo.s32 	%r+8, %r+6, %r+7, %r+1;
	selp.b32 	%r+9, %r+8, %r+5, %p+1;
	shfl.sync.down.b32 	%r+10|%p+2, %r+9, 16, 31, -1;
	st.global.u32 	[%rd+4+4], %r+10;
"""
_DOUBLE = """
$L__BB0_{n}:
	sub.s32 	%r+1, %r, {small};
	shr.u32 	%r+2, %r+1, 3;
	and.b32 	%r+3, %r+2, 508;
	mov.u32 	%r+4, tile;
	add.s32 	%r+5, %r+4, %r+3;
	ld.shared.u32 	%r+6, [%r+5+{bytes}];
	cvt.rn.f64.u32 	%fd+2, %r+6;
	fma.rn.f64 	%fd+1, %fd, %fd+2, 0d3FE0000000000000;
	cvt.rn.f32.f64 	%f+1, %fd+1;
	setp.gt.f64 	%p+1, %fd+1, %fd+2;
	setp.ne.s32 	%p+2, %r+6, 0;
	and.pred 	%p+3, %p+1, %p+2;
	@!%p+3 bra 	$L__BB0_{next};
	cvt.u64.u32 	%rd+1, %r+6;
	shl.b64 	%rd+2, %rd+1, 3;
	add.s64 	%rd+3, %rd0, %rd+2;
	ld.global.f64 	%fd+3, [%rd+3+{bytes}];
	add.f64 	%fd+4, %fd+3, %fd+1;
	st.global.f64 	[%rd+3], %fd+4;
	cvt.u16.u32 	%rs+1, %r+6;
	add.s16 	%rs+2, %rs+1, {small};
	st.global.u16 	[%rd+3+8], %rs+2;
	mov.b64 	{{%r+7, %r+8}}, %fd+4;
	prmt.b32 	%r+9, %r+7, %r+8, 30212;
	st.shared.u32 	[%r+5], %r+9;
"""
_TAIL = """
$L__BB0_{n}:
	ret;
}}
"""


def kernel(count: int) -> str:
    """PTX of one kernel with `count` instructions, a multiple of 25, and a few before and after them."""
    blocks = count // BLOCK
    kinds = [(_numbered(block), _registers(block)) for block in (_SINGLE, _DOUBLE)]
    at = {type: [0, *range(1, _MOST)] for type in kinds[0][1]}  # [0] is the number of what comes from the block before
    parts: list[str] = []
    for n in range(blocks):
        block, registers = kinds[n % 2]
        parts.append(block.format(at=at, n=n, next=n + 1, bytes=n * 4 % 2048, small=n % 31 + 1))
        for type, count in registers.items():
            first = at[type][1]
            at[type] = [first, *range(first + count, first + count + _MOST)]
    counts = {type[1:]: max(numbers[1], _MOST) for type, numbers in at.items()}
    return _HEAD.format(target=TARGET, **counts) + "".join(parts) + _TAIL.format(n=blocks)


def _numbered(block: str) -> str:
    """The format of a block, with `%r{at[%r][3]}` for `%r+3`."""
    return _REGISTER.sub(lambda found: f"{found[1]}{{at[{found[1]}][{found[2] or 0}]}}", block)


def _registers(block: str) -> dict[str, int]:
    """How many new registers of each type a block has."""
    found = dict.fromkeys(_TYPES, 0)
    for match in _REGISTER.finditer(block):
        found[match[1]] = max(found[match[1]], int(match[2] or 0))
    return found
