"""Makes applications.json: what TensorFlow 1.12 gives for application_rows.

Usage: $TF112_PYTHON tests/keras/make_applications.py [ROW ...]
"""

import json
import os
import runpy
import sys

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = runpy.run_path(os.path.join(HERE, "application_rows.py"))


def spread(y):
    """How far the numbers of an image are apart, for their size."""
    return float(np.min(np.std(y, axis=1) / np.mean(np.abs(y), axis=1)))


def measured(name):
    """The facts of a row."""
    tf.keras.backend.clear_session()
    model = ROWS["made"](tf, name)
    found = ROWS["facts"](tf, model)
    found["tensors"] = ROWS["tensors"](model)
    if ROWS["ROWS"][name][2]:
        y = found["outputs"] = ROWS["outputs"](model)
        assert spread(y) > 0.05, (name, y)
    return found


def main(names):
    path = os.path.join(HERE, "applications.json")
    found = {}
    if os.path.exists(path):
        with open(path) as file:
            found = json.load(file)
    for name in names or sorted(ROWS["ROWS"]):
        found[name] = measured(name)
        with open(path, "w") as file:
            json.dump(found, file, indent=1, sort_keys=True)
            file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
