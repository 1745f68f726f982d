"""Contract K: datasets and iterators in both modes."""

import itertools

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, in_graph
from tests.ways import compiled, interpreted

tfe = tf.contrib.eager
Dataset = tf.data.Dataset
ENDED = tf.errors.OutOfRangeError


def drained(sess, element):
    """What fetching `element` gives until its iterator ends."""
    found = []
    with pytest.raises(ENDED):
        while True:
            found.append(sess.run(element))
    return found


def elements(run, make):
    """The elements of a dataset in either mode, as lists and numbers."""
    if run is in_graph:
        with tf.Graph().as_default(), tf.Session() as sess:
            it = make().make_initializable_iterator()
            x = it.get_next()
            sess.run(it.initializer)
            return [np.asarray(v).tolist() for v in drained(sess, x)]
    return [x.tolist() for x in run(lambda: list(make()))]


# ------------------------------------------------------------------ K01, K02
@both
def test_k01_slices(run):
    array = np.arange(6, dtype=np.float32).reshape(3, 2)
    wanted = array.tolist()
    assert elements(run, lambda: Dataset.from_tensor_slices(array)) == wanted
    assert elements(run, lambda: Dataset.from_tensor_slices(tf.constant(array))) == (
        wanted
    )


def test_k01_structures(graph):
    d = Dataset.from_tensor_slices(({"a": [1, 2]}, [[3.0], [4.0]]))
    assert d.output_types == ({"a": tf.int32}, tf.float32)
    assert d.output_shapes[1].as_list() == [1]
    assert d.output_classes == ({"a": tf.Tensor}, tf.Tensor)
    features, label = d.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        found = drained(sess, (features, label))
    assert [(f["a"], y.tolist()) for f, y in found] == [(1, [3.0]), (2, [4.0])]


@both
def test_k02_a_usual_pipeline(run):
    def make():
        d = Dataset.range(8).map(lambda x: x * x, num_parallel_calls=2)
        return d.filter(lambda x: x > 0).repeat(2).batch(4).prefetch(1)

    squares = [n * n for n in range(1, 8)] * 2
    assert elements(run, make) == [squares[i : i + 4] for i in range(0, 14, 4)]


@both
def test_k02_shuffle_keeps_every_element(run):
    found = elements(run, lambda: Dataset.range(30).shuffle(60000).repeat(4))
    epochs = [found[i : i + 30] for i in range(0, 120, 30)]
    assert all(sorted(e) == list(range(30)) for e in epochs)
    assert any(e != sorted(e) for e in epochs) and epochs[0] != epochs[1]


@pytest.mark.parametrize("engine", [interpreted, compiled])
@both
def test_k02_functions_run_on_either_engine(run, engine):
    def make():
        d = Dataset.from_tensor_slices(np.arange(12, dtype=np.float32).reshape(4, 3))
        return d.map(lambda x: tf.reduce_sum(tf.square(x)) + 1.0)

    with engine():
        assert elements(run, make) == [6.0, 51.0, 150.0, 303.0]


@both
def test_k02_from_generator(run):
    def numbers(n):
        for i in range(n):
            yield [i] * i

    def make():
        shape = tf.TensorShape([None])
        return Dataset.from_generator(numbers, tf.int64, shape, args=(4,))

    assert elements(run, make) == [[], [1], [2, 2], [3, 3, 3]]


# ------------------------------------------------------------------ K04, K05
def test_k04_loops_over_datasets(eager):
    dataset = Dataset.from_tensor_slices(([1, 2, 3], [4.0, 5.0, 6.0]))
    assert [(int(x), float(y)) for x, y in dataset] == [(1, 4), (2, 5), (3, 6)]
    batches = [(i, x.numpy().tolist()) for i, (x, _) in enumerate(dataset.batch(2))]
    assert batches == [(0, [1, 2]), (1, [3])]
    assert [int(x) for x, _ in tfe.Iterator(dataset)] == [1, 2, 3]
    assert [int(x) for _ in range(2) for x, _ in dataset] == [1, 2, 3] * 2
    assert all(isinstance(x, tf.Tensor) for x, _ in dataset)


def test_k04_a_graph_says_what_to_do(graph):
    with pytest.raises(RuntimeError, match="only supported when eager execution"):
        for _ in Dataset.range(3):
            pass


def test_k05_next_is_a_method(eager):
    it = iter(Dataset.from_tensor_slices([7, 8]))
    first = it.next()
    assert (int(first), first.dtype) == (7, tf.int32)
    assert int(next(it)) == 8
    with pytest.raises(StopIteration):
        it.next()
    images, labels = iter(Dataset.from_tensors((np.ones((2, 3)), [0, 1]))).next()
    assert (images.shape.as_list(), labels.numpy().tolist()) == ([2, 3], [0, 1])


def test_k05_in_a_graph_get_next_is_symbolic(graph):
    element = Dataset.from_tensor_slices([7, 8]).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        assert drained(sess, element) == [7, 8]


# ------------------------------------------------------------------ K06
def test_k06_one_shot(graph):
    it = Dataset.range(2).make_one_shot_iterator()
    x = it.get_next()
    assert str(x) == 'Tensor("IteratorGetNext:0", shape=(), dtype=int64)'
    assert (it.output_types, it.output_shapes) == (tf.int64, tf.TensorShape([]))
    assert it.output_classes is tf.Tensor
    with pytest.raises(ValueError, match="Iterator does not have an initializer"):
        _ = it.initializer
    with tf.Session() as sess:
        assert drained(sess, x) == [0, 1]
    with tf.Session() as sess:  # each session has its own
        assert drained(sess, x) == [0, 1]


