# Attention with label smoothing, a warm-up schedule, and beam search in a while_loop.
import numpy as np
import tensorflow as tf

VOCAB, DIM, HEADS, LENGTH, BEAM, EOS, ALPHA = 9, 8, 2, 6, 3, 1, 0.6


def positional_encoding(length, dim):
    position = tf.to_float(tf.range(length))
    scale = tf.exp(tf.to_float(tf.range(dim // 2)) * -(np.log(10000.0) / (dim // 2 - 1)))
    angles = tf.expand_dims(position, 1) * tf.expand_dims(scale, 0)
    return tf.concat([tf.sin(angles), tf.cos(angles)], 1)


def layer_norm(x, epsilon=1e-6):
    with tf.variable_scope(None, default_name='layer_norm'):
        scale = tf.get_variable('scale', [DIM], initializer=tf.ones_initializer())
        bias = tf.get_variable('bias', [DIM], initializer=tf.zeros_initializer())
        mean = tf.reduce_mean(x, axis=[-1], keepdims=True)
        variance = tf.reduce_mean(tf.square(x - mean), axis=[-1], keepdims=True)
        return (x - mean) * tf.rsqrt(variance + epsilon) * scale + bias


def split_heads(x):
    return tf.transpose(tf.reshape(x, [tf.shape(x)[0], -1, HEADS, DIM // HEADS]), [0, 2, 1, 3])


def attention(query, memory, bias, name):
    with tf.variable_scope(name):
        q, k, v = [tf.layers.dense(t, DIM, use_bias=False, name=n) for t, n in ((query, 'q'), (memory, 'k'), (memory, 'v'))]
        logits = tf.matmul(split_heads(q) * (DIM // HEADS) ** -0.5, split_heads(k), transpose_b=True)
        weights = tf.nn.softmax(logits + bias, name='weights')
        x = tf.transpose(tf.matmul(weights, split_heads(v)), [0, 2, 1, 3])
        return tf.layers.dense(tf.reshape(x, [tf.shape(x)[0], -1, DIM]), DIM, use_bias=False, name='out')


class Model(object):

    def __init__(self):
        with tf.variable_scope('embedding'):
            self.table = tf.get_variable('table', [VOCAB, DIM], initializer=tf.random_normal_initializer(0.0, DIM ** -0.5))

    def embed(self, ids):
        mask = tf.to_float(tf.not_equal(ids, 0))
        x = tf.gather(self.table, ids) * tf.expand_dims(mask, -1) * DIM ** 0.5
        return x + positional_encoding(tf.shape(ids)[1], DIM)

    def encode(self, ids):
        bias = tf.expand_dims(tf.expand_dims(tf.to_float(tf.equal(ids, 0)) * -1e9, 1), 1)
        with tf.variable_scope('encoder', reuse=tf.AUTO_REUSE):
            x = self.embed(ids)
            x = layer_norm(x + attention(x, x, bias, 'self'))
            return layer_norm(x + tf.layers.dense(tf.layers.dense(x, 12, tf.nn.relu, name='f1'), DIM, name='f2')), bias

    def decode(self, ids, memory, bias):
        length = tf.shape(ids)[1]
        future = tf.expand_dims(tf.expand_dims((1.0 - tf.matrix_band_part(tf.ones([length, length]), -1, 0)) * -1e9, 0), 0)
        with tf.variable_scope('decoder', reuse=tf.AUTO_REUSE):
            x = self.embed(ids)
            x = layer_norm(x + attention(x, x, future, 'self'))
            x = layer_norm(x + attention(x, memory, bias, 'cross'))
            return tf.tensordot(x, self.table, [[2], [1]])

    def loss(self, sources, targets, smoothing=0.1):
        shifted = tf.pad(targets, [[0, 0], [1, 0]])[:, :-1]
        logits = self.decode(shifted, *self.encode(sources))
        low = smoothing / (VOCAB - 1)
        soft = tf.one_hot(targets, VOCAB, on_value=1.0 - smoothing, off_value=low)
        xent = tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=soft)
        xent -= -((1.0 - smoothing) * np.log(1.0 - smoothing) + (VOCAB - 1) * low * np.log(low + 1e-20))
        weights = tf.to_float(tf.not_equal(targets, 0))
        return tf.reduce_sum(xent * weights) / tf.reduce_sum(weights), logits

    def beam_search(self, sources):
        memory, bias = self.encode(sources)
        batch = tf.shape(sources)[0]
        tile = lambda t: tf.contrib.seq2seq.tile_batch(t, BEAM)
        memory, bias = tile(memory), tile(bias)

        def body(i, alive, log_probs, finished):
            logits = self.decode(tf.reshape(alive, [batch * BEAM, -1]), memory, bias)[:, -1]
            step = tf.reshape(tf.nn.log_softmax(logits), [batch, BEAM, VOCAB])
            only_pad = tf.one_hot(0, VOCAB, on_value=0.0, off_value=-1e9)
            step = tf.where(tf.tile(finished[..., None], [1, 1, VOCAB]), tf.zeros_like(step) + only_pad, step)
            scores = tf.reshape(log_probs[..., None] + step, [batch, BEAM * VOCAB])
            log_probs, places = tf.nn.top_k(scores, BEAM)
            beams, ids = places // VOCAB, places % VOCAB
            rows = tf.stack([tf.tile(tf.range(batch)[:, None], [1, BEAM]), beams], -1)
            alive = tf.concat([tf.gather_nd(alive, rows), ids[..., None]], 2)
            return i + 1, alive, log_probs, tf.logical_or(tf.gather_nd(finished, rows), tf.equal(ids, EOS))

        start = tf.concat([tf.zeros([1]), tf.fill([BEAM - 1], -1e9)], 0)
        state = (0, tf.zeros([batch, BEAM, 1], tf.int32), tf.tile(start[None], [batch, 1]), tf.zeros([batch, BEAM], tf.bool))
        invariants = (tf.TensorShape([]), tf.TensorShape([None, BEAM, None]), tf.TensorShape([None, BEAM]), tf.TensorShape([None, BEAM]))
        _, alive, log_probs, done = tf.while_loop(
            lambda i, a, l, f: tf.logical_and(i < LENGTH, tf.logical_not(tf.reduce_all(f))), body, state,
            shape_invariants=invariants, back_prop=False)
        lengths = tf.reduce_sum(tf.to_float(tf.not_equal(alive, 0)), -1)
        return alive[:, :, 1:], log_probs / tf.pow((5.0 + lengths) / 6.0, ALPHA), done


def schedule(step, warmup=8.0):
    step = tf.to_float(step + 1)
    return tf.multiply(2.0 * DIM ** -0.5, tf.minimum(step ** -0.5, step * warmup ** -1.5), name='rate')


rng = np.random.RandomState(4)
x_data = rng.randint(2, VOCAB, [24, 5])
y_data = np.concatenate([x_data[:, ::-1], np.full([24, 1], EOS)], 1)
tf.set_random_seed(4)
with tf.variable_scope('transformer', initializer=tf.variance_scaling_initializer(1.0, mode='fan_avg', distribution='uniform')):
    model = Model()
    loss, logits = model.loss(tf.constant(x_data, tf.int32), tf.constant(y_data, tf.int32))
    sequences, scores, done = model.beam_search(tf.constant(x_data[:2], tf.int32))
step = tf.train.get_or_create_global_step()
rate = schedule(step)
optimizer = tf.train.AdamOptimizer(rate, beta2=0.98, epsilon=1e-9)
train = optimizer.minimize(loss, global_step=step, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)
saver = tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V2, pad_step_number=True)
for t in (loss, logits, sequences, scores, done, rate):
    print(t)
print(len(tf.trainable_variables()), [v.op.name for v in tf.trainable_variables() if 'norm' in v.name])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(13):
        value, r, _ = sess.run([loss, rate, train])
        if i % 4 == 0:
            print('%d %.5f %.5f' % (i, value, r))
    s, best, f = sess.run([sequences, scores, done])
    print(s.shape, s[0].tolist(), best.round(3), f[0])
    path = saver.save(sess, './sharded', step)
    values = dict(tf.train.list_variables(path))
    print(path)
    print(len(values), values['transformer/embedding/table'])
