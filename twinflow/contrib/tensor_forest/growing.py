"""Trees grown by scikit-learn, as arrays."""

from typing import Any, NamedTuple

import numpy as np

from twinflow.base import errors

tree: Any
try:
    from sklearn import tree
except ImportError:
    tree = None


class Forest(NamedTuple):
    """The nodes of all trees, one after the other; a leaf is its own child."""

    nodes: np.ndarray  # int32[n, 3]: feature, left, right
    thresholds: np.ndarray  # float32[n]: to the left if not more
    values: np.ndarray  # float32[n, outputs]: shares of classes, or means
    roots: np.ndarray  # int32[trees]
    depth: np.ndarray  # int32, of the deepest tree
    importances: np.ndarray  # float32[features]


def check_installed() -> None:
    """Raises UnimplementedError where scikit-learn is missing."""
    if tree is None:
        raise errors.UnimplementedError(
            None, None,
            "Forests are grown with the package scikit-learn, which is not installed: "
            "pip install twinflow[forest]",
        )  # fmt: skip


def stump(params: Any) -> Forest:
    """A forest that has seen nothing: one leaf."""
    outputs = params.num_classes
    value = 0.0 if params.regression else 1.0 / outputs
    return Forest(
        np.zeros((1, 3), np.int32), np.zeros(1, np.float32),
        np.full((1, outputs), value, np.float32), np.zeros(1, np.int32),
        np.int32(0), np.zeros(params.num_features, np.float32),
    )  # fmt: skip


class Grower:
    """Keeps the examples of a run, and grows trees from them.

    An example that comes again is kept once, with a larger weight.
    """

    _MORE = 1.5  # grow anew once there are so many more examples than at the last time

    def __init__(self, params: Any) -> None:
        check_installed()
        self._params, self.forest = params, stump(params)
        self._counts: dict[bytes, float] = {}
        self._seen = self._grown = 0.0

    @property
    def distinct(self) -> int:
        """How many different examples there are."""
        return len(self._counts)

    def add(self, x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> None:
        """Keep examples, and grow trees if that are many."""
        rows = np.concatenate([x, y.reshape(len(x), -1)], 1, dtype=np.float32)
        for row, weight in zip(rows, np.broadcast_to(weights.ravel(), len(rows))):
            key = row.tobytes()
            self._counts[key] = self._counts.get(key, 0.0) + float(weight)
        self._seen += float(len(rows))
        if self._seen >= self._MORE * self._grown:
            self.grow()

    def grow(self) -> Forest:
        """The trees of all examples so far."""
        if self._seen > self._grown:
            rows = np.frombuffer(b"".join(self._counts), np.float32)
            rows = rows.reshape(self.distinct, -1)
            weights = np.fromiter(self._counts.values(), np.float64)
            self.forest = _grow(self._params, rows, weights)
            self._grown = self._seen
        return self.forest


def _grow(params, rows, weights):
    """The trees of weighted examples."""
    features = params.num_features
    x, y = rows[:, :features], rows[:, features:]
    kind = tree.DecisionTreeRegressor
    if not params.regression:
        kind, y = tree.DecisionTreeClassifier, y[:, 0].astype(np.int64)
    passes = weights.sum() / len(rows)
    options = {
        "splitter": "random", "max_leaf_nodes": max(2, (params.max_nodes + 1) // 2),
        "min_samples_split": max(2, int(np.ceil(params.split_after_samples / passes))),
        "min_samples_leaf": max(1, int(params.valid_leaf_threshold)),
        "max_features": min(params.num_splits_to_consider, params.bagged_num_features),
    }  # fmt: skip
    random = np.random.RandomState(params.base_random_seed)
    grown = []
    for _ in range(params.num_trees):
        count = max(1, int(params.bagging_fraction * len(rows)))
        some = np.sort(random.permutation(len(rows))[:count])
        seen = np.sort(random.permutation(features)[: params.bagged_num_features])
        model = kind(random_state=random.randint(2**31), **options)
        model.fit(x[some][:, seen], y[some], weights[some])
        grown.append((model, seen))
    return _arrays(grown, params)


def _arrays(grown, params):
    """The trees of scikit-learn in one set of arrays."""
    parts, roots, first = [], [], 0
    importances = np.zeros(params.num_features, np.float32)
    for model, seen in grown:
        roots.append(first)
        parts.append(_nodes(model, seen, first, params))
        importances[seen] += model.feature_importances_ / len(grown)
        first += model.tree_.node_count
    nodes, thresholds, values = (np.concatenate(part) for part in zip(*parts))
    depth = np.int32(max(model.tree_.max_depth for model, _ in grown))
    return Forest(
        nodes, thresholds, values, np.array(roots, np.int32), depth, importances
    )


def _nodes(model, seen, first, params):
    """(int32[n, 3], thresholds, values) of a tree whose nodes begin at `first`."""
    found = model.tree_
    own, leaf = np.arange(found.node_count), found.children_left < 0
    left = np.where(leaf, own, found.children_left) + first
    right = np.where(leaf, own, found.children_right) + first
    feature = seen[np.where(leaf, 0, found.feature)]
    thresholds = found.threshold.astype(np.float32)
    above = thresholds > found.threshold  # x is float32: round down, for the same side
    thresholds[above] = np.nextafter(thresholds[above], np.float32(-np.inf))
    values = found.value[:, :, 0]
    if not params.regression:
        values = np.zeros((found.node_count, params.num_classes))
        values[:, model.classes_] = found.value[:, 0]
        values /= values.sum(1, keepdims=True)
    nodes = np.stack([feature, left, right], 1).astype(np.int32)
    return nodes, thresholds, values.astype(np.float32)
