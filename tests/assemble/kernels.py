"""Small modules that use what an assembler reports on: registers, barriers, shared and local memory, spills."""

SAXPY = """.version 6.3
.target sm_52
.address_size 64
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<8>;
    ld.param.u32 %r1, [n]; ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra $end;
    cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;
    mul.wide.u32 %rd5, %r5, 4; add.s64 %rd6, %rd3, %rd5; add.s64 %rd7, %rd4, %rd5;
    ld.global.f32 %f2, [%rd6]; ld.global.f32 %f3, [%rd7];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    st.global.f32 [%rd7], %f4;
$end:
    ret;
}
"""

# Static, dynamic and no shared memory; several barriers; a local array; a device function.
MEMORY = """.version 6.3
.target sm_52
.address_size 64
.shared .align 8 .b8 tile[256];
.extern .shared .align 16 .b8 dynamic[];
.visible .entry fixed()
{
    .reg .b32 %r<2>;
    mov.u32 %r1, %tid.x; st.volatile.shared.u32 [tile], %r1; bar.sync 3;
    ret;
}
.visible .entry dynamically()
{
    .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x; mov.u32 %r2, dynamic; st.volatile.shared.u32 [%r2], %r1;
    ret;
}
.visible .entry locally(.param .u64 p)
{
    .local .align 4 .b8 buffer[400];
    .reg .b32 %r<3>; .reg .b64 %rd<7>;
    mov.u32 %r1, %tid.x; mov.b64 %rd1, buffer; cvta.local.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
    st.u32 [%rd4], %r1; ld.u32 %r2, [%rd2+40]; ld.param.u64 %rd5, [p]; st.global.u32 [%rd5], %r2;
    ret;
}
.func (.reg .u32 result) square(.reg .u32 value)
{
    mul.lo.u32 result, value, value;
    ret;
}
.visible .entry calling(.param .u64 p)
{
    .reg .b32 %r<3>; .reg .b64 %rd<2>;
    mov.u32 %r1, %tid.x; call (%r2), square, (%r1); ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r2;
    ret;
}
"""


def spilling(values: int = 80) -> str:
    """A kernel that keeps more values than its registers hold."""
    loads = "".join(f"ld.volatile.global.u32 %r{i}, [%rd1+{4 * i}];\n" for i in range(values))
    stores = "".join(f"st.volatile.global.u32 [%rd1+{4 * i}], %r{values - 1 - i};\n" for i in range(values))
    return f""".version 6.3
.target sm_52
.address_size 64
.visible .entry spilling(.param .u64 p) .maxnreg 32
{{
.reg .b32 %r<{values}>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [p];
{loads}bar.sync 0;
{stores}ret;
}}
"""


ALL = {"saxpy": SAXPY, "memory": MEMORY, "spilling": spilling()}

# ptxas 13.5, and the nvJitLink and drivers that contain it, die of a segmentation fault on this.
CRASHES = """.version 9.0
.target sm_80
.address_size 64
.func fn()
{
    .reg .b32 %r<15>;
    mma.sp.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32.satfinite
        {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%r9, %r10}, {%r11, %r12, %r13, %r14};
}
"""
