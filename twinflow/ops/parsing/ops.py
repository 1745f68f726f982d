"""The ops that read Example protos; all run on the host.

Their outputs are lists one after another: indices, values and shapes of the sparse
features, then the dense ones.
"""

import json

from google.protobuf import json_format

from twinflow.base import errors
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.formats.protos import Example
from twinflow.ops.core.infer import same
from twinflow.ops.parsing import records
from twinflow.ops.strings.arrays import as_text, filled, flat


def _keys(arrays):
    return [as_text(k) for array in arrays for k in flat(array)]


def _in_order(sparse, dense):
    """Triples and arrays as the outputs of an op."""
    columns = [list(c) for c in zip(*sparse, strict=True)] or [[], [], []]
    return [*columns[0], *columns[1], *columns[2], *dense]


def _infer_columns(count, sparse, dense_shapes, rank):
    """The static shapes: `count` records (a tuple), indices of `rank`."""
    n = len(sparse)
    dense = [(*count, *shape) for shape in dense_shapes]
    return [(None, rank)] * n + [(None,)] * n + [(rank,)] * n + dense


# ---------------------------------------------------------------------- batches
def _parse(
    serialized, names, sparse_keys, dense_keys, dense_defaults, sparse_types, Tdense,
    dense_shapes,
):  # fmt: skip
    if serialized.ndim != 1:
        raise invalid(
            f"Expected serialized to be a vector, got shape: {list(serialized.shape)}"
        )
    maps = records.feature_maps(serialized, names)
    sparse = zip(_keys(sparse_keys), sparse_types, strict=True)
    dense = zip(_keys(dense_keys), Tdense, dense_shapes, dense_defaults, strict=True)
    return _in_order(
        [records.sparse_column(maps, key, dtype) for key, dtype in sparse],
        [records.dense_column(maps, *column) for column in dense],
    )


def _infer_parse(
    serialized, names, sparse_keys, dense_keys, dense_defaults, sparse_types, Tdense,
    dense_shapes,
):  # fmt: skip
    known = serialized._shape
    count = (None,) if known is None else known
    return _infer_columns(count, sparse_types, dense_shapes, 2)


ParseExample = define(
    "ParseExample", attrs={"Tdense": ()}, infer=_infer_parse, host=_parse
)


# ---------------------------------------------------------------------- one record
def _parse_one(
    serialized, dense_defaults, num_sparse, sparse_keys, dense_keys, sparse_types,
    Tdense, dense_shapes,
):  # fmt: skip
    if serialized.ndim:
        raise invalid(
            f"Expected serialized to be a scalar, got shape: {list(serialized.shape)}"
        )
    sparse = zip(map(as_text, sparse_keys), sparse_types, strict=True)
    dense = zip(
        map(as_text, dense_keys), Tdense, dense_shapes, dense_defaults, strict=True
    )
    try:
        maps = records.feature_maps(serialized, filled([b""], (1,)))
        triples = [records.sparse_column(maps, key, dtype) for key, dtype in sparse]
        rows = [records.dense_column(maps, *column) for column in dense]
    except errors.InvalidArgumentError as error:
        raise invalid(error.message.removeprefix("Name: , ")) from None
    return _in_order(map(_without_batch, triples), [_first(row) for row in rows])


def _without_batch(triple):
    indices, values, shape = triple
    return indices[:, 1:], values, shape[1:]


def _first(rows):
    found = rows[0]
    return filled([found], ()) if type(found) is bytes else found


ParseSingleExample = define(
    "ParseSingleExample",
    attrs={"num_sparse": 0, "Tdense": ()},
    infer=lambda serialized, dense_defaults, sparse_types, dense_shapes, **_: (
        _infer_columns((), sparse_types, dense_shapes, 1)
    ),
    host=_parse_one,
)


# ---------------------------------------------------------------------- sequences
def _sequences(maps, context, lists, missing):
    """(outputs of the context, of the lists, lengths of the dense lists).

    Args:
        context: (sparse, dense) columns of (key, DType) and (key, DType, shape,
            default). lists: the same, without defaults.
        missing: the keys of dense lists that may be missing.
    """
    dense = [
        records.dense_lists(maps, key, dtype, shape, key in missing)
        for key, dtype, shape in lists[1]
    ]
    return (
        ([records.sparse_column(maps, *column) for column in context[0]],
         [records.dense_column(maps, *column) for column in context[1]]),
        ([records.sparse_lists(maps, *column) for column in lists[0]],
         [values for values, _ in dense]),
        [lengths for _, lengths in dense],
    )  # fmt: skip


