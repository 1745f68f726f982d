"""Models in the format of TensorFlow Lite, written."""
