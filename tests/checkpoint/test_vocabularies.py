"""Warm starts with other vocabularies; expected values are TensorFlow 1.12's."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.tables.vocabularies import (
    generate_vocab_remapping,
    load_and_remap_matrix,
)

Vocab = tf.train.VocabInfo


@pytest.fixture
def words(tmp_path):
    """A function that writes a vocabulary."""

    def write(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.fixture
def old(words):
    return words("old", "orange\napple\nguava\n")


@pytest.fixture
def new(words):
    return words("new", "apple\nbanana\norange\nguava\n")


@pytest.fixture
def checkpoint(tmp_path):
    matrix = np.arange(6, dtype=np.float32)
    with Graph().as_default(), Session() as session:
        tf.get_variable("emb", initializer=matrix.reshape(3, 2))
        tf.get_variable("out", initializer=matrix.reshape(2, 3) + 1)
        tf.get_variable("lin", initializer=matrix[:3].reshape(3, 1) + 1)
        tf.get_variable("bias", initializer=matrix[:3])
        tf.get_variable("double", initializer=np.ones((2, 2)))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(tmp_path / "ck"))


def started(checkpoint, shapes, resource=False, **options):
    """The values of variables of some shapes after a warm start."""
    with Graph().as_default(), Session() as session:
        zeros = tf.zeros_initializer()
        found = [
            tf.get_variable(n, s, initializer=zeros, use_resource=resource)
            for n, s in shapes.items()
        ]
        tf.train.warm_start(checkpoint, **options)
        session.run(tf.global_variables_initializer())
        return [v.tolist() for v in session.run(found)]


ROWS = [[2.0, 3.0], [0.0, 0.0], [0.0, 1.0], [4.0, 5.0]]


@pytest.mark.parametrize("resource", [False, True])
def test_rows_follow_their_words(checkpoint, old, new, resource):
    info = {"var_name_to_vocab_info": {"emb": Vocab(new, 4, 0, old)}}
    assert started(checkpoint, {"emb": [4, 2]}, resource, **info) == [ROWS]
    both = {"emb": [4, 2], "lin": [3, 1]}
    assert started(checkpoint, both, **info) == [ROWS, [[1.0], [2.0], [3.0]]]
    only = started(checkpoint, both, vars_to_warm_start=None, **info)
    assert only == [ROWS, [[0.0]] * 3]
    assert started(checkpoint, both, vars_to_warm_start=["emb"], **info) == only
    folder = checkpoint.rpartition("/")[0]
    assert started(folder, {"emb": [4, 2]}, **info) == [ROWS]


@pytest.mark.parametrize(
    ("shape", "arguments", "expected"),
    [
        ([6, 2], (4, 2), [*ROWS, [0.0, 0.0], [0.0, 0.0]]),
        ([4, 2], (4, 0, 2), [*ROWS[:3], [0.0, 0.0]]),
        ([5, 2], (4, 1, -1, tf.ones_initializer()),
         [ROWS[0], [1.0, 1.0], *ROWS[2:], [1.0, 1.0]]),
        ([5, 2], (4, 1, -1, tf.constant_initializer(5.0)),
         [ROWS[0], [5.0, 5.0], *ROWS[2:], [5.0, 5.0]]),
        ([3, 2], (4, 0), ROWS[:3]),
    ],
)  # fmt: skip
def test_buckets_sizes_and_what_has_no_old_value(
    checkpoint, old, new, shape, arguments, expected
):
    size, buckets, *rest = arguments
    info = Vocab(new, size, buckets, old, *rest)
    found = started(checkpoint, {"emb": shape}, var_name_to_vocab_info={"emb": info})
    assert found == [expected]


def test_columns_and_other_names(checkpoint, old, new):
    info = {
        "x": Vocab(new, 4, 1, old, axis=1, backup_initializer=tf.ones_initializer())
    }
    found = started(
        checkpoint, {"x": [2, 5]}, var_name_to_vocab_info=info,
        var_name_to_prev_var_name={"x": "out"},
    )  # fmt: skip
    assert found == [[[2.0, 1.0, 1.0, 3.0, 1.0], [5.0, 1.0, 4.0, 6.0, 1.0]]]


def test_an_estimator_starts_with_another_vocabulary(checkpoint, old, new, tmp_path):
    def model_fn(features, labels, mode):
        table = tf.get_variable("emb", [4, 2], initializer=tf.zeros_initializer())
        loss = tf.reduce_sum(tf.nn.embedding_lookup(table, features["x"]))
        step = tf.assign_add(tf.train.get_global_step(), 1)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

    settings = tf.estimator.WarmStartSettings(
        checkpoint,
        var_name_to_vocab_info={"emb": tf.estimator.VocabInfo(new, 4, 0, old)},
    )
    estimator = tf.estimator.Estimator(
        model_fn, str(tmp_path / "model"), warm_start_from=settings
    )
    inputs = lambda: tf.data.Dataset.from_tensors(({"x": [0, 1]}, 0))
    estimator.train(inputs, steps=1)
    assert estimator.get_variable_value("emb").tolist() == ROWS


FAULTS = [
    ({"e": (4, 0)}, [4, 2], ValueError, "var_name_to_vocab_info that were not used: {"),
    ({"emb": (4, 0)}, [5, 2], ValueError, "Trying to initialize 5 additional rows aft"),
    ({"emb": (4, 0)}, [4, 3], errors.InvalidArgumentError, "being equal to num_cols=3"),
    ({"emb": (7, 0)}, [7, 2], errors.InvalidArgumentError, "lookup table size must be"),
    ({"bias": (4, 0)}, [4], ValueError, "Only matrices are started from another"),
    ({"zz": (4, 0)}, [4, 2], errors.NotFoundError, "Key zz not found in checkpoint"),
]  # fmt: skip


@pytest.mark.parametrize(("infos", "shape", "kind", "message"), FAULTS)
def test_what_does_not_fit(checkpoint, old, new, infos, shape, kind, message):
    infos = {n: Vocab(new, size, more, old) for n, (size, more) in infos.items()}
    name = "emb" if "e" in infos else next(iter(infos))
    with pytest.raises(kind) as caught:
        started(checkpoint, {name: shape}, var_name_to_vocab_info=infos)
    assert message in str(caught.value)


def test_arguments_that_do_not_fit(checkpoint, old, new):
    with pytest.raises(ValueError, match=r"are 0 and 1.  Provided axis: 2"):
        Vocab(new, 4, 0, old, axis=2)
    with pytest.raises(ValueError, match="Must provide all of"):
        started(checkpoint, {"emb": [4, 2]},
                var_name_to_vocab_info={"emb": Vocab("", 4, 0, old)})  # fmt: skip
    with pytest.raises(
        ValueError, match="var_name_to_prev_var_name that were not used"
    ):
        started(checkpoint, {"emb": [3, 2]}, var_name_to_prev_var_name={"e": "emb"})
    init = tf.contrib.framework.load_and_remap_matrix_initializer
    with pytest.raises(
        TypeError, match="initializer must be callable, instead of being"
    ):
        init(checkpoint, "emb", 4, 2, -1, old, new, initializer=3)
    with pytest.raises(ValueError, match="must both be specified"):
        init(checkpoint, "emb", 4, 2, -1, old)
    with pytest.raises(ValueError, match="Expected 2nd dim of shape to be"):
        init(checkpoint, "emb", 4, 2, -1, old, new)([4, 3])


def test_an_embedding(checkpoint, old, new):
    init = tf.contrib.framework.load_embedding_initializer(
        checkpoint, "emb", 4, 2, old, new
    )
    with Graph().as_default(), Session() as session:
        found = tf.get_variable("e", [4, 2], initializer=init)
        session.run(found.initializer)
        values = session.run(found)
    assert values[[0, 2, 3]].tolist() == [ROWS[0], *ROWS[2:]]
    assert 0 < np.abs(values[1]).max() <= 2 / np.sqrt(2)


# ---------------------------------------------------------------------- the two ops
def run(build):
    with Graph().as_default(), Session() as session:
        return session.run(build())


def test_places_of_words(words):
    old, new = words("a", "a\nb\nc\nd\n"), words("b", "b\nz\na\nq\nd")
    places = lambda *args: [a.tolist() for a in run(
        lambda: generate_vocab_remapping(new, old, *args))]  # fmt: skip
    assert places(0, 5) == [[1, -1, 0, -1, 3], 3]
    assert places(1, 3) == [[-1, 0, -1], 1]
    assert places(0, 5, 2) == [[1, -1, 0, -1, -1], 2]
    assert places(0, 0) == [[], 0]
    with pytest.raises(
        errors.InvalidArgumentError, match="must be larger than last new"
    ):
        places(4, 2)
    with pytest.raises(ValueError, match="passed -1 less than minimum 0"):
        places(-1, 2)
    old = words("c", "a\nb\na\n")
    with pytest.raises(
        errors.FailedPreconditionError, match="Key a has 0 and trying to"
    ):
        places(0, 5)


MATRICES = [
    ([1, -1, 0], [], [9, 8], 3, 2, [[2, 3], [9, 8], [0, 1]]),
    ([0, 1, 2], [1, -1], [7, 8, 9], 3, 2, [[1, 7], [3, 8], [5, 9]]),
    ([1, -1], [-1, 0], [7, 8, 9], 2, 2, [[7, 2], [8, 9]]),
    ([1, -1], [], [7], 2, 2, "initializing_values contained 1 elements, but more mis"),
    ([1, -1], [], [7, 8, 9], 2, 2, "contained 3 elements, but only 2 elements were us"),
    ([1, 1], [], [], 2, 2, "Old ID 1 is mapped to both new ID 0 and 1, which is not"),
    (
        [1],
        [],
        [],
        2,
        2,
        "Size of row_remapping is 1 instead of being equal to num_rows=2",
    ),
    (
        [1],
        [0],
        [],
        1,
        2,
        "Provided col_remapping, but its size is 1 instead of being eq",
    ),
    (
        [7],
        [],
        [],
        1,
        2,
        "Row or column 7 is wanted of tensor emb, which has shape (3, 2)",
    ),
]


@pytest.mark.parametrize(("rows", "cols", "values", "n", "m", "expected"), MATRICES)
def test_matrices(checkpoint, rows, cols, values, n, m, expected):
    load = lambda name="emb": run(lambda: load_and_remap_matrix(
        checkpoint, name, np.array(rows, np.int64), np.array(cols, np.int64),
        np.array(values, np.float32), n, m))  # fmt: skip
    if not isinstance(expected, str):
        assert load().tolist() == expected
        with pytest.raises(
            errors.InvalidArgumentError, match="of invalid rank 1 instead"
        ):
            load("bias")
        with pytest.raises(
            errors.InvalidArgumentError, match="has invalid type double"
        ):
            load("double")
        return
    with pytest.raises(errors.OpError) as caught:
        load()
    assert expected in str(caught.value)
