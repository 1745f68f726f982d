"""Functions that run one after the other, and records in a random order."""

import threading

import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.contrib.framework.critical_section import CRITICAL_SECTION_EXECUTIONS

framework = tf.contrib.framework


def test_sections_of_threads_do_not_mix():
    """Reading and assigning are two steps: without the section some would be lost."""
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=0.0, use_resource=True)
        section = framework.CriticalSection()

        def add():
            before = v.read_value()
            slow = tf.py_func(lambda x: x, [before], tf.float32)
            return v.assign(slow + 1.0)

        ends = [section.execute(add) for _ in range(2)]
        sess.run(v.initializer)
        threads = [
            threading.Thread(target=lambda: [sess.run(ends) for _ in range(5)])
            for _ in range(3)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join(20)
        assert sess.run(v) == 30.0


def test_an_error_gives_the_section_up():
    with tf.Graph().as_default(), tf.Session() as sess:
        section = framework.CriticalSection()
        x = tf.placeholder(tf.float32)
        checked = section.execute(lambda: tf.check_numerics(x, "bad") * 2.0)
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
                sess.run(checked, {x: float("nan")})
        other = threading.Thread(target=lambda: found.append(run(2.0)))
        found: list = []

        def run(value):
            return sess.run(checked, {x: value})

        other.start()
        other.join(20)
        assert found == [4.0]


def test_what_is_refused():
    with tf.Graph().as_default():
        one, other = framework.CriticalSection(), framework.CriticalSection()
        with pytest.raises(ValueError, match="would cause deadlocks"):
            one.execute(lambda: one.execute(lambda: tf.constant(1.0)))
        v = tf.get_variable("v", initializer=0.0, use_resource=True)
        one.execute(lambda: v.assign_add(1.0))
        with pytest.raises(ValueError, match="requested exclusive resource access"):
            other.execute(lambda: v.assign_add(1.0))


def test_records_of_all_files(tmp_path):
    wanted = []
    for i in range(3):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"{i}.records")) as writer:
            for j in range(4):
                wanted.append(f"{i}.{j}".encode())
                writer.write(wanted[-1])
    with tf.Graph().as_default(), tf.Session() as sess:
        pattern = str(tmp_path / "*.records")
        source = framework.RecordInput(pattern, batch_size=4, buffer_size=1, seed=1)
        records = source.get_yield_op()
        for _ in range(2):
            found = [r for _ in range(3) for r in sess.run(records)]
            assert sorted(found) == wanted
        lists = framework.RecordInput(pattern, 2, batches=2).get_yield_op()
        assert [len(part) for part in sess.run(lists)] == [2, 2]


def counter():
    v = tf.get_variable("v", initializer=0.0, use_resource=True)

    def count(a=1.0, b=1.0):
        value = v.read_value()
        with tf.control_dependencies([value]):
            added = v.assign_add(a * b)
        with tf.control_dependencies([added]):
            return tf.identity(value)

    return v, count


def test_executions_follow_one_another():
    with tf.Graph().as_default() as graph, tf.Session() as s:
        v, count = counter()
        section = framework.CriticalSection(name="one")
        found = [section.execute(count, 1.0, 2.0) for _ in range(5)]
        s.run(v.initializer)
        assert sorted(s.run(found)) == [0, 2, 4, 6, 8]
        assert s.run(v) == 10
        assert section.name == "one"
        assert len(graph.get_collection(CRITICAL_SECTION_EXECUTIONS)) == 5


def test_what_would_wait_for_itself_is_refused():
    with tf.Graph().as_default():
        one, other = (framework.CriticalSection(shared_name="s") for _ in range(2))
        with pytest.raises(
            ValueError, match="attempts to directly access the Critical"
        ):
            one.execute(lambda: other.execute(lambda: tf.constant(1)))
        _, count = counter()
        one.execute(count)
        with pytest.raises(ValueError, match="requested exclusive resource access"):
            framework.CriticalSection().execute(count, exclusive_resource_access=False)


def test_eager_calls_of_threads():
    with eager():
        v = tf.contrib.eager.Variable(0)
        section = framework.CriticalSection()

        def add():
            with eager():
                for _ in range(20):
                    section.execute(lambda: v.assign(v.read_value() + 1))

        threads = [threading.Thread(target=add) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert int(v.numpy()) == 60
