"""The tests of twinflow; folders mirror those of the package."""
