"""Boosted trees: who survives, and why, from a table of numbers and words.

    python trees.py --trees 30        # --eager: in an eager program
    python trees.py --short

The passengers are invented. The last lines say how much each column counts.
"""

import argparse
import os

import numpy as np

import twinflow as tf

CLASSES, SEXES = ["First", "Second", "Third"], ["female", "male"]


# %% [markdown]
# ## Passengers


# %%
def passengers(count, seed):
    """{column: array[count]} and bool[count]."""
    random = np.random.RandomState(seed)
    rank, sex = random.randint(0, 3, count), random.randint(0, 2, count)
    age = random.randint(1, 75, count).astype(np.float32)
    fare = np.round(80.0 / (1 + rank) + 5 * random.rand(count), 2)
    score = 2.2 * (sex == 0) - 0.9 * rank + 1.2 * (age < 12) + 0.8 * random.randn(count)
    people = {
        "class": np.array(CLASSES)[rank], "sex": np.array(SEXES)[sex],
        "age": age, "fare": fare.astype(np.float32),
    }  # fmt: skip
    return people, score > 0.4


# %% [markdown]
# ## Columns
# Trees split numbers at the edges of buckets.


# %%
def columns():
    """Numbers in buckets, words as indicators."""
    feature = tf.feature_column
    words = {"class": CLASSES, "sex": SEXES}
    edges = {"age": [6, 12, 18, 30, 45, 60], "fare": [10, 28, 32, 45, 80]}
    return [
        feature.indicator_column(
            feature.categorical_column_with_vocabulary_list(name, values)
        )
        for name, values in words.items()
    ] + [
        feature.bucketized_column(feature.numeric_column(name), bounds)
        for name, bounds in edges.items()
    ]


def plot(names, shares, path):
    """How much each column counts."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.2))
    axes.barh([name.replace("_indicator", "") for name in names[::-1]], shares[::-1])
    axes.set(xlabel="share of the gain", title="What counts")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trees", type=int, default=20, help="how many")
    parser.add_argument("--depth", type=int, default=3, help="of each")
    parser.add_argument("--eager", action="store_true", help="in an eager program")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/trees", help="for all files")
    args = parser.parse_args()
    if args.eager:
        tf.enable_eager_execution()  # an estimator makes its graphs all the same
    tf.logging.set_verbosity(tf.logging.INFO)  # says how far it is
    count = 2 if args.short else args.trees
    train, test = passengers(600, 1), passengers(200, 2)

    def whole(people, survived, repeat):
        dataset = tf.data.Dataset.from_tensors((people, survived))
        return dataset.repeat(None if repeat else 1)

    model = tf.estimator.BoostedTreesClassifier(
        columns(), n_batches_per_layer=1, n_trees=count, max_depth=args.depth,
        model_dir=args.folder, config=tf.estimator.RunConfig(tf_random_seed=1),
    )  # fmt: skip
    model.train(lambda: whole(*train, True), max_steps=count * args.depth)
    found = model.evaluate(lambda: whole(*test, False))
    print(f"accuracy {found['accuracy']:.3f}, auc {found['auc']:.4f}")
    names, shares = model.experimental_feature_importances(normalize=True)
    for name, share in zip(names, shares):
        print(f"{name}: {100 * share:.1f} %")
    path = os.path.join(args.folder, "trees.png")
    plot(names, shares, path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()
