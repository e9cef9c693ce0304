"""The PTX ISA as data: the tables that `tools/generate` compiles from `specs/`, and what they mean.

`ptxgen.isa["bfi"]` is what the specification says of an instruction; iterating gives the mnemonics.
"""

from ptxgen.packages import make_table

make_table(__name__, "ptxgen.isa.query", "isa")
