"""The least that one can write: a method that formats a line and makes up a name."""

from __future__ import annotations

from tools.bench.emitters import PATTERN


class Lines:
    """Lines of PTX; the first `%f` that `emit` hands out is number `first`."""

    def __init__(self, first: int) -> None:
        self.lines: list[str] = []
        self.number = first

    def emit(self, opcode: str, *operands: str) -> str:
        """An instruction with a result, which is returned."""
        number = self.number
        self.number = number + 1
        result = f"%f{number}"
        self.lines.append(f"\t{opcode} {result}, {', '.join(operands)};")
        return result

    def effect(self, opcode: str, *operands: str) -> None:
        """An instruction without a result."""
        self.lines.append(f"\t{opcode} {', '.join(operands)};")


def emit(count: int) -> tuple[str, Lines]:
    """The kernel through `Lines`."""
    k = Lines(2)
    p, a, b = "%rd0", "%f0", "%f1"
    for _ in range(count // PATTERN):
        a = k.emit("add.f32", a, b)
        b = k.emit("add.f32", a, b)
        a = k.emit("add.f32", a, b)
        b = k.emit("add.f32", a, b)
        a = k.emit("fma.rn.f32", a, b, a)
        b = k.emit("fma.rn.f32", a, b, b)
        c = k.emit("ld.global.f32", f"[{p}]")
        k.effect("st.global.f32", f"[{p}]", a)
        a = c
    head = [
        ".version 7.0\n.target sm_80\n.address_size 64\n\n.visible .entry kernel\n{",
        f"\t.reg .f32 %f<{k.number}>;\n\t.reg .u64 %rd<1>;",
    ]
    return "\n".join([*head, *k.lines, "}\n"]), k
