"""PTX text to the intermediate representation."""
