"""A ready-made Estimator reads irises: DNNClassifier, from four lengths.

    python iris.py                    # --eager: in an eager program
    python iris.py --short

The flowers are drawn about the means of Fisher's three kinds; --csv FILE takes lines of
four lengths and the kind (0, 1 or 2) instead, as iris_training.csv has them.
"""

import argparse
import csv
import os

import numpy as np

import twinflow as tf

KINDS = ["Setosa", "Versicolor", "Virginica"]
NAMES = ["SepalLength", "SepalWidth", "PetalLength", "PetalWidth"]
MEANS = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])


# %% [markdown]
# ## Flowers


# %%
def flowers(count, seed):
    """{name: float32[count]} and int64[count]."""
    random = np.random.RandomState(seed)
    kinds = random.randint(0, 3, count)
    lengths = MEANS[kinds] + 0.25 * random.randn(count, 4)
    return dict(zip(NAMES, lengths.astype(np.float32).T)), kinds.astype(np.int64)


def read(path):
    """The same from a file; its first line counts the rows."""
    with open(path, newline="") as file:
        rows = np.array(list(csv.reader(file))[1:], np.float32)
    return dict(zip(NAMES, rows[:, :4].T)), rows[:, 4].astype(np.int64)


# %% [markdown]
# ## An input function, and the estimator
# Twelve lines: columns, hidden layers, steps.


# %%
def batches(features, kinds, size, train):
    """What input functions give: without end and shuffled to train on, else once."""
    dataset = tf.data.Dataset.from_tensor_slices((features, kinds))
    if train:
        dataset = dataset.shuffle(1000, seed=1).repeat()
    return dataset.batch(size)


def plot(classifier, flowers, kinds, path):
    """The petals of flowers by what they are, over what is said of each place."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    x, y = np.meshgrid(np.linspace(0.5, 7.5, 60), np.linspace(-0.5, 3, 60))
    grid = dict(zip(NAMES, MEANS.mean(0).astype(np.float32)[:, None] + np.zeros(3600)))
    grid.update(PetalLength=x.ravel(), PetalWidth=y.ravel())
    grid = {name: np.float32(values) for name, values in grid.items()}
    inputs = tf.estimator.inputs.numpy_input_fn(grid, batch_size=3600, shuffle=False)
    said = [found["class_ids"][0] for found in classifier.predict(inputs)]
    figure, axes = pyplot.subplots(figsize=(6, 4.2))
    axes.pcolormesh(x, y, np.reshape(said, x.shape), alpha=0.25, vmin=0, vmax=2)
    for kind, name in enumerate(KINDS):
        chosen = kinds == kind
        axes.scatter(flowers["PetalLength"][chosen], flowers["PetalWidth"][chosen],
                     c=[kind] * chosen.sum(), vmin=0, vmax=2, label=name)  # fmt: skip
    axes.set(xlabel="petal length", ylabel="petal width", title="What it says where")
    axes.legend(loc="upper left")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300, help="steps of training")
    parser.add_argument("--batch", type=int, default=30, help="flowers a step")
    parser.add_argument("--csv", help="a file of flowers to train on")
    parser.add_argument("--eager", action="store_true", help="in an eager program")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/iris", help="for all files")
    args = parser.parse_args()
    if args.eager:
        tf.enable_eager_execution()  # an estimator makes its graphs all the same
    tf.logging.set_verbosity(tf.logging.INFO)  # says how far it is
    train = read(args.csv) if args.csv else flowers(120, 1)
    test = flowers(60, 2)
    classifier = tf.estimator.DNNClassifier(
        hidden_units=[10, 10], n_classes=3, model_dir=args.folder,
        feature_columns=[tf.feature_column.numeric_column(name) for name in NAMES],
        config=tf.estimator.RunConfig(tf_random_seed=1),
    )  # fmt: skip
    steps = 10 if args.short else args.steps
    classifier.train(lambda: batches(*train, args.batch, True), steps=steps)
    found = classifier.evaluate(lambda: batches(*test, args.batch, False))
    print("accuracy {accuracy:.3f}, loss {average_loss:.4f}".format(**found))

    means = dict(zip(NAMES, MEANS.astype(np.float32).T))
    inputs = tf.estimator.inputs.numpy_input_fn(means, batch_size=3, shuffle=False)
    for wanted, found in zip(KINDS, classifier.predict(inputs)):
        kind = found["class_ids"][0]
        chance = 100 * found["probabilities"][kind]
        print(f"{wanted}: {KINDS[kind]} ({chance:.1f} %)")
    path = os.path.join(args.folder, "iris.png")
    plot(classifier, *test, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()
