"""From training to others: a SavedModel, a server, and ONNX.

    python export_serve.py            # as a graph; --eager trains eagerly
    python export_serve.py --short    # some seconds, to see that it runs

A model that reads digits is trained, saved, and served as it would be in production;
a client asks it over HTTP. Then the same model goes to ONNX, where another program,
onnxruntime, gives the same answers.
"""

# %%
import argparse
import atexit
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request

import numpy as np
import onnxruntime
from matplotlib import pyplot
from sklearn.datasets import load_digits

import twinflow as tf

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument(
    "--eager", action="store_true", help="train eagerly, not as a graph"
)
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/export_serve", help="for all files")
options = parser.parse_args()
epochs, requests = (1, 5) if options.short else (8, 300)
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## A model
# Digits of 8 x 8 pixels that scikit-learn brings along, and Keras. `fit` takes its
# steps eagerly or as a graph, as the program began.

# %%
images, labels = load_digits(return_X_y=True)
images = (images / 16).astype(np.float32).reshape(-1, 8, 8, 1)
train, test = slice(0, 1500), slice(1500, None)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu", input_shape=[8, 8, 1]),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])  # fmt: skip
model.compile(
    tf.train.AdamOptimizer(2e-3), "sparse_categorical_crossentropy", ["accuracy"]
)
model.fit(images[train], labels[train], batch_size=64, epochs=epochs, verbose=1)
chances = model.predict(images[test])
print(f"accuracy {np.mean(chances.argmax(1) == labels[test]):.3f} of {len(chances)}")

# %% [markdown]
# ## A SavedModel
# A folder with a graph, its variables and a signature, which says what goes in and what
# comes out. Numbered folders are versions: a server takes the newest.


# %%
def saved(folder):
    """Write the model into a folder, with one signature."""
    weights = model.get_weights()
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = tf.placeholder(tf.float32, [None, 8, 8, 1])
        again = tf.keras.Sequential.from_config(model.get_config())
        outputs = again(inputs)
        session.run(tf.global_variables_initializer())
        again.set_weights(weights)
        tf.saved_model.simple_save(
            session, folder, {"image": inputs}, {"chances": outputs}
        )


models = os.path.join(options.folder, "digits")
shutil.rmtree(models, ignore_errors=True)
saved(os.path.join(models, "1"))
for path in sorted(tf.gfile.Glob(models + "/1/*") + tf.gfile.Glob(models + "/1/*/*")):
    if not tf.gfile.IsDirectory(path):
        print(
            f"{os.path.relpath(path, options.folder):44} {os.path.getsize(path)} bytes"
        )

# %% [markdown]
# ## A server
# `twinflow serve` answers TensorFlow Serving's interfaces, REST and gRPC; here it takes
# free ports and says which.

# %%
command = [sys.executable, "-m", "twinflow", "serve", models, "--name", "digits"]
command += ["--rest-port", "0", "--grpc-port", "0"]
server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
atexit.register(server.kill)  # whatever happens to this program
line = ""
while "REST at" not in line:
    line = server.stderr.readline()
    if not line:
        raise RuntimeError(f"the server ended with {server.wait()}")
url = line.split()[2] + "/v1/models/digits"
print("GET", urllib.request.urlopen(url).read().decode().replace("\n", ""))


def ask(images):
    """What the server answers to some images."""
    body = json.dumps({"instances": images.tolist()}).encode()
    with urllib.request.urlopen(f"{url}:predict", body) as answer:
        return np.array(json.load(answer)["predictions"], np.float32)


served = ask(images[test][:50])
print(f"served and predicted differ by {np.abs(served - chances[:50]).max():.1e}")

# %% [markdown]
# How long does an answer take? One client, one image at a time:

# %%
bar, took = tf.keras.utils.Progbar(requests), []
for number in range(requests):
    start = time.perf_counter()
    ask(images[test][number % 200][None])
    took.append(1000 * (time.perf_counter() - start))
    bar.update(number + 1)
server.terminate()
print(f"half of the answers came within {np.median(took):.1f} ms; "
      f"the server ended with {server.wait(30)}")  # fmt: skip
server.stderr.close()

# %% [markdown]
# ## ONNX
# One file that many programs read. `check=True` runs it in onnxruntime and compares.

# %%
path = os.path.join(options.folder, "digits.onnx")
tf.onnx.export(model, path, check=True)
other = onnxruntime.InferenceSession(path)
[again] = other.run(None, {other.get_inputs()[0].name: images[test]})
print(f"{os.path.getsize(path)} bytes; onnxruntime's answers differ by at most "
      f"{np.abs(again - chances).max():.1e}")  # fmt: skip

# %% [markdown]
# ## Where all three agree
# Digits that the model is least sure of, and how long the answers took.

# %%
figure = pyplot.figure(figsize=(10.5, 3.4))
places = figure.add_gridspec(2, 6, width_ratios=[1, 1, 1, 1, 1, 3.5])
unsure = np.argsort(chances.max(1))[:10]
for place, i in enumerate(unsure):
    axis = figure.add_subplot(places[place // 5, place % 5])
    axis.imshow(images[test][i, :, :, 0], cmap="gray_r")
    said, right = chances[i].argmax(), labels[test][i]
    colour = "C2" if said == right else "C3"
    axis.set_title(f"{said}: {100 * chances[i].max():.0f} %", fontsize=9, color=colour)
    axis.set(xticks=[], yticks=[])
axis = figure.add_subplot(places[:, 5])
axis.hist(took, bins=40, range=(0, np.percentile(took, 99)))
axis.set(xlabel="milliseconds", ylabel="answers", title="REST, one image a request")
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "served.png"), dpi=110)
print(f"The picture is {options.folder}/served.png.")
