"""Maps that run in other processes."""
