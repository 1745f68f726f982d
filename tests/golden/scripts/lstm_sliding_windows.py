# Time series forecasts: sliding windows, stacked LSTM cells with dropout and residuals.
from __future__ import absolute_import, division, print_function

import collections

import numpy as np
import tensorflow as tf

Config = collections.namedtuple('Config', 'window horizon units layers keep_prob max_grad_norm')
CONFIG = Config(window=10, horizon=2, units=6, layers=3, keep_prob=0.9, max_grad_norm=1.0)


def make_series(n=120):
    t = np.arange(n)
    rng = np.random.RandomState(0)
    series = np.sin(t / 5.0) + 0.3 * np.cos(t / 2.0) + 0.05 * rng.randn(n)
    return ((series - series.mean()) / series.std()).astype(np.float32)


def windows(series, config, shift=3):
    size = config.window + config.horizon
    dataset = tf.data.Dataset.from_tensor_slices(series)
    dataset = dataset.apply(tf.contrib.data.sliding_window_batch(window_size=size, window_shift=shift))
    dataset = dataset.map(lambda w: (w[:config.window, tf.newaxis], w[config.window:]))
    return dataset.apply(tf.contrib.data.batch_and_drop_remainder(8))


def lstm_cell(config, layer, training):
    cell = tf.nn.rnn_cell.LSTMCell(
        config.units, use_peepholes=True, cell_clip=3.0, initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=layer),
        num_proj=None, forget_bias=1.0 - 0.1 * layer, name='lstm_%d' % layer)
    if layer > 0:
        cell = tf.nn.rnn_cell.ResidualWrapper(cell)
    if training:
        cell = tf.nn.rnn_cell.DropoutWrapper(
            cell, output_keep_prob=config.keep_prob, state_keep_prob=0.95, variational_recurrent=True,
            input_size=tf.TensorShape([1 if layer == 0 else config.units]), dtype=tf.float32, seed=10 + layer)
    return cell


def model(x, y, config, training):
    with tf.variable_scope('model', reuse=tf.AUTO_REUSE):
        cells = [lstm_cell(config, i, training) for i in range(config.layers)]
        stacked = tf.nn.rnn_cell.MultiRNNCell(cells, state_is_tuple=True)
        state = stacked.zero_state(tf.shape(x)[0], tf.float32)
        time_major = tf.transpose(x, [1, 0, 2])
        outputs, final = tf.nn.dynamic_rnn(
            stacked, time_major, sequence_length=None, initial_state=state, time_major=True, swap_memory=True)
        top = tf.concat([outputs[-1], final[-1].c], axis=-1)
        w = tf.get_variable('w', [2 * config.units, config.horizon],
                            initializer=tf.initializers.variance_scaling(mode='fan_avg', seed=4))
        b = tf.get_variable('b', [config.horizon], initializer=tf.zeros_initializer)
        forecast = tf.nn.xw_plus_b(top, w, b, name='forecast')
    loss = tf.losses.huber_loss(y, forecast, delta=0.8)
    return forecast, final, loss


tf.reset_default_graph()
tf.set_random_seed(30)
series = make_series()
train_data = windows(series[:90], CONFIG).repeat()
test_data = windows(series[90:], CONFIG, shift=1)
print(train_data.output_types, train_data.output_shapes, test_data.output_shapes)

handle = tf.placeholder(tf.string, [])
iterator = tf.data.Iterator.from_string_handle(handle, train_data.output_types, train_data.output_shapes)
x, y = iterator.get_next(name='window')
forecast, final, loss = model(x, y, CONFIG, training=True)
eval_forecast, eval_final, eval_loss = model(x, y, CONFIG, training=False)
print(type(final).__name__, len(final), type(final[0]).__name__, final[0].c.name, final[-1].h.dtype)
print(forecast.name, eval_forecast.name, loss.name, eval_loss.name)
for v in tf.trainable_variables():
    print('%-30s %s' % (v.name, v.shape))

step = tf.Variable(0, name='step', trainable=False, dtype=tf.int64)
rate = tf.train.piecewise_constant(step, [6, 12], [0.05, 0.02, 0.01])
params = tf.trainable_variables()
grads, norm = tf.clip_by_global_norm(tf.gradients(loss, params), CONFIG.max_grad_norm)
optimizer = tf.train.AdamOptimizer(rate)
train = optimizer.apply_gradients(zip(grads, params), global_step=step)
average = tf.train.ExponentialMovingAverage(0.8, num_updates=step)
with tf.control_dependencies([train]):
    train = average.apply(params)
mape = tf.reduce_mean(tf.abs(tf.divide(eval_forecast - y, tf.maximum(tf.abs(y), 0.1))))
mae, mae_op = tf.metrics.mean_absolute_error(y, eval_forecast)
rmse, rmse_op = tf.metrics.root_mean_squared_error(y, eval_forecast)
cosine, cosine_op = tf.metrics.mean_cosine_distance(
    tf.nn.l2_normalize(y, 1), tf.nn.l2_normalize(eval_forecast, 1), dim=1)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    train_iterator = train_data.make_one_shot_iterator()
    test_iterator = test_data.make_initializable_iterator()
    train_handle, test_handle = sess.run([train_iterator.string_handle(), test_iterator.string_handle()])
    for i in range(16):
        values = sess.run([train, loss, norm, rate], {handle: train_handle})
        if i % 5 == 0:
            print('%2d loss %.5f norm %.4f rate %.3f' % ((i,) + tuple(values[1:])))
    sess.run(test_iterator.initializer)
    while True:
        try:
            last, _, _, _, m = sess.run([eval_forecast, mae_op, rmse_op, cosine_op, mape], {handle: test_handle})
            print('batch', last.shape, '%.3f' % m)
        except tf.errors.OutOfRangeError as e:
            print(type(e).__name__, e.message.split('\n')[0][:60])
            break
    print('mae %.4f rmse %.4f cosine %.4f' % tuple(sess.run([mae, rmse, cosine])))
    w = [v for v in params if v.op.name == 'model/w'][0]
    print(average.average_name(w), sess.run(average.average(w)).shape)
    restored = average.variables_to_restore()
    print(len(restored), sorted(restored)[0])