def _columns(keys, *facts):
    return list(zip(map(as_text, keys), *facts, strict=True))


def _parse_sequences(
    serialized, debug_name, context_dense_defaults,
    feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys,
    feature_list_sparse_keys, feature_list_dense_keys, context_sparse_types,
    Tcontext_dense, feature_list_dense_types, context_dense_shapes,
    feature_list_sparse_types, feature_list_dense_shapes, Ncontext_dense,
):  # fmt: skip
    maps = records.sequences(serialized, debug_name)
    context, lists, lengths = _sequences(
        maps,
        (_columns(context_sparse_keys, context_sparse_types),
         _columns(context_dense_keys, Tcontext_dense, context_dense_shapes,
                  context_dense_defaults)),
        (_columns(feature_list_sparse_keys, feature_list_sparse_types),
         _columns(feature_list_dense_keys, feature_list_dense_types,
                  feature_list_dense_shapes)),
        set(map(as_text, feature_list_dense_missing_assumed_empty)),
    )  # fmt: skip
    return [*_in_order(*context), *_in_order(*lists), *lengths]


def _parse_sequence(
    serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys,
    context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys,
    context_dense_defaults, debug_name, context_sparse_types, Tcontext_dense,
    feature_list_dense_types, context_dense_shapes, feature_list_sparse_types,
    feature_list_dense_shapes,
):  # fmt: skip
    name = debug_name if debug_name.size else filled([b""], (1,))
    context, lists, _ = _sequences(
        records.sequences(serialized, name),
        (_columns(_keys(context_sparse_keys), context_sparse_types),
         _columns(_keys(context_dense_keys), Tcontext_dense, context_dense_shapes,
                  context_dense_defaults)),
        (_columns(_keys(feature_list_sparse_keys), feature_list_sparse_types),
         _columns(_keys(feature_list_dense_keys), feature_list_dense_types,
                  feature_list_dense_shapes)),
        set(_keys([feature_list_dense_missing_assumed_empty])),
    )  # fmt: skip
    return [
        array
        for sparse, dense in (context, lists)
        for array in _in_order(map(_without_batch, sparse), map(_first, dense))
    ]


def _infer_sequences(single):
    def infer(
        serialized, context_sparse_types, context_dense_shapes,
        feature_list_sparse_types, feature_list_dense_shapes, **_,
    ):  # fmt: skip
        known = serialized._shape
        count = () if single else ((None,) if known is None else known)
        rows = [(None, *shape) for shape in feature_list_dense_shapes]
        rank = 1 if single else 2
        shapes = _infer_columns(count, context_sparse_types, context_dense_shapes, rank)
        shapes += _infer_columns(count, feature_list_sparse_types, rows, rank + 1)
        return shapes if single else shapes + [count] * len(rows)

    return lambda *args, **attrs: infer(args[0], **attrs)


_KEYS = (
    "feature_list_dense_missing_assumed_empty", "context_sparse_keys",
    "context_dense_keys", "feature_list_sparse_keys", "feature_list_dense_keys",
    "Tcontext_dense",
)  # fmt: skip
ParseSequenceExample = define(
    "ParseSequenceExample",
    attrs=dict.fromkeys(_KEYS, ()),
    infer=_infer_sequences(False),
    host=_parse_sequences,
)
ParseSingleSequenceExample = define(
    "ParseSingleSequenceExample",
    attrs={"Tcontext_dense": ()},
    infer=_infer_sequences(True),
    host=_parse_sequence,
)


# ---------------------------------------------------------------------- JSON
def _from_json(json_examples):
    return filled(map(_binary, flat(json_examples)), json_examples.shape)


def _binary(text):
    try:
        return json_format.ParseDict(json.loads(text), Example()).SerializeToString()
    except (ValueError, RecursionError, json_format.ParseError) as error:
        raise invalid(f"Error while parsing JSON: {error}") from None


DecodeJSONExample = define("DecodeJSONExample", infer=same, host=_from_json)