def test_k06_initializable(graph):
    n = tf.placeholder(tf.int64, [])
    it = Dataset.range(n).make_initializable_iterator()
    x = it.get_next(name="next")
    assert x.name == "next:0"
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError, match="not been init"):
            sess.run(x)
        for size in (3, 1):
            sess.run(it.initializer, {n: size})
            assert drained(sess, x) == list(range(size))


def test_k06_reinitializable(graph):
    train, test = Dataset.range(3), Dataset.range(10, 12)
    it = tf.data.Iterator.from_structure(train.output_types, train.output_shapes)
    x = it.get_next()
    starts = it.make_initializer(train), it.make_initializer(test)
    with tf.Session() as sess:
        for _ in range(2):
            for start, wanted in zip(starts, ([0, 1, 2], [10, 11]), strict=True):
                sess.run(start)
                assert drained(sess, x) == wanted
    with pytest.raises(TypeError, match="Expected output types"):
        it.make_initializer(Dataset.from_tensors(1.0))


def test_k06_feedable(graph):
    a, b = Dataset.range(3).repeat(), Dataset.range(10, 12)
    handle = tf.placeholder(tf.string, [])
    it = tf.data.Iterator.from_string_handle(handle, a.output_types, a.output_shapes)
    x = it.get_next()
    one, two = a.make_one_shot_iterator(), b.make_initializable_iterator()
    with tf.Session() as sess:
        h1, h2 = sess.run([one.string_handle(), two.string_handle()])
        sess.run(two.initializer)
        found = [sess.run(x, {handle: h}) for h in (h1, h2, h1, h1, h2, h1)]
        assert found == [0, 10, 1, 2, 11, 0]
        with pytest.raises(ENDED):
            sess.run(x, {handle: h2})


def test_k06_eager_iterators(eager):
    dataset = Dataset.from_tensor_slices(([1, 2], [3.0, 4.0]))
    for it in (iter(dataset), tfe.Iterator(dataset), dataset.make_one_shot_iterator()):
        x, y = it.next()
        assert (int(x), float(y)) == (1, 3.0)
        assert int(it.get_next()[0]) == 2
        with pytest.raises(StopIteration):
            next(it)
    text = "dataset.make_initializable_iterator is not supported when eager execution"
    with pytest.raises(RuntimeError, match=text):
        dataset.make_initializable_iterator()


def test_k06_inside_functions(eager):
    it = iter(Dataset.range(4))
    step = tfe.defun(lambda scale: it.get_next() * scale)
    found = [int(step(tf.constant(k, tf.int64))) for k in (1, 10, 100, 1000)]
    assert found == [0, 10, 200, 3000]
    with pytest.raises(ENDED):
        step(tf.constant(1, tf.int64))


def test_k06_epochs_of_a_dataset_made_inside_a_function(eager):
    @tfe.defun
    def first_two(rows):
        it = Dataset.from_tensor_slices(rows).make_one_shot_iterator()
        return it.get_next() + 10 * it.get_next()

    assert int(first_two(tf.constant([1, 2, 3]))) == 21
    assert int(first_two(tf.constant([5, 7, 9]))) == 75


# ------------------------------------------------------------------ K07
def test_k07_epochs_end_with_out_of_range(graph):
    data = Dataset.from_tensor_slices(np.float32([1.0, 2.0, 3.0])).batch(2)
    it = data.make_initializable_iterator()
    x = it.get_next()
    w = tf.Variable(0.0)
    train = w.assign_add(tf.reduce_sum(x))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(it.initializer)
            batches = itertools.count()
            with pytest.raises(ENDED) as ended:
                while True:
                    sess.run(train)
                    next(batches)
            assert ended.value.message.startswith("End of sequence")
            assert next(batches) == 2
        assert sess.run(w) == 18.0


# ------------------------------------------------------------------ K08
def test_k08_loops_need_eager_execution(graph):
    text = "dataset.__iter__() is only supported when eager execution is enabled."
    with pytest.raises(RuntimeError) as raised:
        iter(Dataset.range(3))
    assert str(raised.value) == text
    with pytest.raises(RuntimeError, match="can only be used when eager execution is"):
        tfe.Iterator(Dataset.range(3))


# ------------------------------------------------------------------ K09
def test_k09_datasets_in_the_place_of_queues(graph):
    rows = np.arange(12, dtype=np.float32).reshape(6, 2)
    row = tf.train.slice_input_producer([rows], num_epochs=1, shuffle=False)[0]
    queued = tf.train.batch([row * 2], 2)
    batches = Dataset.from_tensor_slices(rows).map(lambda row: row * 2).batch(2)
    element = batches.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        found = drained(sess, queued)
        coord.request_stop()
        coord.join(threads)
        assert np.array_equal(found, drained(sess, element))
        assert len(found) == 3


def test_k09_queues_need_a_graph(eager):
    with pytest.raises(RuntimeError, match=r"tf.data|[Ee]ager"):
        tf.train.slice_input_producer([np.arange(3)])
    found = list(Dataset.from_tensor_slices(np.arange(3)).batch(2))
    assert [x.numpy().tolist() for x in found] == [[0, 1], [2]]


# ------------------------------------------------------------------ K10
@both
def test_k10_batches_of_random_numbers(run):
    found = elements(
        run, lambda: Dataset.from_tensor_slices(tf.random_normal((4, 2))).batch(2)
    )
    assert np.shape(found) == (2, 2, 2) and np.isfinite(found).all()
