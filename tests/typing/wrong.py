"""Programs that the stubs refuse: each marked line has the error that its comment names, and no other line has any.

`# error: RULE: part of the message`
"""

from __future__ import annotations

from ptxgen import Builder, Param, Reg, b64, f32, pred, sink, sreg, u32, u64


def modifiers(k: Builder, a: Reg[f32]) -> None:
    k.add.rn.u32(a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "u32" for class "add_rn"
    k.add.ftz.rn.f32(a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "rn" for class "add_ftz"
    k.add.sat.f64(a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "f64"
    k.fma.f32(a, a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "f32" for class "fma"
    k.mul.rm.f16(a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "f16"
    k.ld.shared.nc.f32([a])  # error: reportAttributeAccessIssue: Cannot access attribute "nc"
    k.ld.shared.v8.f32([a])  # error: reportAttributeAccessIssue: Cannot access attribute "v8"
    k.setp.lo.f32(a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "f32"
    k.addd.f32(a, a)  # error: reportAttributeAccessIssue: Cannot access attribute "addd" for class "Builder"
    k.add.rn(a, a)  # error: reportCallIssue: Object of type "add_rn" is not callable


def operands(k: Builder, a: Reg[f32], i: Reg[u32], wide: Reg[u64], p: Reg[pred]) -> None:
    k.add.f32(a, i)  # error: reportArgumentType: "Reg[u32]" is not assignable to "Reg[f32]"
    k.add.u32(i, wide)  # error: reportArgumentType: cannot be assigned to parameter "b"
    k.add.u32(i, 1.5)  # error: reportArgumentType: "float" is not assignable to "int"
    k.add.f16x2(i, 1)  # error: reportArgumentType: cannot be assigned to parameter "b"
    k.fma.rn.f32(a, a)  # error: reportCallIssue: Expected 1 more positional argument
    k.add.f32(a, a, a)  # error: reportCallIssue: Expected 2 positional arguments
    k.add.f32(a, b=a)  # error: reportCallIssue: Expected 1 more positional argument
    k.mov.u32("tid")  # error: reportArgumentType: "Literal['tid']" is not assignable
    k.ld.global_.f32(wide)  # error: reportArgumentType: "Reg[u64]" is not assignable to "list[
    k.ld.global_.f32([a])  # error: reportArgumentType: "Reg[f32]" is not assignable to "Reg[u64]"
    k.ld.global_.f32([i])  # error: reportArgumentType: "Reg[u32]" is not assignable to "Reg[u64]"
    k.st.global_.v4.f32([wide], (a, a))  # error: reportArgumentType: Tuple size mismatch; expected 4 but received 2
    k.st.global_.v2.f32([wide], (a, wide))  # error: reportArgumentType: "Reg[u64]" is not assignable to "Reg[b32]"
    k.st.global_.f32([wide], [a])  # error: reportArgumentType: "list[Reg[f32]]" is not assignable to "Reg[f32]"
    k.ld.global_.L2__cache_hint.f32([wide])  # error: reportCallIssue: Expected 1 more positional argument
    k.ld.global_.f32([wide], wide)  # error: reportCallIssue: Expected 1 positional argument
    k.bar.sync(a)  # error: reportArgumentType: "Reg[f32]" is not assignable to "Reg[u32]"
    k.bra(i)  # error: reportArgumentType: "Reg[u32]" is not assignable to "Name"
    k.add.u32(i["b0"], i)  # error: reportArgumentType: "Selected[u32]" is not assignable to "Reg[u32]"
    k.vset4.u32.u32.eq(wide["b3210"], i, i)  # error: reportArgumentType: "Selected[u64]" is not assignable
    k.selp.u32(i, i, i)  # error: reportArgumentType: "Reg[u32]" is not assignable to "Reg[pred]"
    k.and_.pred(p, -1.0)  # error: reportArgumentType: cannot be assigned to parameter "b"


def destinations(k: Builder, a: Reg[f32], i: Reg[u32], wide: Reg[u64], p: Reg[pred]) -> None:
    k.add.f32(a, a, out=i)  # error: reportArgumentType: cannot be assigned to parameter "out"
    k.add.f32(a, a, out=sink)  # error: reportArgumentType: "Sink" is not assignable to "Reg[f32]"
    k.ld.global_.v2.f32([wide], out=(a, a, a))  # error: reportArgumentType: expected 2 but received 3
    k.st.global_.f32([wide], a, out=a)  # error: reportCallIssue: No parameter named "out"
    k.elect.sync(-1, out=p)  # error: reportArgumentType: "Reg[pred]" is not assignable to "tuple[
    x, y = k.ld.global_.v4.f32([wide])  # error: reportAssignmentType: Tuple size mismatch; expected 2 but received 4
    z: Reg[u32] = k.add.f32(a, a)  # error: reportAssignmentType: "Reg[f32]" is not assignable to "Reg[u32]"
    n: Reg[f32] = k.st.global_.f32([wide], a)  # error: reportAssignmentType: "None" is not assignable to "Reg[f32]"
    k.use(x, y, z, n)  # error: reportAttributeAccessIssue: Cannot access attribute "use"


def guards(k: Builder, a: Reg[f32], i: Reg[u32], p: Reg[pred]) -> None:
    k.ret(pred=i)  # error: reportArgumentType: "Reg[u32]" is not assignable to "Reg[pred]"
    k.add.f32(a, a, out=a, pred=True)  # error: reportArgumentType: cannot be assigned to parameter "pred"
    k.ret(p)  # error: reportCallIssue: Expected 0 positional arguments
    k.ret(pred=-i)  # error: reportArgumentType: "Prefixed[u32]" is not assignable to "Prefixed[pred]"


def names(k: Builder, n: Param[u32]) -> None:
    k.mov.u32(sreg.tidd.x)  # error: reportAttributeAccessIssue: Cannot access attribute "tidd"
    k.mov.u32(sreg.laneid.x)  # error: reportAttributeAccessIssue: Cannot access attribute "x"
    k.mov.v2.u32(sreg.tid)  # error: reportArgumentType: "SpecialVector[u32]" is not assignable
    k.mov.u32(sreg.tid)  # error: reportArgumentType: "SpecialVector[u32]" is not assignable
    k.add.u32(sreg.laneid, 1)  # error: reportArgumentType: "Special[u32]" is not assignable to "Reg[u32]"
    k.add.u32(n, 1)  # error: reportArgumentType: "Variable[u32]" is not assignable to "Reg[u32]"
    k.reg.u33()  # error: reportAttributeAccessIssue: Cannot access attribute "u33"
    k.shared.pred("flags")  # error: reportAttributeAccessIssue: Cannot access attribute "pred"
    w: Reg[b64] = k.reg.u64()  # error: reportAssignmentType: "Reg[u64]" is not assignable to "Reg[b64]"
    k.mov.u32(n + n, w)  # error: reportOperatorIssue: Operator "+" not supported
