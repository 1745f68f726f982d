# Moving averages of weights, schedules of the rate, and averages restored in place of weights.
from __future__ import division
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(17)
inputs = rng.randn(32, 5).astype(np.float32)
wanted = np.tanh(inputs.dot(rng.randn(5, 1))).astype(np.float32)
FOLDER = tempfile.mkdtemp()


def model(x):
    init = tf.truncated_normal_initializer(stddev=0.3, seed=2)
    with tf.variable_scope('net', initializer=init):
        hidden = tf.layers.dense(x, 6, tf.nn.softplus, name='hidden')
        return tf.layers.dense(hidden, 1, name='out')


def warm_up(rate, step, warm_steps):
    ratio = tf.minimum(1.0, tf.cast(step + 1, tf.float32) / warm_steps)
    return rate * ratio


def train():
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        step = tf.Variable(0, trainable=False, name='step', dtype=tf.int64)
        out = model(tf.constant(inputs))
        loss = tf.losses.mean_squared_error(wanted, out)
        decayed = tf.train.noisy_linear_cosine_decay(
            0.2, step, 10, initial_variance=0.0, num_periods=0.5, beta=0.01)
        rate = warm_up(tf.maximum(decayed, 0.01), step, 4)
        opt = tf.train.MomentumOptimizer(rate, tf.train.piecewise_constant(
            step, [tf.constant(5, tf.int64)], [0.5, 0.8]), use_nesterov=True)
        apply_op = opt.minimize(loss, global_step=step)
        ema = tf.train.ExponentialMovingAverage(0.9, num_updates=step, zero_debias=False, name='avg')
        other = tf.train.ExponentialMovingAverage(0.5, zero_debias=True)
        with tf.control_dependencies([apply_op]):
            train_op = tf.group(ema.apply(tf.trainable_variables()), other.apply([loss]))
        tf.summary.scalar('rate', rate)
        tf.summary.histogram('weights', tf.trainable_variables()[0])
        print([v.op.name for v in tf.moving_average_variables()][:2], other.average_name(loss))
        print(ema.average_name(tf.trainable_variables()[0]), ema.average(step) is None)
        saver = tf.train.Saver(max_to_keep=2, keep_checkpoint_every_n_hours=1)
        sess.run(tf.global_variables_initializer())
        for _ in range(9):
            _, value, r = sess.run([train_op, loss, rate])
            if sess.run(step) % 3 == 0:
                print('step %d loss %.4f rate %.4f average %.4f' % (
                    sess.run(step), value, r, sess.run(other.average(loss))))
                saver.save(sess, os.path.join(FOLDER, 'model'), step, latest_filename='latest')
        print(sorted(f for f in os.listdir(FOLDER) if f.endswith('.index')),
              [os.path.basename(p) for p in saver.last_checkpoints])
        print(opt.get_slot_names(), len(graph.get_collection('variables')),
              len(tf.model_variables()), tf.GraphKeys.MOVING_AVERAGE_VARIABLES)


def evaluate():
    results = []
    path = tf.train.latest_checkpoint(FOLDER, 'latest')
    for averaged in (False, True):
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [None, 5])
            out = model(x)
            ema = tf.train.ExponentialMovingAverage(0.9, name='avg')
            names = ema.variables_to_restore() if averaged else None
            if averaged:
                print(sorted(names))
            tf.train.Saver(names).restore(sess, path)
            results.append(sess.run(tf.losses.mean_squared_error(wanted, out), {x: inputs}))
    print('weights %.4f averages %.4f' % tuple(results))
    reader = tf.train.NewCheckpointReader(path)
    print(sorted(reader.get_variable_to_shape_map())[:4], reader.has_tensor('step'),
          reader.get_tensor('step'), reader.get_tensor('net/out/bias').round(4))
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph(path + '.meta', clear_devices=True)
        saver.restore(sess, path)
        graph = tf.get_default_graph()
        print(sess.run('step:0'), graph.get_tensor_by_name('net/out/BiasAdd:0').shape)
        swap = [tf.assign(v, graph.get_tensor_by_name(v.op.name + '/avg:0'))
                for v in tf.trainable_variables()]
        sess.run(swap)
        print('swapped %.4f' % sess.run(tf.get_collection(tf.GraphKeys.LOSSES)[0]))
    tf.train.update_checkpoint_state(FOLDER, path, ['old', path])
    state = tf.train.get_checkpoint_state(FOLDER)
    print(os.path.basename(state.model_checkpoint_path), len(state.all_model_checkpoint_paths))


def assigned():
    with tf.Graph().as_default(), tf.Session() as sess:
        mean = tf.get_variable('mean', [2], initializer=tf.zeros_initializer(), trainable=False)
        batch = tf.placeholder(tf.float32, [2])
        from tensorflow.python.training import moving_averages
        update = moving_averages.assign_moving_average(mean, batch, 0.8, zero_debias=True)
        plain = tf.get_variable('plain', [2], initializer=tf.ones_initializer(), trainable=False)
        second = moving_averages.assign_moving_average(plain, batch, 0.8, zero_debias=False)
        weighted = moving_averages.weighted_moving_average(batch, 0.5, tf.constant([1., 3.]))
        sess.run(tf.global_variables_initializer())
        for i in range(3):
            found = sess.run([update, second, weighted], {batch: [i + 1., -i]})
        print(found, sess.run(mean))
        print([v.op.name for v in tf.global_variables()])


train()
evaluate()
assigned()
