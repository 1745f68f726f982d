"""The commands that look at the dumps and times of runs."""
