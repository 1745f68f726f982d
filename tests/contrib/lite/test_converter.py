"""TFLiteConverter: what it reads, what it refuses, and the older ways to call it."""

import numpy as np
import pytest

import twinflow as tf

X = np.random.RandomState(0).randn(1, 3).astype("f4")
L = tf.contrib.lite


def network(session, name="x"):
    x = tf.placeholder(tf.float32, [None, 3], name=name)
    y = tf.layers.dense(x, 2, tf.nn.relu, bias_initializer=tf.ones_initializer())
    y = tf.identity(y, name="y")
    session.run(tf.global_variables_initializer())
    return x, y


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        yield session


def found_in(model):
    lite = pytest.importorskip("ai_edge_litert.interpreter")
    lite = lite.Interpreter(model_content=model)
    lite.allocate_tensors()
    lite.set_tensor(lite.get_input_details()[0]["index"], X)
    lite.invoke()
    return lite.get_tensor(lite.get_output_details()[0]["index"])


def test_values_are_those_of_the_moment(session):
    x, y = network(session)
    want = session.run(y, {x: X})
    converter = L.TFLiteConverter.from_session(session, [x], [y])
    assert converter.get_input_arrays() == ["x"]
    for v in tf.global_variables():
        v.load(np.zeros(v.shape.as_list(), "f4"), session)
    np.testing.assert_allclose(found_in(converter.convert()), want, rtol=1e-6)


def test_frozen_graphs_binary_and_as_text(session, tmp_path):
    x, y = network(session)
    want = session.run(y, {x: X})
    frozen = tf.graph_util.convert_variables_to_constants(
        session, session.graph.as_graph_def(), ["y"]
    )
    for name, as_text in (("g.pb", False), ("g.pbtxt", True)):
        tf.train.write_graph(frozen, str(tmp_path), name, as_text)
        made = L.TocoConverter.from_frozen_graph(str(tmp_path / name), ["x"], ["y"])
        np.testing.assert_allclose(found_in(made.convert()), want, rtol=1e-6)
    make = L.TFLiteConverter.from_frozen_graph
    with pytest.raises(ValueError, match="Invalid tensors 'z' were found"):
        make(str(tmp_path / "g.pb"), ["z"], ["y"])
    with pytest.raises(OSError, match="does not exist"):
        make(str(tmp_path / "none.pb"), ["x"], ["y"])
    (tmp_path / "bad.pb").write_bytes(b"\xff\xff")
    with pytest.raises(OSError, match="Unable to parse input file"):
        make(str(tmp_path / "bad.pb"), ["x"], ["y"])
    tf.train.write_graph(session.graph, str(tmp_path), "whole.pb", False)
    with pytest.raises(ValueError, match="Please freeze the graph"):
        make(str(tmp_path / "whole.pb"), ["x"], ["y"])


def test_saved_models(session, tmp_path):
    x, y = network(session)
    want = session.run(y, {x: X})
    folder = str(tmp_path / "saved")
    tf.saved_model.simple_save(session, folder, {"in": x}, {"out": y})
    made = L.TFLiteConverter.from_saved_model(folder)
    np.testing.assert_allclose(found_in(made.convert()), want, rtol=1e-6)
    made = L.TFLiteConverter.from_saved_model(
        folder, ["x"], {"x": [4, 3]}, ["y"], {"serve"}, "serving_default"
    )
    assert b"TFL3" in made.convert()[:8]
    with pytest.raises(ValueError, match="Possible values are 'serving_default'"):
        L.TFLiteConverter.from_saved_model(folder, signature_key="other")


def test_keras_files(tmp_path):
    path = str(tmp_path / "model.keras")
    with tf.Graph().as_default():
        layers = tf.keras.layers
        model = tf.keras.Sequential([
            layers.Dense(4, input_shape=(3,)), layers.BatchNormalization(),
            layers.Dropout(0.5), layers.Dense(2),
        ])  # fmt: skip
        want = model.predict(X)
        model.save(path)
        session = tf.keras.backend.get_session()
        made = L.TFLiteConverter.from_keras_model_file(path)
        np.testing.assert_allclose(found_in(made.convert()), want, rtol=1e-5)
        assert tf.keras.backend.get_session() is session


