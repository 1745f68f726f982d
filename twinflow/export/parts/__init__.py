"""The modules that tf.saved_model had: each a few names of the functions here."""
