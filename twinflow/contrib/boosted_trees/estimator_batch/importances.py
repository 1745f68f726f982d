"""How much each feature of an ensemble gains."""

from typing import Any

_NAME = "{}_{}"


class FeatureNames:
    """The names of the features that splits ask for.

    Args:
        names: of all, by kind. num_dense, num_sparse_float: how many of them are so.
    """

    def __init__(self, names: list, num_dense: int, num_sparse_float: int) -> None:
        self._names, self._dense = names, num_dense
        self._before_ids = num_dense + num_sparse_float

    def of(self, kind: str, split: Any) -> str:
        """The name that a split asks for.

        Args:
            kind: as of TreeNode.WhichOneof("node"). split: its message.
        Raises:
            ValueError: it is another one than inequalities and equalities.
        """
        if kind == "dense_float_binary_split":
            return self._names[split.feature_column]
        if kind.startswith("sparse_float_binary_split"):
            column = self._names[self._dense + split.split.feature_column]
            return _NAME.format(column, split.split.dimension_id)
        if kind == "categorical_id_binary_split":
            return self._names[self._before_ids + split.feature_column]
        raise ValueError(f"Unexpected split type {kind}")


def feature_importances(ensemble: Any, names: FeatureNames) -> dict:
    """{name: the gains of its splits, by the weights of the trees}."""
    found: dict = {}
    for tree, weight in zip(ensemble.trees, ensemble.tree_weights):
        for node in tree.nodes:
            kind = node.WhichOneof("node")
            if kind != "leaf":
                name = names.of(kind, getattr(node, kind))
                gain = node.node_metadata.gain * weight
                found[name] = found.get(name, 0.0) + gain
    return found
