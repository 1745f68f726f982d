"""Exports of trees, in the exchange format of tf.contrib.decision_trees as well."""

import os
from collections.abc import Callable
from typing import Any

from twinflow.base import files
from twinflow.contrib.boosted_trees.batch_features import extract_features
from twinflow.contrib.boosted_trees.estimator_batch.importances import (
    FeatureNames,
    feature_importances,
)
from twinflow.contrib.learn.export import ExportStrategy, make_export_strategy
from twinflow.execute.session import Session
from twinflow.export import tag_constants
from twinflow.export.loading import load
from twinflow.formats import decision_protos
from twinflow.graph.graph import Graph

__all__ = ["convert_to_universal_format", "make_custom_export_strategy"]

_ENSEMBLE = "ensemble_model/TreeEnsembleSerialize:1"
_IMPORTANCES = "feature_importances"


def make_custom_export_strategy(
    name: str, convert_fn: Callable[..., Any] | None, feature_columns: Any,
    export_input_fn: Callable[..., Any], use_core_columns: bool = False,
) -> ExportStrategy:  # fmt: skip
    """An ExportStrategy that writes SavedModels, and what is made of the trees.

    Args:
        name: the folder below `export`. convert_fn: of (DecisionTreeEnsembleConfig,
            names, how many are dense, sparse float and sparse int, folder, result of
            the evaluation), or None. feature_columns: of the model.
        export_input_fn: () -> InputFnOps.
        use_core_columns: whether the columns are those of tf.feature_column.
    """
    base = make_export_strategy(export_input_fn, strip_default_attrs=True)
    with Graph().as_default():
        columns = extract_features(
            export_input_fn().features, feature_columns, use_core_columns
        )
    names, dense, floats, _, _, ids, _, _ = columns
    counts = len(dense), len(floats), len(ids)

    def export_fn(estimator, export_dir, checkpoint_path=None, eval_result=None):
        folder = base.export(estimator, export_dir, checkpoint_path)
        ensemble = _ensemble_of(folder)
        if convert_fn is not None:
            convert_fn(ensemble, names, *counts, folder, eval_result)
        _write_importances(folder, _get_feature_importances(ensemble, names, *counts))
        return folder

    return ExportStrategy(name, export_fn, strip_default_attrs=True)


def _ensemble_of(folder):
    with Graph().as_default() as graph, Session(graph=graph) as session:
        load(session, [tag_constants.SERVING], folder)
        serialized = session.run(_ENSEMBLE)
    return decision_protos.ensembles.DecisionTreeEnsembleConfig.FromString(serialized)


def _write_importances(folder, importances):
    where = os.path.join(os.fsdecode(folder), "assets.extra")
    files.MakeDirs(where)
    ordered = sorted(importances.items(), key=lambda pair: -pair[1])
    lines = "\n".join(f"{name}, {gain:f}" for name, gain in ordered)
    with files.FastGFile(os.path.join(where, _IMPORTANCES), "w") as out:
        out.write(lines)


def _get_feature_importances(
    dtec, feature_names, num_dense_floats, num_sparse_float, num_sparse_int
):
    names = FeatureNames(feature_names, num_dense_floats, num_sparse_float)
    return feature_importances(dtec, names)


# ---------------------------------------------------------------------- the format
def convert_to_universal_format(
    dtec: Any, sorted_feature_names: list[Any], num_dense: int, num_sparse_float: int,
    num_sparse_int: int, feature_name_to_proto: dict[Any, Any] | None = None,
) -> Any:  # fmt: skip
    """The ModelAndFeatures of an ensemble.

    Args:
        dtec: a DecisionTreeEnsembleConfig. sorted_feature_names: of all features: the
            dense ones, then the sparse float and the sparse int ones, of which
            num_dense, num_sparse_float and num_sparse_int are the numbers.
        feature_name_to_proto: {name: Feature}, what is known of the features.
    Raises:
        ValueError: a split is no inequality and no equality.
    """
    del num_sparse_int
    out = decision_protos.generic.ModelAndFeatures()
    ensemble = out.model.ensemble
    ensemble.summation_combination_technique.SetInParent()
    names = FeatureNames(sorted_feature_names, num_dense, num_sparse_float)
    for number, (tree, weight) in enumerate(zip(dtec.trees, dtec.tree_weights)):
        member = ensemble.members.add()
        member.submodel_id.value = number
        nodes = member.submodel.decision_tree.nodes
        for node_id, node in enumerate(tree.nodes):
            made = nodes.add()
            made.node_id.value = node_id
            kind = node.WhichOneof("node")
            if kind == "leaf":
                _fill_leaf(made.leaf, node.leaf, weight)
                continue
            try:
                name = names.of(kind, getattr(node, kind))
            except ValueError:
                raise ValueError(f"Unexpected node type {kind}") from None
            _fill_split(made.binary_node, kind, getattr(node, kind), name)
            _note(out.features[name], name, feature_name_to_proto)
    return out


def _note(feature, name, known):
    if known and name in known:
        feature.CopyFrom(known[name])


def _fill_leaf(out, leaf, weight):
    if leaf.WhichOneof("leaf") == "sparse_vector":
        pairs = zip(leaf.sparse_vector.index, leaf.sparse_vector.value)
        for index, value in pairs:
            found = out.sparse_vector.sparse_value[index]
            found.float_value = value * weight
    else:
        for value in leaf.vector.value:
            out.vector.value.add().float_value = value * weight


def _fill_split(out, kind, split, name):
    of = split.split if kind.startswith("sparse_float") else split
    out.left_child_id.value, out.right_child_id.value = of.left_id, of.right_id
    if not kind.startswith("categorical"):
        test = out.inequality_left_child_test
        test.feature_id.id.value = name
        test.threshold.float_value = of.threshold
    else:
        test = decision_protos.generic.MatchingValuesTest()
        test.feature_id.id.value = name
        test.value.add().int64_value = split.feature_id
        out.custom_left_child_test.Pack(test)
    to_left = kind.startswith("dense") or kind.endswith("left")
    direction = type(out).LEFT if to_left else type(out).RIGHT
    out.default_direction = direction
