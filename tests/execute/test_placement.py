"""Devices that are not there: refused in graphs, functions and eagerly, as by 1.12."""

import pytest

import twinflow as tf
from twinflow.graph.graph import Graph

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
THERE = (
    "/cpu:0", "cpu:0", "/job:localhost", CPU, "", "/", "//", "/cpu", "CPU:0",
    "/device:CPU:*", "/cpu:*", None, "/device:XLA_CPU:0",
)  # fmt: skip
OF_ANOTHER_TYPE = (
    "/gpu:0", "/gpu:3", "gpu:0", "/device:GPU:0", "/device:GPU:*", "/device:gpu:0",
    "/GPU:0", "/cpu:1", "/device:CPU:7", "/device:TPU:0", "/device:FOO:0", "/gpu",
    "GPU", "/job:localhost/device:gpu:0",
)  # fmt: skip
ELSEWHERE = ("/job:ps", "/job:ps/task:1", "/job:localhost/task:1", "/job:worker/cpu:0",
             "/replica:1", "/task:3")  # fmt: skip


def _run(make, *, soft=False, feeds=None, **config):
    with Graph().as_default():
        fetch = make()
        proto = tf.ConfigProto(allow_soft_placement=soft, **config)
        with tf.Session(config=proto) as session:
            return session.run(fetch, feeds and feeds())


def _square_on(name):
    with tf.device(name):
        return tf.square(tf.constant([1.0, 2.0], name="x"), name="y")


@pytest.mark.parametrize("name", THERE)
@pytest.mark.parametrize("soft", [False, True])
def test_devices_that_are_there(name, soft):
    assert _run(lambda: _square_on(name), soft=soft).tolist() == [1.0, 4.0]


@pytest.mark.parametrize("name", OF_ANOTHER_TYPE + ELSEWHERE)
def test_a_graph_that_asks_for_another_is_refused(name):
    asked = tf.DeviceSpec.from_string(name).to_string()
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _run(lambda: _square_on(name))
    assert caught.value.op.name == "y"
    text = str(caught.value)
    assert text.startswith(
        "Cannot assign a device for operation y: Operation was explicitly assigned to "
        f"{asked} but available devices are [ {CPU} ]. Make sure the device "
        "specification refers to a valid device.\n\t [[node y (defined at "
    )
    assert f'= Square[T=DT_FLOAT, _device="{asked}"](x)]]' in text
    assert "test_placement.py" in text


@pytest.mark.parametrize("name", OF_ANOTHER_TYPE)
def test_soft_placement_takes_type_and_number_as_wishes(name):
    with Graph().as_default():
        y = _square_on(name)
        config = tf.ConfigProto(allow_soft_placement=True)
        with tf.Session(config=config) as session:
            assert session.run(y).tolist() == [1.0, 4.0]
        assert y.device == tf.DeviceSpec.from_string(name).to_string()


@pytest.mark.parametrize("name", ELSEWHERE)
def test_soft_placement_does_not_move_to_another_task(name):
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"^Cannot assign a device"
    ):
        _run(lambda: _square_on(name), soft=True)


def _by_function():
    with tf.device(lambda node: "/gpu:0" if node.type == "Square" else "/cpu:0"):
        return tf.square(tf.constant(2.0))


def _by_spec():
    with tf.device(lambda node: tf.DeviceSpec(device_type="GPU", device_index=0)):
        return tf.square(tf.constant(2.0))


def _beside():
    with tf.device("/gpu:0"):
        a = tf.constant(1.0)
    with tf.colocate_with(a):
        return tf.square(tf.constant(2.0))


def _unused():
    with tf.device("/gpu:0"):
        tf.constant(1.0)
    return tf.constant(2.0)


def _variable():
    with tf.device("/gpu:0"):
        return tf.Variable(1.0).initializer


def _resource():
    with tf.device("/gpu:0"):
        return tf.get_variable("v", [], use_resource=True).initializer


