# Saver: checkpoints, import_meta_graph, partial restore, latest, max_to_keep, variables.
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tensorflow

folder = tempfile.mkdtemp()
path = os.path.join(folder, 'model')
rng = np.random.RandomState(2)
data = rng.rand(20, 3).astype(np.float32)


def build():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    with tf.variable_scope('layer1'):
        w = tf.get_variable('w', [3, 4], initializer=tf.random_normal_initializer(seed=1))
        b = tf.get_variable('b', [4], initializer=tf.zeros_initializer())
    with tf.variable_scope('layer2'):
        v = tf.get_variable('v', initializer=np.float32(rng.rand(4, 1)))
    y = tf.matmul(tf.nn.relu(tf.matmul(x, w) + b), v, name='y')
    return x, y


with tf.Graph().as_default():
    x, y = build()
    loss = tf.reduce_mean(tf.square(y - tf.reduce_sum(x, 1, keepdims=True)), name='loss')
    step = tf.Variable(0, name='step', trainable=False)
    train_op = tf.train.AdagradOptimizer(0.3).minimize(loss, step, name='train_op')
    tf.add_to_collection('train_op', train_op)
    saver = tf.train.Saver(max_to_keep=2, keep_checkpoint_every_n_hours=1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(4):
            sess.run(train_op, {x: data})
            saved = saver.save(sess, path, global_step=step)
            print(os.path.basename(saved), '%.5f' % sess.run(loss, {x: data}))
        expected = sess.run(y, {x: data})
    print([os.path.basename(p) for p in saver.last_checkpoints])
print(sorted(os.listdir(folder)))
state = tf.train.get_checkpoint_state(folder)
print(os.path.basename(state.model_checkpoint_path), len(state.all_model_checkpoint_paths))
latest = tf.train.latest_checkpoint(folder)
print(tf.train.checkpoint_exists(latest), tf.train.checkpoint_exists(path + '-1'))

with tf.Graph().as_default(), tf.Session() as sess:
    restored = tf.train.import_meta_graph(latest + '.meta')
    restored.restore(sess, latest)
    graph = tf.get_default_graph()
    x, y = graph.get_tensor_by_name('x:0'), graph.get_tensor_by_name('y:0')
    print(np.allclose(sess.run(y, {x: data}), expected), sess.run('step:0'))
    op = tf.get_collection('train_op')[0]
    sess.run(op, {x: data})
    print('%.5f' % sess.run('loss:0', {x: data}), sess.run('step:0'), op.name)
    print([v.name for v in tf.trainable_variables()])

with tf.Graph().as_default(), tf.Session() as sess:
    x, y = build()
    extra = tf.get_variable('extra', [2], initializer=tf.ones_initializer())
    sess.run(tf.global_variables_initializer())
    to_restore = [v for v in tf.global_variables() if v.op.name.startswith('layer')]
    tf.train.Saver(to_restore).restore(sess, latest)
    print(np.allclose(sess.run(y, {x: data}), expected))
    try:
        tf.train.Saver().restore(sess, latest)
    except tf.errors.NotFoundError as error:
        print('NotFoundError', 'extra' in error.message)
    print(sess.run(tf.report_uninitialized_variables()))
    tf.train.Saver({'renamed': extra}).save(sess, path + '_other', write_meta_graph=False)
with tf.Graph().as_default(), tf.Session() as sess:
    other = tf.get_variable('mine', [4], initializer=tf.zeros_initializer())
    tf.train.init_from_checkpoint(latest, {'layer1/b': other})
    kernel, = tf.contrib.framework.get_variables_to_restore(include=['mine'])
    sess.run(tf.global_variables_initializer())
    print(kernel.op.name, sess.run(other).round(4))
print(tf.train.list_variables(path + '_other'))
reader = pywrap_tensorflow.NewCheckpointReader(latest)
for name, shape in sorted(reader.get_variable_to_shape_map().items()):
    print(name, shape, reader.get_tensor(name).dtype)
print(reader.has_tensor('layer1/w'), tf.train.load_variable(latest, 'step'))
