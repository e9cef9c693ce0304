"""Read `specs/`: NVIDIA's notation, conditions, operand kinds and availability, checked and compiled to tables."""
