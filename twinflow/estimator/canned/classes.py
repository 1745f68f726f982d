"""Classes of classifiers: their names and what is exported of them."""

from twinflow.base import dtypes
from twinflow.estimator.export_outputs import ClassificationOutput
from twinflow.ops.core.constant import constant
from twinflow.ops.core.creation import range
from twinflow.ops.core.joining import tile
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.strings.number import as_string
from twinflow.ops.tables.ids import (
    index_table_from_tensor,
    index_to_string_table_from_tensor,
)


def names_of(class_ids, vocabulary):
    """The classes of their numbers, as strings."""
    if not vocabulary:
        return as_string(class_ids, name="str_classes")
    table = index_to_string_table_from_tensor(
        vocabulary_list=list(vocabulary), name="class_string_lookup"
    )
    return table.lookup(class_ids)


def ids_of(labels, vocabulary):
    """The numbers of classes that are given by name."""
    return index_table_from_tensor(
        vocabulary_list=tuple(vocabulary), name="class_id_lookup"
    ).lookup(labels)


def classification_output(scores, n_classes, vocabulary=None):
    """What is exported: the scores of all classes, and these, in each row."""
    rows = shape(scores)[0]
    if vocabulary:
        names = constant(list(vocabulary), dtypes.string)
    else:
        names = as_string(range(n_classes))
    return ClassificationOutput(
        scores=scores, classes=tile(expand_dims(names, axis=0), [rows, 1])
    )
