"""Readers of checkpoints."""

import numpy as np

import twinflow as tf
from tests.fuzz.readers import as_table, eagerly, reader, table_rows, values
from twinflow.base import dispatch
from twinflow.eager.mode import MODE
from twinflow.formats import checkpoint_v1, checkpoint_v2, protos

K = tf.keras


def _write_v2(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        found = [tf.Variable(v, name=k) for k, v in values().items()]
        found.append(tf.get_variable("p", [6, 2], partitioner=None))
        session.run(tf.global_variables_initializer())
        tf.train.Saver(found).save(session, f"{folder}/model")


def _index(folder):
    _write_v2(folder)
    return [folder / "model.index"]


def _data(folder):
    _write_v2(folder)
    return [folder / "model.data-00000-of-00001"]


def _read_checkpoint(folder):
    opened = tf.train.load_checkpoint(f"{folder}/model")
    opened.get_variable_to_dtype_map()
    opened.debug_string()
    for name in opened.get_variable_to_shape_map():
        opened.get_tensor(name)


@reader(_index)
def checkpoint_index(folder):
    _read_checkpoint(folder)


@reader(_index, unpacked=table_rows, packed=as_table)
def checkpoint_rows(folder):
    _read_checkpoint(folder)


@reader(_data)
def checkpoint_data(folder):
    _read_checkpoint(folder)


def _restored(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        found = [tf.Variable(v, name=k) for k, v in values().items()]
        tf.train.Saver(found).restore(session, f"{folder}/model")


@reader(_index, unpacked=table_rows, packed=as_table)
def restore_by_name(folder):
    _restored(folder)


def _v1(folder):
    checkpoint_v1.write_slices(
        f"{folder}/model", [(k, np.asarray(v), None) for k, v in values().items()]
    )
    return [folder / "model"]


@reader(_v1)
def checkpoint_v1_file(folder):
    _read_checkpoint(folder)


@reader(_v1, unpacked=table_rows, packed=as_table)
def checkpoint_v1_rows(folder):
    _read_checkpoint(folder)


def _objects():
    model = K.Sequential([K.layers.Dense(2, input_shape=(3,))])
    return model, tf.train.AdamOptimizer()


def _object_checkpoint(folder):
    with dispatch.entered(MODE):
        model, optimizer = _objects()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.ones([1, 3])))
        grads = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(grads, model.variables))
        tf.train.Checkpoint(model=model, optimizer=optimizer).write(f"{folder}/model")
    return [folder / "model.index"]


@eagerly
def _restore_objects(folder):
    model, optimizer = _objects()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    checkpoint.restore(f"{folder}/model")
    model(tf.ones([1, 3]))


@reader(_object_checkpoint, unpacked=table_rows, packed=as_table)
def object_checkpoint(folder):
    _restore_objects(folder)


def _rewritten(folder, key):
    """A checkpoint like that of `folder` with the string of its file `string`."""
    opened = checkpoint_v2.Bundle(f"{folder}/model")
    rows = [(n, opened.read(n), None) for n in opened.entries if n != key]
    value = np.empty((), object)
    value[()] = (folder / "string").read_bytes()
    (folder / "again").mkdir(exist_ok=True)
    checkpoint_v2.write_bundle(f"{folder}/again/model", [*rows, (key, value, None)])
    return folder / "again"


_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def _object_graph(folder):
    _object_checkpoint(folder)
    graph = tf.train.load_checkpoint(f"{folder}/model").get_tensor(_GRAPH_KEY)
    (folder / "string").write_bytes(graph)
    return [folder / "string"]


@reader(_object_graph, names_file=False, message=protos.CheckpointableObjectGraph)
def object_graph(folder):
    _restore_objects(_rewritten(folder, _GRAPH_KEY))


def _pipeline():
    data = tf.data.Dataset.range(20).map(lambda x: (x, tf.as_string(x)))
    return iter(data.shuffle(4, seed=1).batch(3))


_STATE_KEY = "run/.ATTRIBUTES/ITERATOR_STATE"


def _iterator(folder):
    with dispatch.entered(MODE):
        run = _pipeline()
        next(run)
        tf.train.Checkpoint(run=run).write(f"{folder}/model")
    state = tf.train.load_checkpoint(f"{folder}/model").get_tensor(_STATE_KEY)
    (folder / "string").write_bytes(state)
    return [folder / "string"]


@reader(_iterator, names_file=False)
@eagerly
def iterator_state(folder):
    run = _pipeline()
    again = _rewritten(folder, _STATE_KEY)
    tf.train.Checkpoint(run=run).restore(f"{again}/model")
    for _ in run:
        pass


def _state(folder):
    _write_v2(folder)
    return [folder / "checkpoint"]


@reader(_state)
def checkpoint_state(folder):
    tf.train.get_checkpoint_state(str(folder))
    tf.train.latest_checkpoint(str(folder))
