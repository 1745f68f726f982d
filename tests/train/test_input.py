"""Input producers and batches by way of queues: epochs, order, forms, errors."""

import contextlib

import pytest

import twinflow as tf
from tests.threads import Background
from twinflow.base import dispatch
from twinflow.eager.mode import MODE


@contextlib.contextmanager
def running(sess):
    """Initialise what is local, and run the queue runners of the graph."""
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    started = tf.train.start_queue_runners(sess, coord)
    yield
    coord.request_stop()
    coord.join(started)


def drained(sess, fetch):
    """All values of a fetch until the input is over."""
    found = []
    with running(sess), contextlib.suppress(tf.errors.OutOfRangeError):
        while True:
            found.append(sess.run(fetch))
    return found


# ---------------------------------------------------------------------- producers
def test_limit_epochs_counts_in_a_local_variable(sess):
    x = tf.train.limit_epochs(tf.constant([1, 2]), 2, name="limited")
    assert [v.name for v in tf.local_variables()] == ["limited/epochs:0"]
    with pytest.raises(tf.errors.FailedPreconditionError, match="limited/epochs"):
        sess.run(x)
    sess.run(tf.local_variables_initializer())
    assert [sess.run(x).tolist() for _ in range(2)] == [[1, 2]] * 2
    with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
        sess.run(x)
    assert tf.train.limit_epochs(x) is x
    with pytest.raises(ValueError, match="num_epochs must be > 0 not 0"):
        tf.train.limit_epochs(x, 0)


def test_threads_share_the_count(sess):
    put = tf.FIFOQueue(-1, tf.int32).enqueue(tf.train.limit_epochs(tf.constant(1), 90))
    sess.run(tf.local_variables_initializer())

    def until_the_end():
        count = 0
        with contextlib.suppress(tf.errors.OutOfRangeError):
            while True:
                sess.run(put)
                count += 1
        return count

    counts = [Background(until_the_end) for _ in range(4)]
    assert sum(t.outcome() for t in counts) == 90


def test_input_producer(sess):
    q = tf.train.input_producer([[1, 2], [3, 4]], num_epochs=2, shuffle=False)
    assert q.name == "input_producer/FIFOQueueV2"
    found = drained(sess, q.dequeue())
    assert [x.tolist() for x in found] == [[1, 2], [3, 4]] * 2


def test_string_input_producer(sess):
    x = tf.train.string_input_producer(["a", "b"], num_epochs=3, seed=1).dequeue()
    found = drained(sess, x)
    assert x.name == "input_producer_Dequeue:0"
    assert [set(found[i : i + 2]) for i in (0, 2, 4)] == [{b"a", b"b"}] * 3


def test_empty_strings_are_refused(sess):
    problem = "string_input_producer requires a non-null input tensor"
    with pytest.raises(ValueError, match=problem):
        tf.train.string_input_producer([])
    empty = tf.placeholder_with_default(tf.zeros([0], tf.string), [None])
    tf.train.string_input_producer(empty)
    coord = tf.train.Coordinator()
    tf.train.start_queue_runners(sess, coord)
    with pytest.raises(tf.errors.InvalidArgumentError, match=problem):
        coord.join()


def test_range_and_slice_producers(sess):
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    x, y = tf.train.slice_input_producer(
        [[10, 20, 30], ["a", "b", "c"]], num_epochs=1, shuffle=True, seed=3
    )
    with running(sess):
        assert [sess.run(number) for _ in range(3)] == [0, 1, 2]
        pairs = {tuple(sess.run([x, y])) for _ in range(3)}
        assert pairs == {(10, b"a"), (20, b"b"), (30, b"c")}
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(x)


# ---------------------------------------------------------------------- batches
def count(n):
    """A tensor that runs through 0 .. n - 1."""
    return tf.train.range_input_producer(n, num_epochs=1, shuffle=False).dequeue()


def test_batch(sess):
    i = count(10)
    x, y = tf.train.batch([i, tf.stack([i, -i])], 4, name="both")
    assert x.name == "both:0" and y.shape == (4, 2)
    found = drained(sess, [x, y])
    assert [a.tolist() for a, _ in found] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert found[1][1][3].tolist() == [7, -7]


def test_a_smaller_last_batch_of_rows_of_many(sess):
    i = count(5)
    x = tf.train.batch(
        [tf.stack([2 * i, 2 * i + 1])], 4, enqueue_many=True, num_threads=1,
        allow_smaller_final_batch=True,
    )  # fmt: skip
    assert x.shape.as_list() == [None]
    assert [a.tolist() for a in drained(sess, x)] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]


def test_padded_batches_in_a_dict(sess):
    i = count(4)
    found = drained(
        sess, tf.train.batch({"n": i, "row": tf.range(i)}, 2, dynamic_pad=True)
    )
    assert [f["n"].tolist() for f in found] == [[0, 1], [2, 3]]
    assert found[1]["row"].tolist() == [[0, 1, 0], [0, 1, 2]]


