"""The tables and stubs that `python -m tools.generate` writes from `specs/`. ptxgen.isa reads them."""
