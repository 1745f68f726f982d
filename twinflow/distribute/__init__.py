"""Towers: one program on several devices; tf.contrib.distribute is its index."""