def test_shuffled_batches(sess):
    x = tf.train.shuffle_batch([count(12)], 4, capacity=12, min_after_dequeue=6, seed=2)
    found = [n for batch in drained(sess, x) for n in batch.tolist()]
    assert sorted(found) == list(range(12)) and found != sorted(found)
    with pytest.raises(
        ValueError, match="capacity 2 must be bigger than min_after_deq"
    ):
        tf.train.shuffle_batch([1], 3, 2, 4)


@pytest.mark.parametrize("shuffled", [False, True])
def test_joined_batches_come_from_several_places(sess, shuffled):
    places = [{"x": tf.constant(k)} for k in (1, 2)]
    if shuffled:
        x = tf.train.shuffle_batch_join(places, 5, 20, 2, seed=1)["x"]
    else:
        x = tf.train.batch_join(places, 5, capacity=4)["x"]
    seen: set = set()
    with running(sess):
        for _ in range(2000):
            seen.update(sess.run(x).tolist())
            if seen == {1, 2}:
                break
    assert seen == {1, 2}


def test_chosen_examples(sess):
    i = count(10)
    even = tf.train.maybe_batch([i], tf.equal(i % 2, 0), 5)
    assert [a.tolist() for a in drained(sess, even)] == [[0, 2, 4, 6, 8]]


def test_chosen_rows(sess):
    rows = tf.train.limit_epochs(tf.range(6), 1)
    x = tf.train.maybe_batch([rows], rows > 2, 3, enqueue_many=True)
    assert [a.tolist() for a in drained(sess, x)] == [[3, 4, 5]]
    with pytest.raises(ValueError, match="`keep_input` dimensions must be known"):
        tf.train.maybe_batch([rows], tf.placeholder(tf.bool), 3)
    with pytest.raises(
        ValueError, match="cannot be a vector when `enqueue_many=False`"
    ):
        tf.train.maybe_batch([rows], tf.placeholder(tf.bool, [2]), 3)


@pytest.mark.parametrize("many", [False, True])
def test_sparse_batches(sess, many):
    i = tf.cast(count(4), tf.int64)
    if many:
        sp = tf.SparseTensor([[0, 1], [1, 0]], tf.stack([i, -i]), [2, 3])
    else:
        sp = tf.SparseTensor(tf.reshape(i, [1, 1]), tf.expand_dims(i, 0), [5])
    batch = tf.train.batch([sp, tf.stack([i, i]) if many else i], 2, enqueue_many=many)
    dense = [tf.sparse_tensor_to_dense(batch[0]), batch[1]]
    found = drained(sess, dense)
    if many:
        assert found[3][0].tolist() == [[0, 3, 0], [-3, 0, 0]]
        assert found[3][1].tolist() == [3, 3]
    else:
        assert found[1][0].tolist() == [[0, 0, 2, 0, 0], [0, 0, 0, 3, 0]]
        assert found[1][1].tolist() == [2, 3]


def test_a_model_learns_from_batches(sess):
    i = tf.to_float(tf.train.range_input_producer(20, num_epochs=30).dequeue())
    x, y = tf.train.batch([i / 10, 3 * i / 10], 10, num_threads=3)
    w = tf.Variable(0.0)
    loss = tf.reduce_mean(tf.square(w * x - y))
    train = tf.train.GradientDescentOptimizer(0.2).minimize(loss)
    assert len(drained(sess, train)) == 60
    assert sess.run(w) == pytest.approx(3.0, abs=1e-3)


# ---------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: tf.train.batch([], 3), "Expected at least one tensor in batch()"),
        (lambda: tf.train.batch([tf.placeholder(tf.float32)], 3), "Cannot infer Tens"),
        (lambda: tf.train.batch([1], 3, enqueue_many=True), "rank at least 1"),
        (lambda: tf.train.batch_join([], 3), "Expected at least one set of tensors"),
        (lambda: tf.train.batch_join([{"a": 1}, {"b": 1}], 3), "have the same keys"),
        (lambda: tf.train.batch_join([[1], [1, 2]], 3), "the same form and length"),
        (lambda: tf.train.batch_join([[[1]], [[1, 2]]], 3), "are not compatible"),
        (lambda: tf.train.slice_input_producer([]), "Expected at least one tensor in"),
        (lambda: tf.train.input_producer(tf.placeholder(tf.int32)), "fully defined"),
    ],
)
def test_refusals(sess, make, text):
    with pytest.raises(ValueError, match=text.replace("(", r"\(").replace(")", r"\)")):
        make()


def test_joined_batches_have_the_same_dtypes(sess):
    with pytest.raises(TypeError, match="types to be consistent: int32 vs"):
        tf.train.batch_join([[tf.constant(1)], [tf.constant(1.0)]], 3)


def test_eager_execution_has_no_input_queues():
    text = "Input pipelines based on Queues are not supported when eager execution is"
    with dispatch.entered(MODE):
        with pytest.raises(ValueError, match=text):
            tf.train.batch([1], 2)
        with pytest.raises(ValueError, match=text):
            tf.train.maybe_shuffle_batch_join([[1]], 2, 9, 1, True)
        for make in (
            lambda: tf.train.input_producer([1]),
            lambda: tf.train.string_input_producer(["a"]),
            lambda: tf.train.range_input_producer(2),
            lambda: tf.train.slice_input_producer([[1]]),
        ):
            with pytest.raises(RuntimeError, match=text):
                make()
