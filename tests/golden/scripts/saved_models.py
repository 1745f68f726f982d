# SavedModels: simple_save, a builder with signatures and assets, loader, contrib.predictor.
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib import predictor
from tensorflow.python.saved_model import builder as saved_model_builder
from tensorflow.python.saved_model import signature_constants, signature_def_utils, tag_constants
from tensorflow.python.saved_model.utils import build_tensor_info

tf.logging.set_verbosity(tf.logging.ERROR)
FOLDER = tempfile.mkdtemp()
SIMPLE, FULL = os.path.join(FOLDER, 'simple'), os.path.join(FOLDER, 'full')
rng = np.random.RandomState(31)
batch = rng.randn(4, 3).astype(np.float32)


def save_simple():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 3], name='x')
        init = tf.constant_initializer(rng.randn(3, 2))
        w = tf.get_variable('w', [3, 2], initializer=init)
        y = tf.nn.softmax(tf.matmul(x, w), name='y')
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, SIMPLE, inputs={'x': x}, outputs={'y': y, 'w': w})
        return sess.run(y, {x: batch})


def describe(info):
    return info.name, tf.as_dtype(info.dtype).name, [d.size for d in info.tensor_shape.dim]


def load_simple(expected):
    with tf.Session(graph=tf.Graph()) as sess:
        meta = tf.saved_model.loader.load(sess, [tf.saved_model.tag_constants.SERVING], SIMPLE)
        signature = meta.signature_def['serving_default']
        print(sorted(meta.signature_def), signature.method_name)
        for kind in (signature.inputs, signature.outputs):
            print(sorted((k, describe(kind[k])) for k in kind))
        found = sess.run(signature.outputs['y'].name, {signature.inputs['x'].name: batch})
        print(np.allclose(found, expected), found.round(4)[0], list(meta.meta_info_def.tags))
        print([v.name for v in tf.global_variables()], len(tf.trainable_variables()))
    print(sorted(os.listdir(SIMPLE)), sorted(os.listdir(os.path.join(SIMPLE, 'variables'))))
    print(tf.saved_model.loader.maybe_saved_model_directory(SIMPLE),
          tf.saved_model.maybe_saved_model_directory(FOLDER))
    try:
        with tf.Session(graph=tf.Graph()) as sess:
            tf.saved_model.loader.load(sess, ['gpu'], SIMPLE)
    except RuntimeError as error:
        print(str(error).split('.')[0].replace(FOLDER, ''))
    try:
        tf.saved_model.loader.load(None, ['serve'], os.path.join(FOLDER, 'nowhere'))
    except (IOError, OSError) as error:
        print(type(error).__name__, str(error).split(':')[0].replace(FOLDER, ''))


def save_full():
    words = os.path.join(FOLDER, 'words.txt')
    with open(words, 'w') as f:
        f.write('red\ngreen\nblue\n')
    builder = saved_model_builder.SavedModelBuilder(FULL)
    with tf.Graph().as_default(), tf.Session() as sess:
        serialized = tf.placeholder(tf.string, name='tf_example')
        parsed = tf.parse_example(serialized, {'x': tf.FixedLenFeature([2], tf.float32)})
        x = tf.identity(parsed['x'], name='x')
        asset = tf.constant(words)
        tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, asset)
        table = tf.contrib.lookup.index_to_string_table_from_file(asset, default_value='none')
        scale = tf.Variable([[1., 0., -1.], [0.5, 2., 0.]], name='scale')
        scores, ids = tf.nn.top_k(tf.matmul(x, scale), 2)
        classes = table.lookup(tf.to_int64(ids))
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        classify = signature_def_utils.build_signature_def(
            {signature_constants.CLASSIFY_INPUTS: build_tensor_info(serialized)},
            {signature_constants.CLASSIFY_OUTPUT_CLASSES: build_tensor_info(classes),
             signature_constants.CLASSIFY_OUTPUT_SCORES: build_tensor_info(scores)},
            signature_constants.CLASSIFY_METHOD_NAME)
        predict = tf.saved_model.signature_def_utils.predict_signature_def(
            inputs={'images': x}, outputs={'scores': scores, 'classes': classes})
        regress = tf.saved_model.signature_def_utils.regression_signature_def(serialized, scores[:, 0])
        builder.add_meta_graph_and_variables(
            sess, [tag_constants.SERVING],
            signature_def_map={'predict': predict, 'regress': regress,
                               signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: classify},
            assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
            legacy_init_op=tf.tables_initializer(), clear_devices=True)
        print(signature_def_utils.is_valid_signature(classify), regress.method_name)
    with tf.Graph().as_default(), tf.Session() as sess:
        extra = tf.Variable([[1., 0., -1.], [0.5, 2., 0.]], name='scale')
        sess.run(extra.initializer)
        builder.add_meta_graph(['extra', 'train'])
    path = builder.save(as_text=True)
    print(os.path.basename(path.decode()), os.listdir(os.path.join(FULL, 'assets')))


def example(values):
    feature = {'x': tf.train.Feature(float_list=tf.train.FloatList(value=values))}
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def load_full():
    os.remove(os.path.join(FOLDER, 'words.txt'))
    with tf.Session(graph=tf.Graph()) as sess:
        meta = tf.saved_model.loader.load(sess, ['serve'], FULL)
        default = meta.signature_def[signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY]
        names = [default.outputs[k].name for k in ('classes', 'scores')]
        print(sess.run(names, {'tf_example:0': [example([1., 2.]), example([-1., 0.])]}))
        print(sorted((k, v.method_name.split('/')[-1]) for k, v in meta.signature_def.items()))
        print([os.path.basename(t.eval().decode()) for t in tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)])
    predict = predictor.from_saved_model(FULL, signature_def_key='predict')
    found = predict({'images': [[1., 2.]]})
    print(sorted(found), found['classes'], found['scores'], sorted(predict.feed_tensors))
    default = predictor.from_saved_model(FULL)
    print(default({'inputs': [example([0., 1.])]})['classes'], default.graph is predict.graph)
    named = predictor.from_saved_model(FULL, input_names={'a': 'x:0'}, output_names={'b': 'TopKV2:0'}, tags='serve')
    print(named({'a': [[3., 1.]]}))
    try:
        predictor.from_saved_model(FULL, signature_def_key='nothing')
    except ValueError as error:
        print(str(error).split('.')[0])


load_simple(save_simple())
save_full()
load_full()
