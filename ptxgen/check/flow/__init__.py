"""What follows from the flow of control and data in a function: advice on what the assembler accepts in silence."""

from ptxgen.check.flow.module import findings

__all__ = ["findings"]
