"""The typed builder: one call is one instruction, validated as it is recorded."""
