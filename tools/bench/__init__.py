"""How long ptxgen takes, as ratios to what ran beside it."""
