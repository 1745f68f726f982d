"""tf.contrib.slim.data and evaluations, and what summaries of contrib write."""

import numpy as np
import pytest

import twinflow as tf

slim, training = tf.contrib.slim, tf.contrib.training
decoder = slim.tfexample_decoder


def example(number):
    feature = tf.train.Features()
    feature.feature["number"].int64_list.value.append(number)
    feature.feature["box/x"].float_list.value.extend([0.25, 0.5])
    return tf.train.Example(features=feature).SerializeToString()


@pytest.fixture
def records(tmp_path):
    path = str(tmp_path / "a.tfrecords")
    with tf.python_io.TFRecordWriter(path) as writer:
        for number in range(6):
            writer.write(example(number))
    return path


def test_examples_are_read_and_decoded(records):
    keys = {
        "number": tf.FixedLenFeature([], tf.int64),
        "box/x": tf.VarLenFeature(tf.float32),
    }
    items = {
        "number": decoder.Tensor("number"),
        "boxes": decoder.BoundingBox(["box/x"] * 4),
        "twice": decoder.ItemHandlerCallback("number", lambda t: 2 * t["number"]),
    }
    data = slim.dataset.Dataset(
        [records], tf.TFRecordReader, decoder.TFExampleDecoder(keys, items), 6, {}
    )
    with tf.Graph().as_default(), tf.Session() as sess:
        provider = slim.dataset_data_provider.DatasetDataProvider(
            data, shuffle=False, num_epochs=1
        )
        wanted = provider.get(["number", "boxes", "twice"])
        sess.run(tf.local_variables_initializer())
        with slim.queues.QueueRunners(sess):
            found = [sess.run(wanted) for _ in range(6)]
    assert [(n, t) for n, _, t in found] == [(n, 2 * n) for n in range(6)]
    assert found[0][1].tolist() == [[0.25] * 4, [0.5] * 4]


def test_checkpoints_are_evaluated_as_they_come(tmp_path):
    folder = str(tmp_path)
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=2.0)
        tf.train.create_global_step()
        sess.run(tf.global_variables_initializer())
        tf.train.Saver().save(sess, f"{folder}/model.ckpt")
    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=0.0)
        x = tf.placeholder(tf.float32, [])
        value, update = tf.metrics.mean(v * x)
        tf.summary.scalar("value", value)
        found = slim.evaluation.evaluation_loop(
            "", folder, f"{folder}/eval", 3, eval_op=update, eval_op_feed_dict={x: 5.0},
            final_op=value, max_number_of_evaluations=1, timeout=0,
        )  # fmt: skip
    assert found == 10
    (path,) = tf.gfile.Glob(f"{folder}/eval/events*")
    values = [v for e in tf.train.summary_iterator(path) for v in e.summary.value]
    assert [(v.tag, v.simple_value) for v in values] == [("value", 10)]


def test_strategies_of_servers():
    class Node:
        name = "w/b"

    assert training.RandomStrategy(7)(Node) == 0
    assert training.RandomStrategy(7, seed=3)(Node) == 4
    with tf.Graph().as_default():
        assert training.byte_size_load_fn(tf.zeros([2, 3]).op) == 24
        with pytest.raises(ValueError, match="not fully defined"):
            training.byte_size_load_fn(tf.placeholder(tf.float32, [None]).op)


def test_the_projector_reads_a_file(tmp_path):
    projector = tf.contrib.tensorboard.plugins.projector
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add(tensor_name="words:0", metadata_path="m.tsv")
    embedding.sprite.single_image_dim.extend([28, 28])
    with tf.Graph().as_default(), tf.summary.FileWriter(str(tmp_path)) as writer:
        projector.visualize_embeddings(writer, config)
    wanted = (
        'embeddings {\n  tensor_name: "words:0"\n  metadata_path: "m.tsv"\n  sprite {\n'
        "    single_image_dim: 28\n    single_image_dim: 28\n  }\n}\n"
    )
    assert (tmp_path / "projector_config.pbtxt").read_text() == wanted


def test_older_summaries():
    old = tf.contrib.deprecated
    with tf.Graph().as_default(), tf.Session() as sess:
        both = old.scalar_summary(["a", "b"], [1.0, 2.0])
        sound = old.audio_summary("c", tf.zeros([1, 10]), 8000.0)
        data = sess.run(old.merge_all_summaries())
    assert [both.op.name, sound.op.name] == ["ScalarSummary", "AudioSummary"]
    tags = [value.tag for value in tf.Summary.FromString(data).value]
    assert tags == ["a", "b", "c/audio/0"]
    assert np.isclose(tf.Summary.FromString(data).value[1].simple_value, 2)
