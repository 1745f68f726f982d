"""Layers and models: what they are made of and how they are called."""
