"""Layers and models as settings, and their weights in files."""
