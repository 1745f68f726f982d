"""Notebooks, run as scripts: `twinflow run notebook.ipynb`."""
