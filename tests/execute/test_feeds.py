"""What cannot be fed: the error names the placeholder, and says what was received."""

import numpy as np
import pytest

import twinflow as tf

REFUSED = [
    (tf.float32, [None, 2], "abc", "could not convert string to float: 'abc'"),
    (tf.float32, [None, 2], b"abc", "could not convert string to float"),
    (tf.float32, [None, 2], ["a", "b"], "could not convert string to float: 'a'"),
    (tf.float32, [None, 2], None, "None"),
    (tf.float32, None, None, "None"),
    (tf.float32, [None, 2], [[1, 2], [3]], "setting an array element with a sequence."),
    (tf.float32, None, [[[1, 2], [3]]], "Its rows differ in length"),
    (tf.float32, [2], [np.ones(2), np.ones(3)], "Its rows differ in length"),
    (tf.float32, [2], {"a": 1}, "a value of type dict {'a': 1}"),
    (tf.float32, [2], object(), "a value of type object"),
    (tf.float32, [2], np.array(["a"]), "of dtype <U1 and shape (1,)"),
    (tf.float32, [2], 1j, "complex"),
    (tf.int32, [None], "a", "invalid literal for int() with base 10: 'a'"),
    (tf.int32, [None], None, "None"),
    (tf.int32, [None], [None], "None"),
    (tf.int32, [None], 2**40, "is not compatible with Tensor type"),
    (tf.int32, [None], [2**40], "is not compatible with Tensor type"),
    (tf.int32, [None], [[1], [2, 3]], "Its rows differ in length"),
    (tf.uint8, None, -1, "Try explicitly setting the type of the feed tensor"),
    (tf.string, [None], None, "None"),
    (tf.string, [None], [None], "None"),
    (tf.string, [None], [1, 2], "Expected string"),
    (tf.string, [None], 3.5, "Expected string"),
    (tf.string, [None], [["a"], ["b", "c"]], "Its rows differ in length"),
    (tf.string, [None], [object()], "object"),
    (tf.bool, [], None, "None"),
    (tf.float32, [None, 2], [1, 2, 3], "Cannot feed value of shape (3,) for Tensor"),
    (tf.resource, [], 3, "a value of type int 3"),
]


@pytest.mark.parametrize("dtype, shape, value, words", REFUSED)
@pytest.mark.parametrize("way", ["run", "callable", "partial"])
def test_the_placeholder_is_named(dtype, shape, value, words, way):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(dtype, shape, name="images")
        y = tf.identity(x)
        with pytest.raises((ValueError, TypeError)) as caught:
            if way == "run":
                session.run(y, {x: value})
            elif way == "callable":
                session.make_callable(y, [x])(value)
            else:
                handle = session.partial_run_setup([y], [x])
                session.partial_run(handle, y, {x: value})
        text = str(caught.value)
        assert "'images:0'" in text and words in text
        assert str(x.shape) in text
        if not text.startswith("Cannot feed value of shape"):
            assert dtype.name in text or dtype.as_numpy_dtype.__name__ in text


def test_structures_that_do_not_fit():
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        with pytest.raises(ValueError, match=r"^Could not flatten dictionary"):
            session.run(x, {(x, y): (1.0,)})


@pytest.mark.parametrize("value", [1, None, "abc"])
def test_a_sparse_placeholder_is_named(value):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.sparse_placeholder(tf.float32, name="words")
        with pytest.raises(TypeError, match=r"words/values:0.*tf.SparseTensorValue"):
            session.run(x, {x: value})
