"""The manual: its sections in a local copy, and what the repository knows of them without having it."""
