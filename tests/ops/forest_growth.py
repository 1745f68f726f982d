"""Trees that grow by the ops of tensor_forest, in every way that they may.

Run with TensorFlow 1.12 this writes the golden file:
`TF112_PYTHON tests/ops/forest_growth.py > tests/ops/forest_growth.json`.
"""

import json

import numpy as np

_EARLY = "min_split_samples { constant_value: 6 }"
CASES = {
    "dense": {},
    "less": {"split_name": "less", "num_splits_to_consider": 5},
    "sparse": {"model_name": "all_sparse"},
    "running": {"use_running_stats_method": True},
    "average": {"initialize_average_splits": True},
    "together": {"collate_examples": True},
    "numbers": {"regression": True, "num_classes": 2},
    "by depth": {
        "split_after_samples": "linear { slope: 4 y_intercept: 8 min_val: 2 "
        "max_val: 30 }"
    },
    "few nodes": {"max_nodes": 5},
    "hoeffding": {
        "split_finish_name": "hoeffding",
        "dominate_fraction": 0.4,
        "early_finish_check_every_samples": 5,
        "split_after_samples": 60,
        "text": _EARLY,
    },
    **{
        f"prune {name}": {
            "split_pruning_name": name,
            "prune_every_samples": 4,
            "split_after_samples": 40,
            "dominate_fraction": 0.05,
        }
        for name in ("half", "quarter", "10_percent", "hoeffding")
    },
    "sparse features": {"data": "sparse"},
}
STEPS = 4


def batch(step, case):
    """(x, y) of a step; y are numbers for a regression."""
    i = np.arange(40 * step, 40 * step + 40)
    columns = [(7 * i) % 19, (i * i) % 23, (5 * i + 3) % 11, (i * i * i) % 17]
    x = np.stack(columns, 1).astype(np.float32) / 2
    if case.get("regression"):
        return x, x[:, :2] * 2 + x[:, 2:]
    return x, ((x[:, 0] > 4).astype(int) + (x[:, 1] > 5)).astype(np.float32)


def features(tf, x, case):
    """What the graphs get of placeholders."""
    if case.get("data") != "sparse":
        return x
    where = tf.where(tf.greater(x, 2.0))
    words = tf.as_string(tf.cast(tf.gather_nd(x, where), tf.int32))
    return {
        "x": x,
        "words": tf.SparseTensor(where, words, tf.shape(x, out_type="int64")),
    }


def grown(tf, forest, merge, case):
    """(serialized tree, predictions) after some steps."""
    given = {k: v for k, v in case.items() if k not in ("text", "data")}
    params = forest.ForestHParams(**{
        "num_classes": 3, "num_features": 4, "num_trees": 1, "base_random_seed": 11,
        "split_after_samples": 15, **given,
    }).fill()  # fmt: skip
    params.params_proto = forest.build_params_proto(params)
    merge(case.get("text", ""), params.params_proto)
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.placeholder(tf.float32)
        data = features(tf, x, case)
        graphs = forest.RandomForestGraphs(params)
        train = graphs.training_graph(data, y)
        found = graphs.inference_graph(data)[0]
        (tree, *_) = (s for s in tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
                      if s.name == "tree-0:0")  # fmt: skip
        with tf.train.SingularMonitoredSession() as sess:
            for step in range(STEPS):
                x_now, y_now = batch(step, case)
                sess.run(train, {x: x_now, y: y_now})
            return sess.run([tree.specs[0].tensor, found], {x: batch(0, case)[0][:6]})


def outline(tree):
    """A DecisionTree in short: [test, left, right] of splits, None for leaves."""
    lines = []
    for node in tree.nodes:
        split = node.binary_node
        test = split.inequality_left_child_test
        if node.WhichOneof("node_type") == "leaf":
            lines.append(None)
        elif split.HasField("custom_left_child_test"):
            lines.append(split.custom_left_child_test.value.hex())
        else:
            value = test.threshold.float_value
            lines.append([test.type, int(test.feature_id.id.value), value])
    return lines


def main():
    import tensorflow as tf
    from google.protobuf import text_format
    from tensorflow.contrib.decision_trees.proto import generic_tree_model_pb2
    from tensorflow.contrib.tensor_forest.python import tensor_forest

    out = []
    for name, case in CASES.items():
        tree, found = grown(tf, tensor_forest, text_format.Merge, case)
        model = generic_tree_model_pb2.Model.FromString(tree)
        lines = outline(model.decision_tree), np.asarray(found).round(6).tolist()
        out.append(f"{json.dumps(name)}: {json.dumps(lines)}")
    print("{\n" + ",\n".join(out) + "\n}")


if __name__ == "__main__":
    main()
