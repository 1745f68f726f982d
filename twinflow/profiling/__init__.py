"""Where time and memory go: tf.profile and the reports of `twinflow profile`."""
