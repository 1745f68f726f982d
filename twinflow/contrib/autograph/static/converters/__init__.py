"""The converters of TensorFlow 1.12: each changes one thing in a tree."""
