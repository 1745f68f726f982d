"""Runs models with TensorFlow's own interpreter: `run_elsewhere.py FOLDER COUNT`."""

import os
import sys

import numpy as np
import tensorflow as tf

folder, count = sys.argv[1], int(sys.argv[2])
for i in range(count):
    path = os.path.join(folder, str(i))
    library = tf.lite if hasattr(tf, "lite") else tf.contrib.lite
    lite = library.Interpreter(model_path=path + ".tflite")
    lite.allocate_tensors()
    with np.load(path + ".npz") as arrays:
        for j, details in enumerate(lite.get_input_details()):
            lite.set_tensor(details["index"], arrays["x" + str(j)])
    lite.invoke()
    found = [lite.get_tensor(d["index"]) for d in lite.get_output_details()]
    np.savez(path + "_out.npz", **{"y" + str(j): a for j, a in enumerate(found)})
