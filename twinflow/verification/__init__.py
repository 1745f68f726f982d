"""Whether a program means the same in every way of running it, and where not."""
