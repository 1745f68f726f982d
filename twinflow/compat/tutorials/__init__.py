"""tensorflow.examples.tutorials: the digits that the tutorials of TensorFlow read."""
