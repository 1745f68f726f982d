"""tf.contrib.session_bundle: exports written, kept, and loaded again."""

import pytest

import twinflow as tf
from twinflow.contrib.session_bundle import constants, loading, upgrading
from twinflow.estimator import old_exports
from twinflow.formats import protos

bundle = tf.contrib.session_bundle


def export(folder, *steps, **more):
    """y = x + 5 with an asset; the folders that are left."""
    asset = folder / "words.txt"
    asset.write_text("hello")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(5.0, name="v")
        x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.add(x, v, name="y")
        name = tf.Variable("none", name="name", trainable=False)
        place = tf.constant(str(asset), name="asset")
        start = tf.group(tf.assign(name, place), name="start")
        session.run(tf.global_variables_initializer())
        exporter = bundle.Exporter(tf.train.Saver(sharded=True))
        with pytest.raises(RuntimeError, match="init must be called first"):
            exporter.export(str(folder / "m"), tf.constant(1), session)
        exporter.init(
            session.graph.as_graph_def(), init_op=start, assets_collection=[place],
            default_graph_signature=bundle.regression_signature(x, y),
            named_graph_signatures={
                "inputs": bundle.generic_signature({"x": x}),
                "outputs": bundle.generic_signature({"y": y}),
            },
        )  # fmt: skip
        for step in steps:
            exporter.export(str(folder / "m"), tf.constant(step), session, **more)
        with pytest.raises(RuntimeError, match="Overwriting exports"):
            exporter.export(str(folder / "m"), tf.constant(steps[-1]), session)
    return sorted(p.name for p in (folder / "m").iterdir())


def test_exports_are_written_kept_and_loaded(tmp_path):
    keep = old_exports.largest_export_versions(2)
    left = export(tmp_path, 1, 2, 30, exports_to_keep=keep)
    assert left == ["00000002", "00000030"]
    folder = str(tmp_path / "m" / "00000030")
    assert bundle.maybe_session_bundle_dir(folder)
    session, meta = bundle.load_session_bundle_or_saved_model_bundle_from_path(folder)
    with session:
        assert session.run("y:0", {"x:0": [1.0]}) == [6]
        assert session.run("name:0").endswith(b"00000030/assets/words.txt")
    found = meta.signature_def["serving_default"]
    assert found.method_name == "tensorflow/serving/regress"
    assert found.outputs["outputs"].name == "y:0"
    named = meta.signature_def["serving_default_from_named"]
    assert named.inputs["x"].name == "x:0"


def test_a_folder_without_an_export_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match="Expected meta graph file missing"):
        bundle.load_session_bundle_from_path(str(tmp_path))
    with pytest.raises(RuntimeError, match="not found at specified export location"):
        loading.load_session_bundle_or_saved_model_bundle_from_path(str(tmp_path))


def test_signatures_of_classes():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.string, name="x")
        signature = bundle.classification_signature(x, x, x)
    meta = protos.MetaGraphDef()
    held = meta.collection_def[constants.SIGNATURES_KEY].any_list.value.add()
    held.Pack(constants.Signatures(default_signature=signature))
    upgrading.add_signature_defs(meta)
    (found,) = meta.signature_def.values()
    assert found.method_name == "tensorflow/serving/classify"
    assert {k: v.name for k, v in found.outputs.items()} == {
        "classes": "x:0",
        "scores": "x:0",
    }


def test_named_signatures_that_are_not_generic_are_refused():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, name="x")
        signature = bundle.regression_signature(x, x)
    both = constants.Signatures()
    for name in ("inputs", "outputs"):
        both.named_signatures[name].CopyFrom(signature)
    meta = protos.MetaGraphDef()
    held = meta.collection_def[constants.SIGNATURES_KEY].any_list.value.add()
    held.Pack(both)
    with pytest.raises(RuntimeError, match="only be up-converted if they are generic"):
        upgrading.add_signature_defs(meta)


def test_modules_are_attributes():
    assert bundle.exporter.Exporter is bundle.Exporter
    assert bundle.session_bundle.maybe_session_bundle_dir("nowhere") is False
    assert bundle.constants.EXPORT_BASE_NAME == "export"
    signature = bundle.manifest_pb2.Signature()
    signature.regression_signature.input.tensor_name = "x:0"
    assert bundle.manifest_pb2.Signature.FromString(signature.SerializeToString())
    paths = [bundle.gc.Path("a", version) for version in (1, 2, 3)]
    assert bundle.gc.largest_export_versions(2)(paths) == paths[1:]
