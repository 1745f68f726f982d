# An end-to-end memory network with several hops, linear starts and noisy gradients.
import numpy as np
import tensorflow as tf


def position_encoding(sentence_size, embedding_size):
    encoding = np.ones((embedding_size, sentence_size), dtype=np.float32)
    ls, le = sentence_size + 1, embedding_size + 1
    for i in range(1, le):
        for j in range(1, ls):
            encoding[i - 1, j - 1] = (i - (embedding_size + 1) / 2) * (j - (sentence_size + 1) / 2)
    encoding = 1 + 4 * encoding / embedding_size / sentence_size
    encoding[:, -1] = 1.0
    return np.transpose(encoding)


def zero_nil_slot(t, name=None):
    with tf.op_scope([t], name, "zero_nil_slot") as name:
        t = tf.convert_to_tensor(t, name="t")
        s = tf.shape(t)[1]
        z = tf.zeros(tf.stack([1, s]))
        return tf.concat(axis=0, values=[z, tf.slice(t, [1, 0], [-1, -1])], name=name)


def add_gradient_noise(t, stddev=1e-3, name=None):
    with tf.name_scope(name, "add_gradient_noise", [t, stddev]) as name:
        t = tf.convert_to_tensor(t, name="t")
        gn = tf.random_normal(tf.shape(t), stddev=stddev, seed=4)
        return tf.add(t, gn, name=name)


class MemN2N(object):
    def __init__(self, batch_size, vocab_size, sentence_size, memory_size, embedding_size, hops=3,
                 max_grad_norm=40.0, nonlin=None, initializer=tf.random_normal_initializer(stddev=0.1),
                 encoding=position_encoding, session=tf.Session(), name='MemN2N'):
        self._batch_size, self._vocab_size, self._sentence_size = batch_size, vocab_size, sentence_size
        self._memory_size, self._embedding_size, self._hops = memory_size, embedding_size, hops
        self._init, self._nonlin, self._name = initializer, nonlin, name
        self._stories = tf.placeholder(tf.int32, [None, memory_size, sentence_size], name="stories")
        self._queries = tf.placeholder(tf.int32, [None, sentence_size], name="queries")
        self._answers = tf.placeholder(tf.int32, [None, vocab_size], name="answers")
        self._lr = tf.placeholder(tf.float32, [], name="learning_rate")
        self._build_vars()
        self._opt = tf.train.GradientDescentOptimizer(learning_rate=self._lr)
        self._encoding = tf.constant(encoding(sentence_size, embedding_size), name="encoding")
        logits = self._inference(self._stories, self._queries)
        cross_entropy = tf.nn.softmax_cross_entropy_with_logits(
            logits=logits, labels=tf.cast(self._answers, tf.float32), name="cross_entropy")
        loss_op = tf.reduce_sum(cross_entropy, name="cross_entropy_sum")
        grads_and_vars = self._opt.compute_gradients(loss_op)
        grads_and_vars = [(tf.clip_by_norm(g, max_grad_norm), v) for g, v in grads_and_vars]
        grads_and_vars = [(add_gradient_noise(g), v) for g, v in grads_and_vars]
        nil_grads_and_vars = []
        for g, v in grads_and_vars:
            nil_grads_and_vars.append((zero_nil_slot(g) if v.name in self._nil_vars else g, v))
        self.train_op = self._opt.apply_gradients(nil_grads_and_vars, name="train_op")
        self.loss_op = loss_op
        self.predict_op = tf.argmax(logits, 1, name="predict_op")
        self._sess = session
        self._sess.run(tf.global_variables_initializer())

    def _build_vars(self):
        with tf.variable_scope(self._name):
            nil_word_slot = tf.zeros([1, self._embedding_size])
            shape = [self._vocab_size - 1, self._embedding_size]
            A = tf.concat(axis=0, values=[nil_word_slot, self._init(shape)])
            C = tf.concat(axis=0, values=[nil_word_slot, self._init(shape)])
            self.A_1 = tf.Variable(A, name="A")
            self.C = []
            for hopn in range(self._hops):
                with tf.variable_scope('hop_{}'.format(hopn)):
                    self.C.append(tf.Variable(C, name="C"))
        self._nil_vars = set([self.A_1.name] + [x.name for x in self.C])

    def _inference(self, stories, queries):
        with tf.variable_scope(self._name):
            q_emb = tf.nn.embedding_lookup(self.A_1, queries)
            u_0 = tf.reduce_sum(q_emb * self._encoding, 1)
            u = [u_0]
            for hopn in range(self._hops):
                table = self.A_1 if hopn == 0 else self.C[hopn - 1]
                m = tf.reduce_sum(tf.nn.embedding_lookup(table, stories) * self._encoding, 2)
                u_temp = tf.transpose(tf.expand_dims(u[-1], -1), [0, 2, 1])
                dotted = tf.reduce_sum(m * u_temp, 2)
                probs = tf.nn.softmax(dotted)
                probs_temp = tf.transpose(tf.expand_dims(probs, -1), [0, 2, 1])
                with tf.variable_scope('hop_{}'.format(hopn)):
                    m_emb_C = tf.nn.embedding_lookup(self.C[hopn], stories)
                m_C = tf.reduce_sum(m_emb_C * self._encoding, 2)
                c_temp = tf.transpose(m_C, [0, 2, 1])
                o_k = tf.reduce_sum(c_temp * probs_temp, 2)
                u_k = u[-1] + o_k
                u.append(self._nonlin(u_k) if self._nonlin else u_k)
            with tf.variable_scope('hop_{}'.format(self._hops)):
                return tf.matmul(u_k, tf.transpose(self.C[-1], [1, 0]))

    def batch_fit(self, stories, queries, answers, learning_rate):
        feed = {self._stories: stories, self._queries: queries, self._answers: answers, self._lr: learning_rate}
        loss, _ = self._sess.run([self.loss_op, self.train_op], feed_dict=feed)
        return loss

    def predict(self, stories, queries):
        return self._sess.run(self.predict_op, {self._stories: stories, self._queries: queries})


def make_stories(rng, n):
    """Who is where? Words 1-3 are people, 4-7 places, 8 is the question."""
    stories, queries = np.zeros((n, 5, 3), np.int32), np.zeros((n, 3), np.int32)
    answers = np.zeros((n, 9), np.int32)
    for i in range(n):
        place = {}
        for t in range(5):
            who, where = 1 + rng.randint(3), 4 + rng.randint(4)
            stories[i, t] = [who, where, 0]
            place[who] = where
        who = sorted(place)[rng.randint(len(place))]
        queries[i] = [8, who, 0]
        answers[i, place[who]] = 1
    return stories, queries, answers


tf.set_random_seed(13)
rng = np.random.RandomState(13)
S, Q, A = make_stories(rng, 64)
with tf.Session() as sess:
    model = MemN2N(16, 9, 3, 5, 10, hops=2, session=sess)
    print([v.name for v in tf.trainable_variables()])
    for t in range(20):
        lr = 0.01 / 2 ** (t // 10)
        total_cost = 0.0
        for start in range(0, 64, 16):
            end = start + 16
            total_cost += model.batch_fit(S[start:end], Q[start:end], A[start:end], lr)
        if t < 3:
            print('Epoch', t + 1, 'total cost: %.3f' % total_cost)
    print('Epoch %d total cost: %.0f' % (t + 1, total_cost))
    predicted = model.predict(S, Q)
    print("predictions", predicted.shape, predicted.dtype, bool(((predicted >= 4) & (predicted < 8)).all()))
