"""tf.contrib.slim.data: examples from files, decoded into items."""
