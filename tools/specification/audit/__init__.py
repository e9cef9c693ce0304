"""What is true of a good specification file besides its form.

Examples are legal and rejects are not, conditions decide something, lines agree, and nothing is without use.
"""

from __future__ import annotations

from typing import Any

from ptxgen.isa.family import Table
from tools.specification.audit import conditions, examples, lines, order, semantics, unused
from tools.specification.compile import compile_family, compile_index
from tools.specification.family import Family
from tools.specification.installed import installed
from tools.specification.reader import Problems


def audit(families: list[Family], tables: dict[str, Any], problems: Problems) -> None:
    """Add every fault of the families to `problems`."""
    with installed(tables):
        table = Table([compile_index(families), *map(compile_family, families)])
        for family in families:
            compiled = table.family(family.mnemonics[0])
            assert compiled is not None
            unused.audit(family, problems)
            semantics.audit(family, compiled, problems)
            conditions.audit(family, compiled, problems)
            order.audit(family, compiled, problems)
            proven = examples.audit(family, compiled, table, problems)
            lines.audit(family, compiled, proven, problems)
