"""PTX text to the intermediate representation."""

from ptxgen.packages import make_callable

make_callable(__name__, "ptxgen.parse.module", "parse")
