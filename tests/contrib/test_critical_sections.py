"""tf.contrib.framework.CriticalSection."""

import threading

import pytest
from twinflow.contrib.framework.critical_sections import CRITICAL_SECTION_EXECUTIONS

import twinflow as tf
from tests.ways import eager

Section = tf.contrib.framework.CriticalSection


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
        section = Section(name="one")
        found = [section.execute(count, 1.0, 2.0) for _ in range(5)]
        s.run(v.initializer)
        assert sorted(s.run(found)) == [0, 2, 4, 6, 8]
        assert s.run(v) == 10
        assert section.name == "one"
        assert len(graph.get_collection(CRITICAL_SECTION_EXECUTIONS)) == 5


def test_what_would_wait_for_itself_is_refused():
    with tf.Graph().as_default():
        one, other = Section(shared_name="s"), Section(shared_name="s")
        with pytest.raises(
            ValueError, match="attempts to directly access the Critical"
        ):
            one.execute(lambda: other.execute(lambda: tf.constant(1)))
        _, count = counter()
        one.execute(count)
        with pytest.raises(ValueError, match="requested exclusive resource access"):
            Section().execute(count, exclusive_resource_access=False)


def test_eager_calls_of_threads():
    with eager():
        v = tf.contrib.eager.Variable(0)
        section = Section()

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
