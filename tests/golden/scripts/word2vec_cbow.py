# CBOW: the mean of the context predicts a word, by a sampled softmax and Adagrad.
import argparse
import math

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--vocab", type=int, default=60)
parser.add_argument("--dim", type=int, default=24)
parser.add_argument("--window", type=int, default=2)
parser.add_argument("--batch", type=int, default=40)
parser.add_argument("--num_sampled", type=int, default=10)
parser.add_argument("--subsample", type=float, default=2e-2)
args, _ = parser.parse_known_args()

np.random.seed(0)
ranks = np.random.rand(4000)
corpus = np.floor(args.vocab ** ranks).astype(np.int64) - 1  # Zipf, more or less
freqs = np.bincount(corpus, minlength=args.vocab) / float(len(corpus))
drop = 1 - np.sqrt(args.subsample / np.maximum(freqs, 1e-9))
keep = corpus[np.random.rand(len(corpus)) > drop[corpus]]
print("kept %d of %d words" % (len(keep), len(corpus)))


def batches():
    w = args.window
    position = w
    while True:
        context, target = [], []
        for _ in range(args.batch):
            around = list(keep[position - w:position]) + list(keep[position + 1:position + w + 1])
            context.append(around)
            target.append([keep[position]])
            position += 1
            if position + w >= len(keep):
                position = w
        yield np.array(context), np.array(target)


class CBOWModel(object):
    """Continuous bag of words."""

    def __init__(self, args):
        self.args = args
        self.global_step = tf.Variable(0, dtype=tf.int32, trainable=False, name='global_step')
        self._placeholders()
        self._embedding()
        self._loss()
        self._optimizer()

    def _placeholders(self):
        with tf.name_scope("data"):
            self.context = tf.placeholder(tf.int64, [None, 2 * self.args.window], name='context')
            self.target = tf.placeholder(tf.int64, [None, 1], name='target')

    def _embedding(self):
        a = self.args
        with tf.variable_scope("embed"):
            self.embed_matrix = tf.get_variable(
                "matrix", [a.vocab, a.dim], initializer=tf.random_uniform_initializer(-1, 1))
            self.embed = tf.reduce_mean(
                tf.nn.embedding_lookup(self.embed_matrix, self.context), 1, name='mean')

    def _loss(self):
        a = self.args
        with tf.variable_scope("softmax"):
            w = tf.get_variable("w", [a.vocab, a.dim], initializer=tf.truncated_normal_initializer(
                stddev=1.0 / math.sqrt(a.dim)))
            b = tf.get_variable("b", initializer=tf.zeros([a.vocab]))
        sampled = tf.nn.log_uniform_candidate_sampler(
            self.target, 1, a.num_sampled, True, a.vocab, name="negatives")
        self.negatives = sampled.sampled_candidates
        self.loss = tf.reduce_mean(tf.nn.sampled_softmax_loss(
            w, b, self.target, self.embed, a.num_sampled, a.vocab, sampled_values=sampled))
        logits = tf.matmul(self.embed, w, transpose_b=True) + b
        full = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.squeeze(self.target, 1), logits=logits)
        self.perplexity = tf.exp(tf.reduce_mean(full), name="perplexity")
        self.in_top_5 = tf.reduce_mean(tf.to_float(
            tf.nn.in_top_k(logits, tf.squeeze(self.target, [1]), 5)))

    def _optimizer(self):
        rate = tf.train.polynomial_decay(1.0, self.global_step, 100, 0.1, name="rate")
        self.rate = rate
        self.optimizer = tf.train.AdagradOptimizer(rate).minimize(
            self.loss, global_step=self.global_step)


tf.set_random_seed(3)
model = CBOWModel(args)
for v in tf.trainable_variables():
    print(v.op.name, v.shape.as_list())
print(model.embed)
print(model.perplexity)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    total = 0.0
    stream = batches()
    for index in range(100):
        context, target = next(stream)
        feed = {model.context: context, model.target: target}
        loss, negatives, rate, _ = sess.run(
            [model.loss, model.negatives, model.rate, model.optimizer], feed_dict=feed)
        total += loss
        if index < 3:
            print(negatives)
            print('step {}: loss {:.4f} rate {:.3f}'.format(index, loss, rate))
        if (index + 1) % 50 == 0:
            print('Average loss at step {}: {:5.3f}'.format(index, total / 50))
            total = 0.0
    print("perplexity %.2f, top five %.2f" % tuple(
        sess.run([model.perplexity, model.in_top_5], feed)))
