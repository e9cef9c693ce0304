"""The one intermediate representation: what the builder and the parser produce and everything else consumes."""
