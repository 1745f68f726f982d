"""Dumps of runs: written, read, and matched with their graph."""
