"""Hold the specification against ptxas."""
