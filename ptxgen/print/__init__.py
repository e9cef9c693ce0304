"""The intermediate representation as PTX text."""
