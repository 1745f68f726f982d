"""An Estimator from TFRecords: which of three flowers, from four lengths.

    python records_estimator.py       # --eager: in an eager program
    python records_estimator.py --short

Records are written, read and parsed with tf.data; the estimator trains, evaluates and
predicts. The folder holds checkpoints and events for TensorBoard; run it again and it
goes on. The plot shows what was predicted: a cross marks a mistake.
"""

import argparse
import os

import numpy as np

import twinflow as tf

MEANS = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])
FEATURES = {
    "lengths": tf.FixedLenFeature([4], tf.float32),
    "kind": tf.FixedLenFeature([], tf.int64),
}


# %% [markdown]
# ## Records
# Flowers are drawn about the means of Fisher's three kinds, and written as
# `tf.train.Example`s, as a large data set would be.


# %%
def flowers(count, seed):
    """float32[count, 4] and int64[count]: about as in Fisher's irises."""
    random = np.random.RandomState(seed)
    kinds = random.randint(0, 3, count)
    lengths = MEANS[kinds] + random.normal(0, 0.3, [count, 4])
    return lengths.astype(np.float32), kinds.astype(np.int64)


def write(path, count, seed):
    """A file of tf.train.Examples."""
    with tf.python_io.TFRecordWriter(path) as writer:
        for lengths, kind in zip(*flowers(count, seed)):
            feature = {
                "lengths": tf.train.Feature(
                    float_list=tf.train.FloatList(value=lengths)
                ),
                "kind": tf.train.Feature(int64_list=tf.train.Int64List(value=[kind])),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


# %% [markdown]
# ## Input functions
# An estimator makes a graph of its own, and calls a function for its inputs there.


# %%
def parse(record):
    found = tf.parse_single_example(record, FEATURES)
    return {"lengths": found["lengths"]}, found["kind"]


def input_fn(path, repeat=None):
    """Shuffled batches without end to train on; once through with repeat=1."""
    dataset = tf.data.TFRecordDataset(path).map(parse)
    if repeat is None:
        dataset = dataset.shuffle(100, seed=1)
    return dataset.repeat(repeat).batch(30)


# %% [markdown]
# ## The model
# One function for training, evaluation and prediction.


# %%
def model_fn(features, labels, mode, params):
    hidden = tf.layers.dense(features["lengths"], params["units"], tf.nn.relu)
    logits = tf.layers.dense(hidden, 3)
    kinds = tf.argmax(logits, axis=1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(
            mode, predictions={"kind": kinds, "chances": tf.nn.softmax(logits)}
        )
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    accuracy = tf.metrics.accuracy(labels, kinds)
    tf.summary.scalar("batch_accuracy", tf.reduce_mean(tf.to_float(
        tf.equal(labels, kinds))))  # fmt: skip
    optimizer = tf.train.AdamOptimizer(params["rate"])
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops={"accuracy": accuracy}
    )


# %% [markdown]
# ## All of it


# %%
def plot(lengths, kinds, guesses, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4.5))
    for right, marker in [(True, "o"), (False, "x")]:
        chosen = (guesses == kinds) == right
        axes.scatter(*lengths[chosen, 1:3].T, c=guesses[chosen], marker=marker,
                     vmin=0, vmax=2)  # fmt: skip
    axes.set(xlabel="second length", ylabel="third length", title="Predicted kinds")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--eager", action="store_true", help="in an eager program")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/flowers", help="for all files")
    parser.add_argument("--steps", type=int, default=300)
    args = parser.parse_args()
    if args.eager:
        tf.enable_eager_execution()  # an estimator makes its graphs all the same
    tf.logging.set_verbosity(tf.logging.INFO)  # says how far it is
    paths = [os.path.join(args.folder, n + ".tfrecords") for n in ("train", "test")]
    if not os.path.exists(paths[1]):
        tf.gfile.MakeDirs(args.folder)
        write(paths[0], 300, 0)
        write(paths[1], 90, 1)
    config = tf.estimator.RunConfig(tf_random_seed=1, save_summary_steps=20)
    estimator = tf.estimator.Estimator(
        model_fn, os.path.join(args.folder, "model"), config, {"units": 8, "rate": 0.02}
    )
    steps = 10 if args.short else args.steps
    estimator.train(lambda: input_fn(paths[0]), max_steps=steps)
    found = estimator.evaluate(lambda: input_fn(paths[1], 1))
    rows = estimator.predict(lambda: input_fn(paths[1], 1))
    guesses = np.array([row["kind"] for row in rows])
    lengths, kinds = flowers(90, 1)
    print(
        f"step {found['global_step']}: loss {found['loss']:.4f}, accuracy "
        f"{found['accuracy']:.4f}, predicted {np.mean(guesses == kinds):.4f}"
    )
    path = os.path.join(args.folder, "flowers.png")
    plot(lengths, kinds, guesses, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()
