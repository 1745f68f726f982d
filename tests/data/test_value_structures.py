"""Structures of values, as tensorflow.python.data.util.structure has them."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from twinflow.data.value_structures import (
    NestedStructure,
    SparseTensorStructure,
    TensorStructure,
    ValueStructure,
)

of = ValueStructure.from_value
sparse = lambda: tf.SparseTensor([[0, 0]], [1], [4, 5])


@both
def test_values_become_tensors_and_come_back(run):
    def program():
        value = {"a": tf.constant([1.0, 2.0]), "b": (sparse(), tf.constant(3))}
        structure = of(value)
        assert structure._flat_types == [tf.float32, tf.variant, tf.int32]
        assert [s.as_list() for s in structure._flat_shapes] == [[2], [3], []]
        found = structure._from_tensor_list(structure._to_tensor_list(value))
        return found["a"], tf.sparse_tensor_to_dense(found["b"][0]), found["b"][1]

    vector, matrix, scalar = run(program)
    assert vector.tolist() == [1.0, 2.0] and scalar == 3
    assert matrix.shape == (4, 5) and matrix[0, 0] == 1 and matrix.sum() == 1


def test_what_is_compatible():
    assert TensorStructure(tf.float32, [None]).is_compatible_with(of(np.ones(3, "f")))
    assert not TensorStructure(tf.float32, []).is_compatible_with(of(1))
    assert not SparseTensorStructure(tf.int32, [4, 5]).is_compatible_with(of(1))
    pair = NestedStructure((of(1), of(2.0)))
    assert pair.is_compatible_with(of((3, 4.0)))
    assert not pair.is_compatible_with(of({"a": 3, "b": 4.0}))


@both
def test_values_of_other_structures(run):
    for structure, value, text in [
        (TensorStructure(tf.float32, []), 1, "not convertible to a tensor with dtype"),
        (
            NestedStructure((of(1), of(2))),
            1,
            "not compatible with the nested structure",
        ),
    ]:
        with pytest.raises(ValueError, match=text):
            run(lambda s=structure, v=value: s._to_tensor_list(v))
    with pytest.raises(TypeError, match="Input must be a SparseTensor"):
        run(lambda: SparseTensorStructure(tf.int32, [2])._to_tensor_list(1))
    with pytest.raises(ValueError, match="Expected 2 flat values"):
        run(lambda: NestedStructure((of(1), of(2)))._from_tensor_list([1]))
