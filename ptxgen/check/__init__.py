"""Checks: instructions against the specification, modules against their target and version."""
