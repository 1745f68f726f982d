"""Who earns over 50,000? A linear model, a deep one, and both (wide and deep).

    python census.py --kind wide_deep # --eager: in an eager program
    python census.py --short

The people are invented, with the columns of the census of 1994; --csv FILE takes lines
of its adult.data instead. The last line shows what the model was told and answers.
"""

import argparse
import csv
import os

import numpy as np

import twinflow as tf

COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status",
    "occupation", "relationship", "race", "gender", "capital_gain", "capital_loss",
    "hours_per_week", "native_country", "income_bracket",
]  # fmt: skip
NUMBERS = {  # and what the deep model divides them by
    "age": 40, "education_num": 10, "capital_gain": 5000, "capital_loss": 500,
    "hours_per_week": 40,
}  # fmt: skip
WORK = ["Private", "Self-emp-inc", "State-gov", "Federal-gov"]
EDUCATION = ["HS-grad", "Some-college", "Bachelors", "Masters", "Doctorate"]
JOBS = ["Sales", "Craft-repair", "Exec-managerial", "Tech-support", "Prof-specialty"]
HOME = ["Husband", "Wife", "Own-child", "Unmarried"]
USED = [*NUMBERS, "workclass", "education", "occupation", "relationship"]


# %% [markdown]
# ## People
# Invented, so that nobody is in it; the columns are those of the census.


# %%
def invented(count, seed):
    """{column: array[count]} and bool[count]: who earns over 50,000."""
    random = np.random.RandomState(seed)
    age, school = random.randint(17, 80, count), random.randint(0, 5, count)
    job, home = random.randint(0, 5, count), random.randint(0, 4, count)
    hours = random.randint(10, 70, count)
    score = 0.6 * school + 0.5 * job + 0.05 * hours - 0.002 * (age - 48.0) ** 2
    rich = score - 1.5 * (home == 2) + 0.7 * random.randn(count) > 3.4
    people = {
        "age": age, "education_num": 9 + school, "hours_per_week": hours,
        "capital_gain": random.randint(0, 2, count) * 500,
        "capital_loss": random.randint(0, 2, count) * 100,
        "workclass": np.array(WORK)[random.randint(0, 4, count)],
        "education": np.array(EDUCATION)[school],
        "occupation": np.array(JOBS)[job], "relationship": np.array(HOME)[home],
    }  # fmt: skip
    return people, rich


def read(path):
    """The same from a file."""
    with open(path, newline="") as file:
        rows = [r for r in csv.reader(file, skipinitialspace=True) if len(r) == 15]
    people = dict(zip(COLUMNS, zip(*rows)))
    rich = np.array([text.startswith(">50K") for text in people["income_bracket"]])
    kinds = dict.fromkeys(NUMBERS, np.int64)
    return {name: np.array(people[name], kinds.get(name)) for name in USED}, rich


# %% [markdown]
# ## Feature columns
# The wide part learns by heart: words, ages in buckets, and crosses of them. The deep
# part generalises: numbers, indicators, and an embedding of the occupation.


# %%
def columns():
    """Columns for a linear model, and for a deep one."""
    feature = tf.feature_column
    age = feature.numeric_column("age")
    ages = feature.bucketized_column(age, [18, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    lists = {"workclass": WORK, "education": EDUCATION, "relationship": HOME}
    words = {
        name: feature.categorical_column_with_vocabulary_list(name, values)
        for name, values in lists.items()
    }
    job = feature.categorical_column_with_hash_bucket("occupation", 100)
    crossed = [["education", "occupation"], [ages, "education", "occupation"]]
    wide = [*words.values(), job, ages]
    wide += [feature.crossed_column(keys, 1000) for keys in crossed]
    deep = [
        feature.numeric_column(name, normalizer_fn=lambda x, by=by: tf.to_float(x) / by)
        for name, by in NUMBERS.items()
    ]
    deep += [feature.indicator_column(word) for word in words.values()]
    return wide, [*deep, feature.embedding_column(job, 8)]


# %% [markdown]
# ## The models


# %%
def estimator(kind, folder):
    """The model of a kind: wide, deep or wide_deep."""
    wide, deep = columns()
    shared = {"model_dir": folder, "config": tf.estimator.RunConfig(tf_random_seed=1)}
    if kind == "wide":
        return tf.estimator.LinearClassifier(feature_columns=wide, **shared)
    if kind == "deep":
        return tf.estimator.DNNClassifier([32, 16], deep, **shared)
    return tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=wide, dnn_feature_columns=deep,
        dnn_hidden_units=[32, 16], **shared,
    )  # fmt: skip


# %% [markdown]
# ## Training, and what the model says


# %%
def batches(people, rich, epochs):
    """What input functions give, in the same order each time."""
    dataset = tf.data.Dataset.from_tensor_slices((people, rich))
    if epochs:
        dataset = dataset.shuffle(len(rich), seed=1).repeat(epochs)
    return dataset.batch(40)


def plot(chances, rich, path):
    """The ROC curve, and the chances that people were given."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    order = np.argsort(-chances)
    found, false = np.cumsum(rich[order]), np.cumsum(~rich[order])
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.8))
    left.plot(false / false[-1], found / found[-1])
    left.plot([0, 1], [0, 1], ":", color="gray")
    left.set(xlabel="false positives", ylabel="true positives", title="ROC curve")
    bins = np.linspace(0, 1, 26)
    right.hist([chances[~rich], chances[rich]], bins, stacked=True,
               label=["below 50,000", "above"])  # fmt: skip
    right.set(xlabel="chance that was given", ylabel="people", title="500 others")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = ["wide", "deep", "wide_deep"]
    parser.add_argument("--kind", choices=kinds, default="wide_deep", help="the model")
    parser.add_argument("--epochs", type=int, default=4, help="times through the data")
    parser.add_argument("--csv", help="a file of people to train on")
    parser.add_argument("--eager", action="store_true", help="in an eager program")
    parser.add_argument("--short", action="store_true", help="only see that it runs")
    parser.add_argument("--folder", default="output/census", help="for all files")
    args = parser.parse_args()
    if args.eager:
        tf.enable_eager_execution()  # an estimator makes its graphs all the same
    tf.logging.set_verbosity(tf.logging.INFO)  # says how far it is
    train = read(args.csv) if args.csv else invented(200 if args.short else 2000, 1)
    test = invented(500, 2)
    model = estimator(args.kind, os.path.join(args.folder, args.kind))
    model.train(lambda: batches(*train, 1 if args.short else args.epochs))
    found = model.evaluate(lambda: batches(*test, 0))
    for key in ("accuracy", "accuracy_baseline", "auc", "loss"):
        print(f"{key}: {found[key]:.4f}")
    answers = list(model.predict(lambda: batches(*test, 0)))
    first = answers[0]
    told = ", ".join(str(test[0][name][0]) for name in ("age", "education"))
    print(f"{told}: {100 * first['probabilities'][1]:.1f} % over 50,000")
    path = os.path.join(args.folder, "census.png")
    plot(np.array([a["probabilities"][1] for a in answers]), test[1], path)
    print(f"The picture is {path}.")


if __name__ == "__main__":
    main()
