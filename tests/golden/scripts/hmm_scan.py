# A hidden Markov model: forward, backward, Viterbi and EM steps with tf.scan.
import numpy as np
import tensorflow as tf


class HiddenMarkovModel(object):

    def __init__(self, initial, transition, emission):
        self.states = initial.shape[0]
        self.symbols = emission.shape[1]
        self.p0 = tf.Variable(initial, dtype=tf.float64, name='p0')
        self.T = tf.Variable(transition, dtype=tf.float64, name='T')
        self.E = tf.Variable(emission, dtype=tf.float64, name='E')
        self.obs = tf.placeholder(tf.int32, [None], name='obs')
        self.emitted = tf.gather(tf.transpose(self.E), self.obs, name='emitted')

    def forward(self):
        def step(previous, emitted):
            alpha, _ = previous
            alpha = tf.squeeze(tf.matmul(alpha[None, :], self.T), 0) * emitted
            scale = tf.reduce_sum(alpha)
            return alpha / scale, scale

        first = self.p0 * self.emitted[0]
        scale = tf.reduce_sum(first)
        alphas, scales = tf.scan(step, self.emitted[1:], (first / scale, scale), name='forward')
        alphas = tf.concat([[first / scale], alphas], 0)
        scales = tf.concat([[scale], scales], 0)
        return alphas, scales

    def backward(self, scales):
        def step(beta, inputs):
            emitted, scale = inputs
            return tf.einsum('ij,j->i', self.T, emitted * beta) / scale

        last = tf.ones([self.states], tf.float64)
        betas = tf.scan(step, (self.emitted[1:], scales[1:]), last, reverse=True, name='backward')
        return tf.concat([betas, [last]], 0)

    def viterbi(self):
        log_t, log_e = tf.log(self.T), tf.log(self.emitted)

        def forward(previous, emitted):
            score, _ = previous
            paths = score[:, None] + log_t
            return tf.reduce_max(paths, 0) + emitted, tf.argmax(paths, 0, output_type=tf.int32)

        start = (tf.log(self.p0) + log_e[0], tf.zeros([self.states], tf.int32))
        scores, pointers = tf.scan(forward, log_e[1:], start, back_prop=False, name='viterbi')
        last = tf.argmax(scores[-1], output_type=tf.int32)
        path = tf.scan(lambda s, p: p[s], pointers, last, reverse=True, name='backtrack')
        return tf.concat([path, [last]], 0), tf.reduce_max(scores[-1])

    def baum_welch(self, alphas, betas, scales):
        gamma = alphas * betas
        pairs = (alphas[:-1, :, None] * self.T[None] *
                 (self.emitted[1:] * betas[1:] / scales[1:, None])[:, None, :])
        new_t = tf.reduce_sum(pairs, 0) / tf.reduce_sum(gamma[:-1], 0)[:, None]
        counts = tf.unsorted_segment_sum(gamma, self.obs, self.symbols)
        new_e = tf.transpose(counts) / tf.reduce_sum(gamma, 0)[:, None]
        with tf.control_dependencies([new_t, new_e, gamma]):
            return tf.group(self.p0.assign(gamma[0]), self.T.assign(new_t), self.E.assign(new_e))


rng = np.random.RandomState(2)
true_T = np.array([[0.9, 0.1], [0.2, 0.8]])
true_E = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
state, hidden, seen = 0, [], []
for _ in range(40):
    hidden.append(state)
    seen.append(rng.choice(3, p=true_E[state]))
    state = rng.choice(2, p=true_T[state])
T = rng.dirichlet([2, 1], 2)
model = HiddenMarkovModel(np.array([0.5, 0.5]), T, np.array([[0.4, 0.4, 0.2], [0.2, 0.3, 0.5]]))
alphas, scales = model.forward()
betas = model.backward(scales)
path, score = model.viterbi()
update = model.baum_welch(alphas, betas, scales)
log_likelihood = tf.reduce_sum(tf.log(scales), name='log_likelihood')
slope = tf.gradients(log_likelihood, [model.T, model.E])
for t in [alphas, scales, betas, path, score, log_likelihood]:
    print(t)
print(update.name, update.type, [(g.shape, g.dtype) for g in slope])

sess = tf.Session()
sess.run(tf.global_variables_initializer())
feed = {model.obs: seen}
a, b, c = sess.run([alphas, betas, scales], feed)
print(a.shape, b.shape, c.shape, np.allclose((a * b).sum(1), 1))
print(a[:3].round(5), b[:2].round(5))
for i in range(8):
    print('EM %d  %.5f' % (i, sess.run(log_likelihood, feed)))
    sess.run(update, feed)
print(sess.run(model.T).round(4), sess.run(model.E).round(4))
found, best = sess.run([path, score], feed)
print(''.join(map(str, found)), '%.4f' % best)
print(''.join(map(str, hidden)), (found == hidden).mean())
for g in sess.run(slope, feed):
    print(g.round(2))

# the same forward pass over a batch of sequences, with initializer and tuples left out
log_T = tf.log(tf.constant(true_T, tf.float32))
batch = tf.log(tf.nn.embedding_lookup(tf.constant(true_E.T, tf.float32), tf.reshape(seen, [4, 10])))
total = tf.scan(lambda s, e: tf.reduce_logsumexp(s[:, :, None] + log_T, 1) + e, tf.transpose(batch, [1, 0, 2]))
print(total, sess.run(tf.reduce_logsumexp(total[-1], -1)).round(4))
cumulative = tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3, 4], tf.int64))
pairs = tf.scan(lambda a, x: (a[1], a[0] + x), np.arange(5.0), (tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64)))
print(cumulative, pairs, sess.run([cumulative, pairs]))
try:
    tf.scan(lambda a, x: (a, x), tf.range(3), tf.constant(0))
except (ValueError, TypeError) as e:
    print(type(e).__name__, e)
