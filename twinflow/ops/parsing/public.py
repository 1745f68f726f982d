"""tf.parse_example and its kin: Example protos as tensors."""

from contextlib import contextmanager
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.parsing import features as told
from twinflow.ops.parsing import ops
from twinflow.ops.parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    VarLenFeature,
)
from twinflow.ops.sparse.select import sparse_merge
from twinflow.ops.sparse.tensor import SparseTensor


def parse_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of serialised Examples, as a batch.

    Args:
        serialized: string[batch]. features: dict from names to FixedLenFeature,
            VarLenFeature, SparseFeature or FixedLenSequenceFeature.
        name: of the node in a graph. example_names: string[batch], for errors.
    Returns:
        Dict from names to tensors and SparseTensors.
    Raises:
        ValueError: a feature is not told well. InvalidArgumentError: a record lacks
        one, or has it with another type or size.
    Example:
        x = tf.train.Feature(float_list=tf.train.FloatList(value=[1., 2.]))
        record = tf.train.Example(features=tf.train.Features(feature={"x": x}))
        features = {"x": tf.FixedLenFeature([2], tf.float32)}
        tf.parse_example([record.SerializeToString()], features)  # {"x": [[1., 2.]]}
    """
    plan = told.plan(features)
    names = [] if example_names is None else example_names
    inputs = (serialized, names, list(plan.sparse), list(plan.dense), _defaults(plan))
    with _scope(name, "ParseExample") as scope:
        out = apply(ops.ParseExample, inputs, _attrs(plan), scope)
        return _features(plan, out)


def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of one serialised Example: as parse_example, without a batch.

    Args:
        serialized: string scalar. features, name, example_names: see parse_example.
    """
    plan = told.plan(features)
    attrs = {
        **_attrs(plan), "num_sparse": len(plan.sparse),
        "sparse_keys": tuple(plan.sparse), "dense_keys": tuple(plan.dense),
    }  # fmt: skip
    with _scope(name, "ParseSingleExample") as scope:
        serialized = convert_to_tensor(serialized, "string", name="serialized")
        inputs = (serialized, _defaults(plan))
        out = apply(ops.ParseSingleExample, inputs, attrs, scope)
        return _features(plan, out)


@contextmanager
def _scope(name, default):
    """A context of the name of the node, which is that of its scope, too."""
    mode = dispatch.current_mode()
    if mode.eager:
        yield name
        return
    with mode.name_scope(name or default):
        yield name or default


def _attrs(plan):
    return {
        "sparse_types": tuple(plan.sparse.values()),
        "Tdense": tuple(dtype for dtype, _, _ in plan.dense.values()),
        "dense_shapes": tuple(shape for _, shape, _ in plan.dense.values()),
    }


def _defaults(plan):
    return [
        told.none_of(dtype) if default is None else default
        for dtype, _, default in plan.dense.values()
    ]


def _features(plan, out, start=0):
    """The dict of features from the outputs of an op."""
    n, m = len(plan.sparse), len(plan.dense)
    parts = [out[start + k * n : start + (k + 1) * n] for k in range(3)]
    triples = [SparseTensor(*triple) for triple in zip(*parts, strict=True)]
    found = dict(zip(plan.sparse, triples, strict=True))
    first = start + 3 * n
    found.update(zip(plan.dense, out[first : first + m], strict=True))
    return _joined(found, plan.joined) if plan.joined else found


def _joined(found, joined):
    """Put SparseTensors together from those of their indices and values."""
    out = dict(found)
    for name, feature in joined.items():
        keys, size = feature.index_key, feature.size
        single = isinstance(keys, str)
        ids = found[keys] if single else [found[key] for key in keys]
        out[name] = sparse_merge(
            ids, found[feature.value_key], size, name, feature.already_sorted
        )
    used = {key for f in joined.values() for key in (
        f.value_key, *([f.index_key] if isinstance(f.index_key, str) else f.index_key)
    )}  # fmt: skip
    return {
        key: value for key, value in out.items() if key in joined or key not in used
    }


