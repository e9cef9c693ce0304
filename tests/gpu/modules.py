"""The module that the launch tests run, with its parameter lists. The stand-in driver knows these kernels by name."""

from ptxgen.launch import Parameter
from tests.assemble.kernels import SAXPY

PTX = SAXPY + """.visible .entry keep(.param .align 8 .b8 structure[16], .param .u64 out)
{
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [structure]; ld.param.u64 %rd2, [structure+8]; ld.param.u64 %rd3, [out];
    cvta.to.global.u64 %rd3, %rd3;
    st.global.u64 [%rd3], %rd1; st.global.u64 [%rd3+8], %rd2;
    ret;
}
.visible .entry nothing()
{
    ret;
}
"""

PARAMETERS = {
    "saxpy": (
        Parameter("n", "u32"),
        Parameter("a", "f32"),
        Parameter("x", "u64", pointer=True, align=4),
        Parameter("y", "u64", pointer=True, align=4),
    ),
    "keep": (Parameter("structure", "b8", 16), Parameter("out", "u64")),
    "nothing": (),
}

# Each block of a cluster writes its rank and the number of blocks of its cluster.
CLUSTER_PTX = """.version 7.8
.target sm_90
.address_size 64
.visible .entry ranks(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank;
    mul.wide.u32 %rd2, %r1, 8; add.s64 %rd3, %rd1, %rd2;
    st.global.v2.u32 [%rd3], {%r2, %r3};
    ret;
}
"""

# The last byte of dynamic shared memory is written and read back.
SHARED_PTX = """.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry last(.param .u32 size, .param .u64 out)
{
    .reg .b32 %r<5>; .reg .b64 %rd<2>;
    ld.param.u32 %r1, [size]; ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r2, dynamic; add.s32 %r3, %r2, %r1;
    st.volatile.shared.u8 [%r3+-1], 77; ld.volatile.shared.u8 %r4, [%r3+-1];
    st.global.u32 [%rd1], %r4;
    ret;
}
"""
