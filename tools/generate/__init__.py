"""`python -m tools.generate`: write `generated/ptxgen_isa` from `specs/`."""
