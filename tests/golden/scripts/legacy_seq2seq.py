# Reverses digits with tf.contrib.legacy_seq2seq: buckets of encoder and decoder inputs.
from __future__ import print_function
import numpy as np
import tensorflow as tf
from tensorflow.contrib import legacy_seq2seq as seq2seq

tf.set_random_seed(2)
rng = np.random.RandomState(2)
SYMBOLS, SIZE, BATCH = 8, 16, 16
GO, PAD = 0, 1
BUCKETS = [(3, 4), (5, 6)]

encoder_inputs = [tf.placeholder(tf.int32, [None], name="encoder%d" % i) for i in range(5)]
decoder_inputs = [tf.placeholder(tf.int32, [None], name="decoder%d" % i) for i in range(7)]
weights = [tf.placeholder(tf.float32, [None], name="weight%d" % i) for i in range(7)]
targets = [decoder_inputs[i + 1] for i in range(len(decoder_inputs) - 1)]
feed_previous = tf.placeholder(tf.bool, [], name="feed_previous")


def seq2seq_f(encoder, decoder):
    cell = tf.contrib.rnn.GRUCell(SIZE)
    return seq2seq.embedding_attention_seq2seq(
        encoder, decoder, cell, num_encoder_symbols=SYMBOLS, num_decoder_symbols=SYMBOLS,
        embedding_size=6, feed_previous=feed_previous)


outputs, losses = seq2seq.model_with_buckets(
    encoder_inputs, decoder_inputs[:6], targets, weights, BUCKETS, seq2seq_f)
print([len(o) for o in outputs], [l.name for l in losses])

params = tf.trainable_variables()
for p in params:
    print(p.name, p.shape)
optimizer = tf.train.AdamOptimizer(0.02)
updates, norms = [], []
for loss in losses:
    clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, params), 5.0)
    norms.append(norm)
    updates.append(optimizer.apply_gradients(zip(clipped, params)))


def get_batch(bucket):
    encoder_size, decoder_size = BUCKETS[bucket]
    feed = {}
    enc = np.full((BATCH, encoder_size), PAD)
    dec = np.full((BATCH, decoder_size + 1), PAD)
    w = np.zeros((BATCH, decoder_size))
    for row in range(BATCH):
        n = encoder_size - 1 + rng.randint(2)
        numbers = 2 + rng.randint(SYMBOLS - 2, size=n)
        enc[row, encoder_size - n:] = numbers[::-1]
        dec[row, 0] = GO
        dec[row, 1:n + 1] = numbers[::-1]
        w[row, :n] = 1
    for i in range(encoder_size):
        feed[encoder_inputs[i].name] = enc[:, i]
    for i in range(decoder_size):
        feed[decoder_inputs[i].name] = dec[:, i]
        feed[weights[i].name] = w[:, i]
    feed[decoder_inputs[decoder_size].name] = dec[:, decoder_size]
    return feed, dec, w


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(60):
        bucket = step % 2
        feed, _, _ = get_batch(bucket)
        feed[feed_previous.name] = False
        loss, norm, _ = sess.run([losses[bucket], norms[bucket], updates[bucket]], feed)
        if step < 4:
            print("step %d, bucket %d: loss %.5f, norm %.2f" % (step, bucket, loss, norm))
        elif step % 20 == 19:
            print("step %d, bucket %d: loss %.2f" % (step, bucket, loss))
    feed, dec, w = get_batch(0)
    feed[feed_previous.name] = True
    logits, loss = sess.run([outputs[0], losses[0]], feed)
    found = np.stack([np.argmax(l, 1) for l in logits], 1)
    right = ((found == dec[:, 1:]) * w).sum() / w.sum()
    print("greedy: loss %.1f, shape %s" % (loss, found.shape), right > 0.3)
