"""What goes wrong half-way: nothing stays behind, and nothing else is lost."""

import contextlib
import gc
import threading
import time

import pytest

import twinflow as tf
from tests.data.pipelines import slow
from tests.data.programs import plain
from twinflow.base import errors

D = tf.data.Dataset
X = tf.data.experimental


# ---------------------------------------------------------------------- threads
def threads():
    """The threads of datasets that are alive."""
    return [t for t in threading.enumerate() if t.name.startswith("twinflow-data")]


@contextlib.contextmanager
def nothing_left():
    """No thread is left soon after the block, without the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        yield
        limit = time.monotonic() + 5
        while threads() and time.monotonic() < limit:
            time.sleep(0.01)
        assert not threads()
    finally:
        gc.enable()


def endless():
    return D.range(10**6)


def ahead(i):
    return endless().prefetch(2)


THREADED = {
    "prefetch": lambda: endless().prefetch(3),
    "parallel map": lambda: endless().map(slow, 3),
    "both": lambda: endless().map(slow, 3).batch(2).prefetch(2),
    "map_and_batch": lambda: endless().apply(X.map_and_batch(slow, 2, 2)),
    "prefetch_to_device": lambda: endless().apply(X.prefetch_to_device("/cpu:0")),
    "shuffle": lambda: endless().prefetch(2).shuffle(3),
    "repeat": lambda: D.range(9).prefetch(2).repeat(),
    "cache": lambda: endless().prefetch(2).cache(),
    "take": lambda: endless().prefetch(2).take(10**5),
    "zip": lambda: D.zip((endless().prefetch(2), endless().map(slow, 2))),
    "concatenate": lambda: endless().prefetch(2).concatenate(D.range(2)),
    "window": lambda: endless().prefetch(2).window(2).flat_map(lambda w: w.batch(2)),
    "flat_map": lambda: D.range(3).flat_map(ahead),
    "interleave": lambda: D.range(3).interleave(ahead, 2),
    "parallel_interleave": lambda: D.range(3).apply(X.parallel_interleave(ahead, 2)),
    "scan": lambda: endless().prefetch(2).apply(X.scan(0, lambda s, x: (s, x))),
    "choose": lambda: X.choose_from_datasets([endless().prefetch(2)] * 2, D.range(2)),
}


@pytest.mark.parametrize("name", THREADED)
def test_an_abandoned_iterator_leaves_no_thread(name):
    with nothing_left():
        iterator = iter(THREADED[name]())
        for _ in range(100):  # threads of maps begin when they are worth it
            next(iterator)
            if threads():
                break
        else:
            pytest.fail("no thread has worked")
        del iterator


@pytest.mark.parametrize("name", THREADED)
def test_a_closed_session_leaves_no_thread(name):
    with nothing_left():
        with tf.Graph().as_default(), tf.Session() as session:
            element = THREADED[name]().make_one_shot_iterator().get_next()
            session.run(element)
        del session, element
        gc.collect()  # graphs have cycles


def test_a_loop_that_is_left_leaves_no_thread():
    with nothing_left():
        for _ in endless().map(slow, 2).prefetch(2):
            break


@pytest.mark.parametrize("name", ["prefetch", "both", "repeat"])
def test_an_iterator_that_was_saved_leaves_no_thread(name, tmp_path):
    with nothing_left():
        iterator = iter(THREADED[name]())
        for _ in range(8):
            next(iterator)
        path = tf.train.Checkpoint(it=iterator).save(str(tmp_path / "c"))
        again = iter(THREADED[name]())
        tf.train.Checkpoint(it=again).restore(path)
        assert plain(next(again)) == plain(next(iterator))
        del iterator, again
        gc.collect()  # Checkpoints have cycles


# ---------------------------------------------------------------------- functions
def failing(i):
    """0, 10, 20, an error, 40 ..."""
    place = tf.where(tf.equal(i, 3), tf.constant(99, tf.int64), i)
    return tf.gather([0, 10, 20, 30, 40, 50, 60, 70], place)  # of this line


BAD = "InvalidArgumentError"
# What TensorFlow 1.12 gives for the same programs.
GO_ON = {
    "map": (lambda d: d, [0, 10, 20, BAD, 40, 50, 60, 70]),
    "parallel map": (lambda d: d.map(lambda x: x, 2), [0, 10, 20, BAD, 40, 50, 60, 70]),
    "batch": (lambda d: d.batch(2), [[0, 10], BAD, [40, 50], [60, 70]]),
    "padded_batch": (
        lambda d: d.padded_batch(2, []),
        [[0, 10], BAD, [40, 50], [60, 70]],
    ),
    "shuffle": (lambda d: d.shuffle(3, 1), [10, BAD, 40, 0, 60, 20, 50, 70]),
    "take": (lambda d: d.take(5), [0, 10, 20, BAD, 40, 50]),
    "skip": (lambda d: d.skip(5), [BAD, 60, 70]),
    "shard": (lambda d: d.shard(2, 1), [10, BAD, 50, 70]),
    "repeat": (lambda d: d.repeat(2), [0, 10, 20, BAD, 40, 50, 60, 70] * 2),
    "prefetch": (lambda d: d.prefetch(2), [0, 10, 20, BAD, 40, 50, 60, 70]),
    "filter": (lambda d: d.filter(lambda x: x < 55), [0, 10, 20, BAD, 40, 50]),
    "concatenate": (
        lambda d: d.take(3).concatenate(d),
        [0, 10, 20, 0, 10, 20, BAD, 40, 50, 60, 70],
    ),
    "cache": (lambda d: d.cache(), [0, 10, 20, BAD, 40, 50, 60, 70]),
    "window": (
        lambda d: d.window(2).flat_map(lambda w: w.batch(2)),
        [[0, 10], BAD, [40, 50], [60, 70]],
    ),
    "unbatch": (
        lambda d: d.map(lambda x: tf.fill([1], x)).apply(X.unbatch()),
        [0, 10, 20, BAD, 40, 50, 60, 70],
    ),
    "flat_map": (
        lambda d: d.flat_map(D.from_tensors),
        [0, 10, 20, BAD, 40, 50, 60, 70],
    ),
    "inside flat_map": (
        lambda d: D.range(2).flat_map(lambda _: d),
        [0, 10, 20, BAD, 40, 50, 60, 70] * 2,
    ),
    "interleave": (
        lambda d: D.range(2).interleave(lambda _: d, 2),
        [0, 0, 10, 10, 20, 20, BAD, 40, BAD, 40, 50, 50, 60, 60, 70, 70],
    ),
    "zip": (
        lambda d: D.zip((d, D.range(8))).map(lambda x, i: i),
        [0, 1, 2, BAD, 3, 4, 5, 6],
    ),
    "unique": (lambda d: d.apply(X.unique()), [0, 10, 20, BAD, 40, 50, 60, 70]),
    "scan": (
        lambda d: d.apply(X.scan(0, lambda s, x: (s + x, s + x))),
        [0, 10, 30, BAD, 70, 120, 180, 250],
    ),
    "group_by_window": (
        lambda d: d.apply(
            X.group_by_window(
                lambda x: tf.constant(0, tf.int64), lambda k, w: w.batch(2), 2
            )
        ),
        [[0, 10], BAD, [20, 40], [50, 60], [70]],
    ),
    "ignore_errors": (
        lambda d: d.apply(X.ignore_errors()),
        [0, 10, 20, 40, 50, 60, 70],
    ),
}


def outcomes(take, ended):
    """What `take` gives until it raises `ended`, with the names of errors."""
    found, texts = [], []
    while len(found) < 50:
        try:
            found.append(plain(take()))
        except ended:
            return found, texts
        except errors.OpError as error:
            found.append(type(error).__name__)
            texts.append(str(error))
    return found, texts


def check_texts(texts):
    for text in texts:
        assert "[3] = 99 is not in [0, 8)" in text or "= 99 is not in [0, 8)" in text
        assert "test_faults.py" in text and "in failing" in text


@pytest.mark.parametrize("name", GO_ON)
def test_after_a_function_that_fails_the_iterator_goes_on(name):
    change, expected = GO_ON[name]
    iterator = iter(change(D.range(8).map(failing)))
    found, texts = outcomes(lambda: next(iterator), StopIteration)
    assert found == expected
    check_texts(texts)


@pytest.mark.parametrize("name", GO_ON)
def test_after_a_function_that_fails_a_session_goes_on(name):
    change, expected = GO_ON[name]
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = change(D.range(8).map(failing)).make_initializable_iterator()
        element = iterator.get_next()
        session.run(iterator.initializer)
        run = lambda: session.run(element)
        found, texts = outcomes(run, errors.OutOfRangeError)
    assert found == expected
    check_texts(texts)


def test_a_python_function_that_fails_shows_its_own_error():
    def half(i):
        return 12 // int(i)

    numbers = D.range(3).map(lambda i: tf.py_func(half, [i], tf.int64))
    for make in (lambda d: d, lambda d: d.prefetch(2)):
        iterator = iter(make(numbers))
        with pytest.raises(errors.OpError, match="ZeroDivisionError") as caught:
            next(iterator)
        assert "in half" in str(caught.value)
        assert [int(x) for x in iterator] == [12, 6]


# ---------------------------------------------------------------------- files
def written(path, count, cut=None, byte=None):
    """The path of a TFRecord file, cut off or with a byte changed."""
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for i in range(count):
            writer.write(b"%s%d" % (path.name.encode(), i))
    data = bytearray(path.read_bytes())
    if byte is not None:
        data[byte] ^= 1
    path.write_bytes(data[:cut])
    return str(path)


@pytest.mark.parametrize(
    "damage, where",
    [({"cut": -2}, "truncated record at 36"), ({"byte": 36 + 13}, "record at 48")],
)
@pytest.mark.parametrize(
    "change", [lambda d: d, lambda d: d.prefetch(2), lambda d: d.map(tf.identity, 2)]
)
def test_what_is_around_a_damaged_record_is_read(tmp_path, damage, where, change):
    paths = [written(tmp_path / "a", 3, **damage), written(tmp_path / "b", 2)]
    iterator = iter(change(tf.data.TFRecordDataset(paths)))
    assert [next(iterator).numpy() for _ in range(2)] == [b"a0", b"a1"]
    with pytest.raises(errors.DataLossError, match=where) as caught:
        next(iterator)
    assert paths[0] in str(caught.value)
    assert [x.numpy() for x in iterator] == [b"b0", b"b1"]  # the next file


def test_a_damaged_record_in_a_session(tmp_path):
    path = written(tmp_path / "a", 3, cut=-2)
    with tf.Graph().as_default(), tf.Session() as session:
        element = tf.data.TFRecordDataset(path).make_one_shot_iterator().get_next()
        found, texts = outcomes(lambda: session.run(element), errors.OutOfRangeError)
    assert found == [b"a0", b"a1", "DataLossError"]
    assert "truncated record at 36" in texts[0] and path in texts[0]


def test_a_missing_file_does_not_hide_the_next_one(tmp_path):
    paths = [str(tmp_path / "none"), written(tmp_path / "b", 2)]
    iterator = iter(tf.data.TFRecordDataset(paths))
    with pytest.raises(errors.NotFoundError, match="none"):
        next(iterator)
    assert [x.numpy() for x in iterator] == [b"b0", b"b1"]


def test_a_negative_padded_shape_that_was_computed_is_refused_by_the_run():
    def padded():
        shape = tf.constant([5], tf.int64) * -1
        return tf.data.Dataset.from_tensors([1, 2]).padded_batch(2, shape)

    with tf.Graph().as_default(), tf.Session() as session:
        element = padded().make_one_shot_iterator().get_next()
        with pytest.raises(errors.InvalidArgumentError, match="-5"):
            session.run(element)


def mapped_and_batched(*elements):
    rows = tf.data.Dataset.from_generator(lambda: iter(elements), tf.int32)
    together = tf.contrib.data.map_and_batch(lambda x: x, len(elements))
    with tf.Session() as sess:
        found = rows.apply(together).make_one_shot_iterator().get_next()
        return sess.run(found).tolist()


def test_map_and_batch_goes_by_numbers_of_elements():
    with tf.Graph().as_default():
        assert mapped_and_batched([1, 2], [[3, 4]], [[5], [6]]) == [
            [1, 2],
            [3, 4],
            [5, 6],
        ]
        with pytest.raises(errors.InvalidArgumentError) as caught:
            mapped_and_batched([1], [2], [[4, 5, 6]])
        assert caught.value.message.startswith(
            "Cannot add tensor to the batch: number of elements does not match. Shapes "
            "are: [tensor]: [1,3], [batch]: [1]"
        )
