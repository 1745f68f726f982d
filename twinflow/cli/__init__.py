"""The command `twinflow`: run and check scripts written for TensorFlow 1.x."""
