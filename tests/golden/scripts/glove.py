# GloVe: weighted least squares on the logarithms of co-occurrence counts.
from __future__ import division
from collections import Counter, defaultdict
import random

import numpy as np
import tensorflow as tf


class NotTrainedError(Exception):
    pass


class GloVeModel():
    def __init__(self, embedding_size, context_size, cooccurrence_cap=20, scaling_factor=3 / 4,
                 batch_size=32, learning_rate=0.05):
        self.embedding_size = embedding_size
        self.left_context, self.right_context = context_size, context_size
        self.cooccurrence_cap = cooccurrence_cap
        self.scaling_factor = scaling_factor
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.__embeddings = None

    def fit_to_corpus(self, corpus):
        counts = defaultdict(float)
        word_counts = Counter()
        for region in corpus:
            word_counts.update(region)
            for i, word in enumerate(region):
                for offset, other in enumerate(reversed(region[max(0, i - self.left_context):i])):
                    counts[word, other] += 1 / (offset + 1)
                    counts[other, word] += 1 / (offset + 1)
        self.__words = [w for w, n in sorted(word_counts.items(), key=lambda x: (-x[1], x[0]))]
        self.__word_to_id = {word: i for i, word in enumerate(self.__words)}
        self.__matrix = {(self.__word_to_id[a], self.__word_to_id[b]): c
                         for (a, b), c in counts.items()}
        self.__build_graph()

    def __build_graph(self):
        self.__graph = tf.Graph()
        with self.__graph.as_default():
            tf.set_random_seed(11)
            cap = tf.constant([self.cooccurrence_cap], dtype=tf.float32, name="cap")
            factor = tf.constant([self.scaling_factor], dtype=tf.float32, name="factor")
            self.focal_input = tf.placeholder(tf.int32, shape=[self.batch_size], name="focal_words")
            self.context_input = tf.placeholder(tf.int32, shape=[self.batch_size], name="context_words")
            self.count = tf.placeholder(tf.float32, shape=[self.batch_size], name="count")
            size = [self.vocab_size, self.embedding_size]
            focal = tf.Variable(tf.random_uniform(size, 1.0, -1.0), name="focal_embeddings")
            context = tf.Variable(tf.random_uniform(size, 1.0, -1.0), name="context_embeddings")
            focal_biases = tf.Variable(tf.random_uniform([self.vocab_size], 1.0, -1.0), name='focal_biases')
            context_biases = tf.Variable(tf.random_uniform([self.vocab_size], 1.0, -1.0), name="context_biases")
            focal_embedding = tf.nn.embedding_lookup([focal], self.focal_input)
            context_embedding = tf.nn.embedding_lookup([context], self.context_input)
            focal_bias = tf.nn.embedding_lookup([focal_biases], self.focal_input)
            context_bias = tf.nn.embedding_lookup([context_biases], self.context_input)
            weighting = tf.minimum(1.0, tf.pow(tf.div(self.count, cap), factor))
            product = tf.reduce_sum(tf.multiply(focal_embedding, context_embedding), 1)
            log_counts = tf.log(tf.to_float(self.count))
            distance = tf.square(tf.add_n([product, focal_bias, context_bias, tf.negative(log_counts)]))
            single = tf.multiply(weighting, distance)
            self.total_loss = tf.reduce_sum(single)
            tf.summary.scalar("GloVe loss", self.total_loss)
            self.optimizer = tf.train.AdagradOptimizer(self.learning_rate).minimize(self.total_loss)
            self.summary = tf.summary.merge_all()
            self.combined = tf.add(focal, context, name="combined_embeddings")

    def train(self, num_epochs):
        batches = self.__prepare_batches()
        total_steps = 0
        with tf.Session(graph=self.__graph) as session:
            tf.global_variables_initializer().run()
            for epoch in range(num_epochs):
                epoch_loss = 0.0
                for i_s, j_s, counts in batches:
                    if len(counts) != self.batch_size:
                        continue
                    _, loss = session.run([self.optimizer, self.total_loss], feed_dict={
                        self.focal_input: i_s, self.context_input: j_s, self.count: counts})
                    total_steps += 1
                    epoch_loss += loss
                print("epoch %d: %.3f after %d steps" % (epoch, epoch_loss, total_steps))
            self.__embeddings = self.combined.eval()

    def __prepare_batches(self):
        cells = sorted((pair[0], pair[1], c) for pair, c in self.__matrix.items())
        np.random.RandomState(5).shuffle(cells)
        i_s, j_s, counts = zip(*cells)
        step = self.batch_size
        return [(i_s[k:k + step], j_s[k:k + step], counts[k:k + step])
                for k in range(0, len(cells), step)]

    def embedding_for(self, word):
        if self.__embeddings is None:
            raise NotTrainedError("Need to train model before accessing embeddings")
        return self.__embeddings[self.__word_to_id[word]]

    @property
    def vocab_size(self):
        return len(self.__words)

    @property
    def words(self):
        return self.__words


rng = np.random.RandomState(2)
syllables = ["ba", "do", "ki", "lu", "me", "no", "pa", "ru", "si", "to", "vu", "wa"]
corpus = []
for _ in range(60):
    start = rng.randint(12)
    corpus.append([syllables[(start + rng.randint(4)) % 12] for _ in range(8)])
model = GloVeModel(embedding_size=6, context_size=3)
model.fit_to_corpus(corpus)
print(model.vocab_size, model.words[:5])
try:
    model.embedding_for("ba")
except NotTrainedError as error:
    print("error:", error)
model.train(num_epochs=8)
np.set_printoptions(precision=3, suppress=True)
print(model.embedding_for("ba"))
a, b, c = [model.embedding_for(w) for w in ("ba", "do", "no")]
cos = lambda x, y: x.dot(y) / np.sqrt(x.dot(x) * y.dot(y))
print("near %.2f far %.2f" % (cos(a, b), cos(a, c)))
