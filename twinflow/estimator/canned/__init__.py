"""The ready-made Estimators: their heads, keys, models and what they share."""
