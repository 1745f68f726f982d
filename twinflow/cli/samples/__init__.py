"""Look-alikes of well-known data sets: `twinflow run --sample-data`.

They have the format, the shapes and dtypes of the real ones, and something to learn, so
that programs start and their losses fall. Nothing else about them is true.
"""
