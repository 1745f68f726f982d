"""Lookup tables, fixed and mutable, in both modes and inside functions."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from tests.modes import both
from twinflow.base import errors
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.ops.tables.cells import TableCell

lookup = tf.contrib.lookup
int64 = tf.int64


@pytest.mark.parametrize("kind", [
    tf.float32, tf.float16, tf.bfloat16, tf.bool, tf.int64, tf.complex64,
])  # fmt: skip
def test_rows_under_vectors(kind):
    """In any order in memory; what is found belongs to the caller."""
    cell = TableCell("t", int64, kind, (2,))
    cell.key_shape = (3,)
    keys = np.array([[1, 2, 256], [0, 0, 0], [1, 2, 0]])
    rows = np.array([[1, 0], [3, 4], [5, 6]]).astype(kind.np)
    for order in "CF":
        given = np.asarray(rows, order=order)
        names = cell.keys_of(np.asarray(keys, order=order))
        cell.entries = dict(zip(names, cell.rows_of(given, 3), strict=True))
        assert len(cell.entries) == 3
        wanted = np.stack([keys[2], keys[2] + 1, keys[1], keys[0]])
        other = np.array([7, 8]).astype(kind.np)
        found = cell.find(wanted, other)
        np.testing.assert_array_equal(found, [rows[2], other, rows[1], rows[0]])
        assert found.dtype == kind.np and found.flags.writeable
        packed, values = cell.export()
        np.testing.assert_array_equal(packed, keys, strict=True)
        np.testing.assert_array_equal(values, rows, strict=True)


def in_mode(run, build):
    """Run `build`, after the tables were filled."""
    if run.__name__ == "eagerly":
        return run(build)
    with tf.Graph().as_default(), tf.Session() as session:
        found = build()
        session.run(tf.tables_initializer())
        return session.run(found)


@both
def test_words_and_ids(run):
    def build():
        ids = lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=3)
        words = lookup.index_to_string_table_from_tensor(["a", "b"], "?")
        found = ids.lookup(tf.constant([["b", "zz"], ["a", "y"]]))
        back = words.lookup(tf.constant([1, 7], int64))
        sparse = ids.lookup(tf.SparseTensor([[0, 1]], ["b"], [1, 2]))
        return found, back, ids.size(), sparse.values

    found, back, size, sparse = in_mode(run, build)
    assert found[:, 0].tolist() == [1, 0] and set(found[:, 1]) <= {2, 3, 4}
    assert back.tolist() == [b"b", b"?"] and size == 5 and sparse.tolist() == [1]


@both
def test_a_table_from_a_file(run, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("one\t1\ntwo\t2\n")

    def build():
        init = lookup.TextFileInitializer(str(path), tf.string, 0, int64, 1)
        table = lookup.HashTable(init, -1)
        lines = lookup.index_table_from_file(str(path), vocab_size=1)
        return table.lookup(tf.constant(["two", "three"])), lines.size()

    found, count = in_mode(run, build)
    assert found.tolist() == [2, -1] and count == 1


def test_files_that_do_not_fit(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("one\n\ntwo\n")
    with ways.eager():
        with pytest.raises(errors.InvalidArgumentError, match="empty line found at"):
            lookup.index_table_from_file(str(path))
        path.write_text("one\ntwo")
        with pytest.raises(errors.InvalidArgumentError, match="expected 5 but got 2"):
            lookup.index_table_from_file(str(path), vocab_size=5)
        with pytest.raises(errors.InvalidArgumentError, match="not a valid int64"):
            lookup.index_table_from_file(str(path), key_dtype=int64)
        with pytest.raises(errors.NotFoundError):
            lookup.index_table_from_file(str(tmp_path / "none"))


@both
def test_mutable_tables(run):
    def build():
        table = lookup.MutableHashTable(tf.string, int64, -1)
        rows = lookup.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
        dense = lookup.MutableDenseHashTable(int64, tf.string, "?", empty_key=[0, 0])
        done = [
            table.insert(tf.constant(["a", "b"]), [1, 2]),
            rows.insert(tf.constant(["a"]), [[1.0, 2.0]]),
            dense.insert([[1, 2]], ["x"]),
        ]
        with tf.control_dependencies([d for d in done if d is not None]):
            found = (
                table.lookup(tf.constant(["b", "z"])),
                rows.lookup(tf.constant(["z", "a"])),
                dense.lookup([[1, 2], [3, 4]]),
                table.size(),
            )
            return (*found, *rows.export())

    a, b, c, size, keys, values = in_mode(run, build)
    assert a.tolist() == [2, -1] and b.tolist() == [[0, 0], [1, 2]]
    assert c.tolist() == [b"x", b"?"] and size == 2
    assert keys.tolist() == [b"a"] and values.tolist() == [[1, 2]]


def test_the_empty_key_of_a_dense_table():
    with ways.eager():
        dense = lookup.MutableDenseHashTable(int64, int64, -1, empty_key=0)
        with pytest.raises(errors.InvalidArgumentError, match="Using the empty_key"):
            dense.insert([0], [1])


def test_each_session_has_its_own_tables():
    with tf.Graph().as_default():
        init = lookup.KeyValueTensorInitializer(["a"], [1])
        table = lookup.HashTable(init, -1, shared_name="t")
        same = lookup.HashTable(init, -1, shared_name="t")
        found = same.lookup(tf.constant(["a"]))
        with tf.Session() as session:
            session.run(table.init)
            assert session.run(found).tolist() == [1]
        message = "Table not initialized"
        with (
            tf.Session() as session,
            pytest.raises(errors.FailedPreconditionError, match=message),
        ):
            session.run(found)


def test_tables_inside_functions_and_datasets():
    with ways.eager():
        init = lookup.KeyValueTensorInitializer(["a", "b"], np.array([1, 2]))
        table = lookup.HashTable(init, -1)
        f = tf.contrib.eager.defun(lambda x: table.lookup(x) * 2)
        for _ in range(5):
            assert f(tf.constant(["b", "c"])).numpy().tolist() == [4, -2]
        words = tf.data.Dataset.from_tensor_slices(["b", "a"]).map(table.lookup)
        assert [x.numpy() for x in words] == [2, 1]


def test_older_forms_of_the_ops():
    """Graphs of the first versions have ops with references for handles."""
    with ways.eager():
        cell = TableCell("t", int64, int64)
        table = apply(registry["MutableHashTable"], (), {"cell": cell})
        pair = [tf.constant([v], int64) for v in (1, 2)]
        for kind in ("Import", "Insert"):
            apply(registry[f"LookupTable{kind}"], (table, *pair))
        found = apply(
            registry["LookupTableFind"], (table, pair[0], tf.constant(0, int64))
        )
        keys, values = apply(registry["LookupTableExport"], (table,))
        assert [t.numpy().tolist() for t in (found, keys, values)] == [[2], [1], [2]]
        assert apply(registry["LookupTableSize"], (table,)).numpy() == 1
        fixed = TableCell("f", int64, int64, fixed=True)
        table = apply(registry["HashTable"], (), {"cell": fixed})
        apply(registry["InitializeTable"], (table, *pair))
        with pytest.raises(errors.UnimplementedError, match="Insert not supported"):
            apply(registry["LookupTableInsert"], (table, *pair))


@pytest.mark.parametrize(
    ("build", "kind", "text"),
    [
        (lambda: lookup.IdTableWithHashBuckets(None, 0), ValueError, "must be > 0"),
        (lambda: lookup.StrongHashSpec([1]), ValueError, "key must have size 2"),
        (lambda: lookup.index_table_from_tensor(None), ValueError, "must be specified"),
        (
            lambda: lookup.index_table_from_tensor(["a"], dtype=int64),
            ValueError,
            "Expected integer, got",
        ),
        (
            lambda: lookup.HashTable(
                lookup.KeyValueTensorInitializer(["a", "a"], [1, 2]), 0
            ),
            errors.FailedPreconditionError,
            "Key a has 1 and trying to add value 2",
        ),
        (
            lambda: lookup.TextFileInitializer("f", tf.string, -1, int64, 0),
            ValueError,
            "Signature mismatch. Keys must be dtype",
        ),
    ],
)
def test_what_does_not_fit(build, kind, text):
    with ways.eager(), pytest.raises(kind, match=text):
        build()


def test_a_dense_table_gives_its_free_places_too():
    with tf.Graph().as_default(), tf.Session() as s:
        t = tf.contrib.lookup.MutableDenseHashTable(
            tf.int64, tf.int64, -1, empty_key=100, initial_num_buckets=4
        )
        keys = tf.placeholder(tf.int64)
        insert, export = t.insert(keys, keys * 2), t.export()
        sizes = []
        for more in [(1, 2, 3), (4, 5, 6, 7), range(8, 15)]:
            s.run(insert, {keys: more})
            sizes.append(len(s.run(export)[0]))
        assert sizes == [4, 16, 32]  # as TensorFlow 1.12
        pairs = set(zip(*(x.ravel().tolist() for x in s.run(export)), strict=True))
        assert pairs == {(100, 0), *((i, 2 * i) for i in range(1, 15))}
        wrong = tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.int64, -1, 0, 5)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="a power of 2, got: 5"
        ):
            s.run(wrong.size())