def test_shapes_that_are_missing(session):
    x = tf.placeholder(tf.float32, name="x")
    made = L.TFLiteConverter.from_session(session, [x], [x + 1.0])
    with pytest.raises(ValueError, match="Provide an input shape for input array 'x'"):
        made.convert()
    x = tf.placeholder(tf.float32, [None, None], name="z")
    made = L.TFLiteConverter.from_session(session, [x], [x + 1.0])
    with pytest.raises(ValueError, match="only supported in the 1st dimension"):
        made.convert()


def test_attributes_that_are_not_there(session):
    x, y = network(session)
    made = L.TFLiteConverter.from_session(session, [x], [y])
    with pytest.raises(AttributeError, match="no attribute 'inference_typ'"):
        made.inference_typ = 1
    made.quantized_input_stats = {"z": (0.0, 1.0)}
    with pytest.raises(ValueError, match="not available for input tensors 'x'"):
        made.convert()
    with pytest.raises(ValueError, match="both input_arrays_with_shape and"):
        L.TFLiteConverter(None, None, None)
    made = L.TFLiteConverter.from_session(session, [x], [y])
    made.converter_mode = L.ConverterMode.TOCO_FLEX
    with pytest.raises(tf.errors.UnimplementedError, match="TOCO_FLEX"):
        made.convert()


def test_drawings(session, tmp_path):
    x, y = network(session)
    made = L.TFLiteConverter.from_session(session, [x], [y])
    made.output_format = L.constants.GRAPHVIZ_DOT
    made.dump_graphviz_dir = str(tmp_path)
    text = made.convert().decode()
    assert text.startswith("digraph") and "FULLY_CONNECTED" in text
    assert (tmp_path / "toco_AFTER_TRANSFORMATIONS.dot").read_text() == text
    assert "RELU" in (tmp_path / "toco_AT_IMPORT.dot").read_text()


def test_control_dependencies(session):
    x = tf.placeholder(tf.float32, [1, 3], name="x")
    with tf.control_dependencies([tf.assert_positive(x)]):
        y = tf.multiply(x, 2.0, name="y")
    made = L.TFLiteConverter.from_session(session, [x], [y])
    np.testing.assert_allclose(found_in(made.convert()), 2 * X)
    made.drop_control_dependency = False
    with pytest.raises(ValueError, match="waits for 'assert_positive"):
        made.convert()


def test_by_protocol_buffers(session):
    x = tf.placeholder(tf.float32, [1, 3], name="x")
    y = tf.multiply(x, 2.0, name="y")
    graph_def = y.graph.as_graph_def()
    model, toco = L.build_toco_convert_protos([x], [y])
    assert model.input_arrays[0].shape.dims == [1, 3]
    assert toco.inference_input_type == L.constants.FLOAT
    data = [message.SerializeToString() for message in (model, toco, graph_def)]
    assert data[:2] == [
        b"\n\t\n\x01x2\x04\x12\x02\x01\x03\x12\x01y", b"\x08\x01\x10\x02 \x01X\x01`\x01"
    ]  # fmt: skip  # as TensorFlow 1.12 has them but for fields that are their default
    for found in (L.toco_convert_protos(*data), L.toco_convert(graph_def, [x], [y])):
        np.testing.assert_allclose(found_in(found), 2 * X)
    with pytest.raises(RuntimeError, match="TOCO failed"):
        L.toco_convert_protos(b"\xff", b"", b"")


def test_other_batches(session):
    x, y = network(session)
    model = L.TFLiteConverter.from_session(session, [x], [y]).convert()
    pytest.importorskip("ai_edge_litert")
    lite = L.Interpreter(model_content=model)
    lite.resize_tensor_input(lite.get_input_details()[0]["index"], [5, 3])
    lite.allocate_tensors()
    given = np.random.RandomState(1).randn(5, 3).astype("f4")
    lite.set_tensor(lite.get_input_details()[0]["index"], given)
    lite.invoke()
    found = lite.get_tensor(lite.get_output_details()[0]["index"])
    np.testing.assert_allclose(found, session.run(y, {x: given}), rtol=1e-5)
