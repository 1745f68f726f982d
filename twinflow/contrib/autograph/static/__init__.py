"""TensorFlow 1.12's conversion as a library: trees, analyses, converters, by its names.

`to_graph` and `tf.function` do not use it, see docs/decisions/0015-autograph.md.
"""
