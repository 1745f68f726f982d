# Gradient boosted trees for higgs-like events: classifier, regressor and importances.
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
fc = tf.feature_column
NUM_EXAMPLES, FEATURES = 200, 4

rng = np.random.RandomState(15)
data = rng.rand(NUM_EXAMPLES, FEATURES).astype(np.float32)
kind = np.array(["a", "b", "c"])[rng.randint(3, size=NUM_EXAMPLES)]
labels = ((data[:, 0] > 0.5) ^ (data[:, 1] > 0.6)).astype(np.float32)
labels[kind == "c"] = 1.0
print("positive:", int(labels.sum()))


def make_columns():
    columns = []
    for i in range(FEATURES):
        dense = fc.numeric_column("feature_%d" % i, shape=(1,))
        boundaries = [float(b) for b in np.linspace(0.1, 0.9, 9).astype(np.float32)]
        columns.append(fc.bucketized_column(dense, boundaries=boundaries))
    vocabulary = fc.categorical_column_with_vocabulary_list("kind", ["a", "b", "c"])
    columns.append(fc.indicator_column(vocabulary))
    return columns


def input_fn(targets, n_epochs=None):
    def made():
        features = {"feature_%d" % i: data[:, i:i + 1] for i in range(FEATURES)}
        features["kind"] = kind[:, None]
        dataset = tf.data.Dataset.from_tensor_slices((features, targets))
        dataset = dataset.repeat(n_epochs)
        return dataset.batch(NUM_EXAMPLES)
    return made


params = {"n_trees": 6, "max_depth": 3, "n_batches_per_layer": 1, "learning_rate": 0.3,
          "center_bias": False}
classifier = tf.estimator.BoostedTreesClassifier(
    make_columns(), model_dir="higgs", **params)
classifier.train(input_fn(labels), max_steps=100)
results = classifier.evaluate(input_fn(labels, 1))
for key in ("accuracy", "auc", "average_loss", "global_step"):
    print(key, "%.4f" % results[key])
probabilities = [p["probabilities"][1] for p in classifier.predict(input_fn(labels, 1))]
print(" ".join("%.3f" % p for p in probabilities[:8]))

target = (3 * data[:, 2] + (kind == "a")).astype(np.float32)
regressor = tf.estimator.BoostedTreesRegressor(
    make_columns(), n_batches_per_layer=1, n_trees=4, max_depth=2, l2_regularization=0.1,
    model_dir="regressor")
regressor.train(input_fn(target), max_steps=50)
print("regression loss %.4f at step %d" % (regressor.evaluate(input_fn(target, 1))["loss"],
                                           regressor.get_variable_value("global_step")))
print("mean prediction %.3f" % np.mean([p["predictions"][0] for p in regressor.predict(input_fn(target, 1))]))
