"""`names.py`: PTX types as Python classes, and the special registers as annotated attributes."""

from __future__ import annotations

import json
from typing import Any

from ptxgen.isa.registers import SpecialRegister
from tools.specification.specification import Specification

_HEAD = '''"""PTX types as Python classes: annotation `Param[u32]`, value `k.add.rn[f32]`; special registers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ptxgen.ir.operands import Special
    from ptxgen.names import SpecialVector
'''

_REGISTERS = '''
class SpecialRegisters:
    """The special registers of PTX; `ptxgen.sreg` makes each on first use."""
'''


def types_and_registers(specification: Specification, registers: dict[str, SpecialRegister]) -> str:
    """The module `ptxgen_isa.names`."""
    types = specification.tables["types"]["types"]
    parts = [_HEAD]
    parts += [_type(name.lstrip("."), row) for name, row in types.items()]
    parts.append(_REGISTERS)
    parts += [_register(register) for register in registers.values()]
    listed = "".join(f"    {json.dumps(name.lstrip('.'))},\n" for name in types)
    parts.append(f"\n\n__all__ = [\n{listed}]\n")
    return "".join(parts)


def _type(name: str, row: dict[str, Any]) -> str:
    return f'\n\nclass {name}:\n    """{_describe(row)}"""\n\n    name = "{name}"\n'


def _describe(row: dict[str, Any]) -> str:
    """What the table says of a type, as one sentence."""
    words = f"{row['lanes']} x {row['of']}" if "of" in row else f"{row['bits']} bit{'s' if row['bits'] != '1' else ''}"
    if "container" in row:
        return f"{row['kind'].capitalize()}, {words}, held in {row['container']}."
    return f"{row['kind'].capitalize()}, {words}" + ("." if "register" in row else "; no registers.")


def _register(register: SpecialRegister) -> str:
    """One attribute with its summary."""
    kind = "SpecialVector" if register.vector else "Special"
    section = f" (PTX ISA {register.section})" if register.section else ""
    return f'\n    {register.name}: {kind}[{register.type}]\n    """{register.summary.rstrip(".")}{section}."""\n'
