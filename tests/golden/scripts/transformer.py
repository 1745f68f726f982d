# A small Transformer: scaled dot products, positions, label smoothing, Noam's rate.
from __future__ import print_function
import argparse
import logging

import numpy as np
import tensorflow as tf


class Hparams:
    parser = argparse.ArgumentParser()
    parser.add_argument('--batch_size', default=8, type=int)
    parser.add_argument('--lr', default=0.02, type=float, help="learning rate")
    parser.add_argument('--warmup_steps', default=10, type=int)
    parser.add_argument('--d_model', default=16, type=int)
    parser.add_argument('--d_ff', default=32, type=int)
    parser.add_argument('--num_blocks', default=2, type=int)
    parser.add_argument('--num_heads', default=4, type=int)
    parser.add_argument('--maxlen', default=7, type=int)
    parser.add_argument('--vocab', default=12, type=int)
    parser.add_argument('--dropout_rate', default=0.1, type=float)
    parser.add_argument('--smoothing', default=0.1, type=float)


def ln(inputs, epsilon=1e-8, scope="ln"):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        params_shape = inputs.get_shape()[-1:]
        mean, variance = tf.nn.moments(inputs, [-1], keep_dims=True)
        beta = tf.get_variable("beta", params_shape, initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", params_shape, initializer=tf.ones_initializer())
        return gamma * ((inputs - mean) / ((variance + epsilon) ** (.5))) + beta


def mask(inputs, key_masks=None, type=None):
    padding_num = -2 ** 32 + 1
    if type in ("k", "key", "keys"):
        key_masks = tf.to_float(key_masks)
        key_masks = tf.tile(key_masks, [tf.shape(inputs)[0] // tf.shape(key_masks)[0], 1])
        key_masks = tf.expand_dims(key_masks, 1)
        outputs = inputs + key_masks * padding_num
    elif type in ("f", "future", "right"):
        diag_vals = tf.ones_like(inputs[0, :, :])
        tril = tf.linalg.LinearOperatorLowerTriangular(diag_vals).to_dense()
        future_masks = tf.tile(tf.expand_dims(tril, 0), [tf.shape(inputs)[0], 1, 1])
        paddings = tf.ones_like(future_masks) * padding_num
        outputs = tf.where(tf.equal(future_masks, 0), paddings, inputs)
    else:
        raise ValueError("Check if you entered type correctly!")
    return outputs


def scaled_dot_product_attention(Q, K, V, key_masks, causality=False, dropout_rate=0.,
                                 training=True, scope="scaled_dot_product_attention"):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        d_k = Q.get_shape().as_list()[-1]
        outputs = tf.matmul(Q, tf.transpose(K, [0, 2, 1]))
        outputs /= d_k ** 0.5
        outputs = mask(outputs, key_masks=key_masks, type="key")
        if causality:
            outputs = mask(outputs, type="future")
        outputs = tf.nn.softmax(outputs)
        attention = tf.transpose(outputs, [0, 2, 1])
        tf.summary.image("attention", tf.expand_dims(attention[:1], -1))
        outputs = tf.layers.dropout(outputs, rate=dropout_rate, training=training)
        return tf.matmul(outputs, V)


def multihead_attention(queries, keys, values, key_masks, num_heads=8, dropout_rate=0,
                        training=True, causality=False, scope="multihead_attention"):
    d_model = queries.get_shape().as_list()[-1]
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        Q = tf.layers.dense(queries, d_model, use_bias=True)
        K = tf.layers.dense(keys, d_model, use_bias=True)
        V = tf.layers.dense(values, d_model, use_bias=True)
        Q_, K_, V_ = [tf.concat(tf.split(x, num_heads, axis=2), axis=0) for x in (Q, K, V)]
        outputs = scaled_dot_product_attention(Q_, K_, V_, key_masks, causality, dropout_rate, training)
        outputs = tf.concat(tf.split(outputs, num_heads, axis=0), axis=2)
        outputs += queries
        return ln(outputs)


def ff(inputs, num_units, scope="positionwise_feedforward"):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        outputs = tf.layers.dense(inputs, num_units[0], activation=tf.nn.relu)
        outputs = tf.layers.dense(outputs, num_units[1])
        outputs += inputs
        return ln(outputs)


def label_smoothing(inputs, epsilon=0.1):
    V = inputs.get_shape().as_list()[-1]
    return ((1 - epsilon) * inputs) + (epsilon / V)


def positional_encoding(inputs, maxlen, scope="positional_encoding"):
    E = inputs.get_shape().as_list()[-1]
    N, T = tf.shape(inputs)[0], tf.shape(inputs)[1]
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        position_ind = tf.tile(tf.expand_dims(tf.range(T), 0), [N, 1])
        position_enc = np.array([[pos / np.power(10000, (i - i % 2) / E) for i in range(E)]
                                 for pos in range(maxlen)])
        position_enc[:, 0::2] = np.sin(position_enc[:, 0::2])
        position_enc[:, 1::2] = np.cos(position_enc[:, 1::2])
        position_enc = tf.convert_to_tensor(position_enc, tf.float32)
        return tf.to_float(tf.nn.embedding_lookup(position_enc, position_ind))


def noam_scheme(init_lr, global_step, warmup_steps=4000.):
    step = tf.cast(global_step + 1, dtype=tf.float32)
    return init_lr * warmup_steps ** 0.5 * tf.minimum(step * warmup_steps ** -1.5, step ** -0.5)


class Transformer:
    def __init__(self, hp):
        self.hp = hp
        with tf.variable_scope("embeddings"):
            table = tf.get_variable("weight_mat", dtype=tf.float32, shape=(hp.vocab, hp.d_model),
                                    initializer=tf.contrib.layers.xavier_initializer())
            self.embeddings = tf.concat((tf.zeros(shape=[1, hp.d_model]), table[1:, :]), 0)

    def encode_or_decode(self, x, scope, training, memory=None, memory_masks=None):
        hp = self.hp
        with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
            masks = tf.math.equal(x, 0)
            y = tf.nn.embedding_lookup(self.embeddings, x) * hp.d_model ** 0.5
            y += positional_encoding(y, hp.maxlen)
            y = tf.layers.dropout(y, hp.dropout_rate, training=training)
            for i in range(hp.num_blocks):
                with tf.variable_scope("num_blocks_{}".format(i), reuse=tf.AUTO_REUSE):
                    y = multihead_attention(y, y, y, masks, hp.num_heads, hp.dropout_rate, training,
                                            causality=memory is not None, scope="self_attention")
                    if memory is not None:
                        y = multihead_attention(y, memory, memory, memory_masks, hp.num_heads,
                                                hp.dropout_rate, training, scope="vanilla_attention")
                    y = ff(y, num_units=[hp.d_ff, hp.d_model])
            return y, masks

    def train(self, x, decoder_inputs, y):
        hp = self.hp
        memory, src_masks = self.encode_or_decode(x, "encoder", True)
        dec, _ = self.encode_or_decode(decoder_inputs, "decoder", True, memory, src_masks)
        weights = tf.transpose(self.embeddings)
        logits = tf.einsum('ntd,dk->ntk', dec, weights)
        y_ = label_smoothing(tf.one_hot(y, depth=hp.vocab), hp.smoothing)
        ce = tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y_)
        nonpadding = tf.to_float(tf.not_equal(y, 0))
        loss = tf.reduce_sum(ce * nonpadding) / (tf.reduce_sum(nonpadding) + 1e-7)
        global_step = tf.train.get_or_create_global_step()
        lr = noam_scheme(hp.lr, global_step, hp.warmup_steps)
        train_op = tf.train.AdamOptimizer(lr, 0.9, 0.98, 1e-9).minimize(loss, global_step=global_step)
        tf.summary.scalar('lr', lr)
        return loss, train_op, global_step, lr, logits


hp = Hparams.parser.parse_known_args([])[0]
logging.basicConfig(level=logging.WARNING)
rng = np.random.RandomState(6)
tf.set_random_seed(66)
xs = tf.placeholder(tf.int32, [hp.batch_size, hp.maxlen])
dec = tf.placeholder(tf.int32, [hp.batch_size, hp.maxlen])
ys = tf.placeholder(tf.int32, [hp.batch_size, hp.maxlen])
loss, train_op, global_step, lr, logits = Transformer(hp).train(xs, dec, ys)
total = sum(int(np.prod(v.shape.as_list())) for v in tf.trainable_variables())
print(len(tf.trainable_variables()), "variables,", total, "parameters")
for v in tf.trainable_variables()[:10]:
    print(v.name, v.shape.as_list())
print(logits.shape, logits.dtype)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(30):
        x = 3 + rng.randint(hp.vocab - 3, size=(hp.batch_size, hp.maxlen))
        x[:, -1] = 0
        y = x[:, ::-1].copy()
        shifted = np.concatenate([np.full((hp.batch_size, 1), 2), y[:, :-1]], 1)
        l, step, rate, _ = sess.run([loss, global_step, lr, train_op], {xs: x, dec: shifted, ys: y})
        if step < 3:
            print("step %d: loss %.4f, rate %.5f" % (step, l, rate))
    print("last loss %.1f, rate %.5f" % (l, rate))
