"""Programs and values in the formats of other frameworks."""