# ---------------------------------------------------------------------- sequences
def parse_sequence_example(
    serialized: Any, context_features: Any = None, sequence_features: Any = None,
    example_names: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The features of serialised SequenceExamples, as a batch.

    Args:
        serialized: string[batch].
        context_features: dict to FixedLenFeature or VarLenFeature.
        sequence_features: dict to FixedLenSequenceFeature or VarLenFeature.
        example_names: string[batch], for errors. name: of the node in a graph.
    Returns:
        (dict of the context, dict of the sequences, dict of the lengths of the dense
        sequences)
    """
    facts = _Sequences(context_features, sequence_features)
    attrs = {
        **facts.attrs,
        "feature_list_dense_missing_assumed_empty": facts.missing,
        "context_sparse_keys": tuple(facts.context.sparse),
        "context_dense_keys": tuple(facts.context.dense),
        "feature_list_sparse_keys": tuple(facts.lists.sparse),
        "feature_list_dense_keys": tuple(facts.lists.dense),
    }
    names = constant([], dtypes.string) if example_names is None else example_names
    with _scope(name, "ParseSequenceExample") as scope:
        inputs = (serialized, names, _defaults(facts.context))
        return facts.packed(apply(ops.ParseSequenceExample, inputs, attrs, scope))


def parse_single_sequence_example(
    serialized: Any, context_features: Any = None, sequence_features: Any = None,
    example_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The features of one serialised SequenceExample.

    Args:
        serialized: string scalar. The others: see parse_sequence_example.
    Returns:
        (dict of the context, dict of the sequences)
    """
    facts = _Sequences(context_features, sequence_features)
    debug_name = "" if example_name is None else example_name
    with _scope(name, "ParseSingleSequenceExample") as scope:
        serialized = convert_to_tensor(serialized, dtypes.string, name="serialized")
        inputs = (
            serialized, constant(list(facts.missing), dtypes.string),
            list(facts.context.sparse), list(facts.context.dense),
            list(facts.lists.sparse), list(facts.lists.dense),
            _defaults(facts.context), debug_name,
        )  # fmt: skip
        out = apply(ops.ParseSingleSequenceExample, inputs, facts.attrs, scope)
        return facts.packed(out)[:2]


_CONTEXT = (VarLenFeature, FixedLenFeature)
_SEQUENCE = (VarLenFeature, FixedLenSequenceFeature)


class _Sequences:
    """What the ops on SequenceExamples are told.

    Attributes:
        context, lists: Plans. missing: the keys of dense lists that may be missing.
        attrs: the attributes of types and shapes.
    """

    def __init__(self, context, sequence):
        if not (context or sequence):
            raise ValueError("Missing features.")
        none = told.FeaturePlan({}, {}, {})
        self.context = told.plan(context, _CONTEXT) if context else none
        self.lists = _list_plan(sequence) if sequence else none
        self.missing = tuple(
            key for key, f in sorted((sequence or {}).items())
            if getattr(f, "allow_missing", False)
        )  # fmt: skip
        context, lists = _attrs(self.context), _attrs(self.lists)
        self.attrs = {
            "context_sparse_types": context["sparse_types"],
            "Tcontext_dense": context["Tdense"],
            "context_dense_shapes": context["dense_shapes"],
            "feature_list_sparse_types": lists["sparse_types"],
            "feature_list_dense_types": lists["Tdense"],
            "feature_list_dense_shapes": lists["dense_shapes"],
        }

    def packed(self, out):
        """The dicts of the context, of the lists, and of their lengths."""
        start = 3 * len(self.context.sparse) + len(self.context.dense)
        end = start + 3 * len(self.lists.sparse) + len(self.lists.dense)
        lengths = dict(zip(self.lists.dense, out[end:], strict=False))
        return _features(self.context, out), _features(self.lists, out, start), lengths


def _list_plan(features):
    """The Plan of the features of a sequence: shapes are those of a step."""
    shaped = {
        key: FixedLenFeature(f.shape, f.dtype)
        if isinstance(f, FixedLenSequenceFeature) else f
        for key, f in features.items()
    }  # fmt: skip
    for key, feature in features.items():
        if not isinstance(feature, _SEQUENCE):
            raise ValueError(f"Invalid feature {key}:{feature}.")
    return told.plan(shaped)


def decode_json_example(json_examples: Any, name: str | None = None) -> Any:
    """Examples in JSON as serialised ones.

    Args:
        json_examples: string. name: of the node in a graph.
    Returns:
        string of the same shape.
    Raises:
        InvalidArgumentError: a text is no Example.
    """
    return apply(ops.DecodeJSONExample, (json_examples,), None, name)
