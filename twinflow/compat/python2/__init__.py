"""Programs in Python 2, mended in memory: `twinflow run --py2`."""