def _strings():
    with tf.device("/gpu:0"):
        return tf.string_join(["a", "b"])


def _branch():
    with tf.device("/gpu:0"):
        one, two = (lambda: tf.constant(1.0)), (lambda: tf.constant(2.0))
        return tf.cond(tf.constant(True), one, two)


def _body():
    def step(i):
        with tf.device("/gpu:0"):
            return tf.add(i, 1)

    return tf.while_loop(lambda i: i < 3, step, [tf.constant(0)])


def _dataset():
    with tf.device("/gpu:0"):
        return tf.data.Dataset.range(3).make_one_shot_iterator().get_next()


def _imported():
    with Graph().as_default() as graph:
        _square_on("/gpu:0")
    return tf.import_graph_def(graph.as_graph_def(), return_elements=["y:0"])


def _gradient():
    with tf.device("/gpu:0"):
        x = tf.constant(1.0)
        return tf.gradients(tf.square(x), x)


def _nothing():
    with tf.device("/gpu:0"):
        return tf.no_op()


EVERY_WAY = (_by_function, _by_spec, _beside, _unused, _variable, _resource, _strings,
             _branch, _body, _dataset, _imported, _gradient, _nothing)  # fmt: skip


@pytest.mark.parametrize("make", EVERY_WAY)
def test_every_way_to_ask_for_a_gpu(make):
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"^Cannot assign a device"
    ):
        _run(make)
    _run(make, soft=True)


def test_a_malformed_name_of_a_device_function():
    def make():
        with tf.device(lambda node: "/nonsense"):
            return tf.square(2.0)

    with pytest.raises(tf.errors.InvalidArgumentError, match="assigned to /nonsense"):
        _run(make, soft=True)


def test_more_cpus_by_device_count():
    with pytest.raises(tf.errors.InvalidArgumentError):
        _run(lambda: _square_on("/cpu:2"), device_count={"CPU": 2})
    _run(lambda: _square_on("/cpu:1"), device_count={"CPU": 2})


def test_what_is_added_later_is_looked_at_and_refused_each_time():
    with Graph().as_default():
        y = _square_on("/cpu:0")
        with tf.Session() as session:
            session.run(y)
            z = _square_on("/gpu:0")
            for _ in range(2):
                with pytest.raises(tf.errors.InvalidArgumentError):
                    session.run(z)
            handle = session.partial_run_setup
            with pytest.raises(tf.errors.InvalidArgumentError):
                handle([z], [])
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.make_callable(z)()


def test_keras_estimators_and_tests_place_softly():
    with Graph().as_default():
        assert tf.keras.backend.get_session().run(_square_on("/gpu:0")).tolist()
        tf.keras.backend.set_session(None)
    case = tf.test.TestCase()
    with Graph().as_default(), case.session() as session:
        session.run(_square_on("/gpu:0"))
    with (
        Graph().as_default(),
        case.session(config=tf.ConfigProto(), force_gpu=True) as session,
        pytest.raises(tf.errors.InvalidArgumentError),
    ):
        session.run(_square_on("/gpu:0"))


@pytest.mark.parametrize("name", OF_ANOTHER_TYPE + ELSEWHERE)
def test_eager(name, eager):
    asked = tf.DeviceSpec.from_string(name)
    full = tf.DeviceSpec.from_string(CPU)
    full.merge_from(asked)
    text = f"{full.to_string().replace(':*', ':0')} unknown device."
    x = tf.constant([1.0, 2.0])
    double = tf.contrib.eager.defun(lambda x: x * 2.0)
    with tf.device(name):
        with pytest.raises(RuntimeError, match=r"^Error copying tensor to device"):
            tf.constant([1.0])
        for call in (tf.square, double):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                call(x)
            assert text in str(caught.value)


def test_a_function_body_is_not_placed(eager):
    @tf.contrib.eager.defun
    def double(x):
        with tf.device("/gpu:0"):
            return x * 2.0

    assert double(tf.constant(1.0)).numpy() == 2.0  # as in 1.12
