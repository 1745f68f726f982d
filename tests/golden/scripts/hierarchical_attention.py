# Hierarchical attention: words into sentences, sentences into a document.
from __future__ import print_function
import numpy as np
import tensorflow as tf
import tensorflow.contrib.layers as layers
from tensorflow.contrib import rnn

slim_xavier = layers.xavier_initializer(seed=9)


def task_specific_attention(inputs, output_size, initializer=slim_xavier,
                            activation_fn=tf.tanh, scope=None):
    assert len(inputs.get_shape()) == 3 and inputs.get_shape()[-1].value is not None
    with tf.variable_scope(scope or 'attention') as scope:
        context = tf.get_variable(name='attention_context_vector', shape=[output_size],
                                  initializer=initializer, dtype=tf.float32)
        projection = layers.fully_connected(
            inputs, output_size, activation_fn=activation_fn,
            weights_initializer=layers.xavier_initializer(seed=10), scope=scope)
        vector_attn = tf.reduce_sum(tf.multiply(projection, context), axis=2, keepdims=True)
        weights = tf.nn.softmax(vector_attn, axis=1)
        return tf.reduce_sum(tf.multiply(projection, weights), axis=1), weights


def bidirectional_rnn(cell_fw, cell_bw, inputs_embedded, input_lengths, scope=None):
    with tf.variable_scope(scope or "birnn") as scope:
        ((fw_outputs, bw_outputs), (fw_state, bw_state)) = tf.nn.bidirectional_dynamic_rnn(
            cell_fw=cell_fw, cell_bw=cell_bw, inputs=inputs_embedded,
            sequence_length=input_lengths, dtype=tf.float32, swap_memory=True, scope=scope)
        outputs = tf.concat((fw_outputs, bw_outputs), 2)
        if isinstance(fw_state, rnn.LSTMStateTuple):
            state = rnn.LSTMStateTuple(tf.concat((fw_state.c, bw_state.c), 1),
                                       tf.concat((fw_state.h, bw_state.h), 1))
        else:
            state = tf.concat((fw_state, bw_state), 1, name='bidirectional_concat')
        return outputs, state


class HANClassifierModel():
    def __init__(self, vocab_size, embedding_size, classes, max_grad_norm, dropout_keep_proba,
                 is_training=None, learning_rate=1e-2, scope=None):
        self.vocab_size, self.embedding_size, self.classes = vocab_size, embedding_size, classes
        self.keep = dropout_keep_proba
        with tf.variable_scope(scope or 'tcm') as scope:
            self.global_step = tf.Variable(0, name='global_step', trainable=False)
            self.is_training = is_training
            self.inputs = tf.placeholder(shape=(None, None, None), dtype=tf.int32, name='inputs')
            self.word_lengths = tf.placeholder(shape=(None, None), dtype=tf.int32, name='word_lengths')
            self.sentence_lengths = tf.placeholder(shape=(None,), dtype=tf.int32, name='sentence_lengths')
            self.labels = tf.placeholder(shape=(None,), dtype=tf.int32, name='labels')
            (self.document_size, self.sentence_size, self.word_size) = tf.unstack(tf.shape(self.inputs))
            with tf.variable_scope("embedding"):
                self.embedding_matrix = tf.get_variable(
                    "embedding_matrix", [vocab_size, embedding_size],
                    initializer=layers.xavier_initializer(seed=11), dtype=tf.float32)
                self.embedded = tf.nn.embedding_lookup(self.embedding_matrix, self.inputs)
            self._init_body()
            self.cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=self.labels, logits=self.logits)
            self.loss = tf.reduce_mean(self.cross_entropy)
            tf.summary.scalar('loss', self.loss)
            self.accuracy = tf.reduce_mean(tf.cast(tf.nn.in_top_k(self.logits, self.labels, 1), tf.float32))
            tvars = tf.trainable_variables()
            grads, self.norm = tf.clip_by_global_norm(tf.gradients(self.loss, tvars), max_grad_norm)
            self.train_op = tf.train.AdamOptimizer(learning_rate).apply_gradients(
                zip(grads, tvars), global_step=self.global_step)

    def _init_body(self):
        def cell(seed):
            return rnn.GRUCell(6, kernel_initializer=tf.glorot_uniform_initializer(seed=seed))

        word_level_inputs = tf.reshape(self.embedded, [
            self.document_size * self.sentence_size, self.word_size, self.embedding_size])
        word_level_lengths = tf.reshape(self.word_lengths, [self.document_size * self.sentence_size])
        with tf.variable_scope('word') as scope:
            word_output, _ = bidirectional_rnn(cell(1), cell(2), word_level_inputs,
                                               word_level_lengths, scope=scope)
            with tf.variable_scope('attention') as scope:
                word_level, self.word_weights = task_specific_attention(word_output, 10, scope=scope)
            with tf.variable_scope('dropout'):
                word_level = layers.dropout(word_level, keep_prob=self.keep, is_training=self.is_training)
        sentence_inputs = tf.reshape(word_level, [self.document_size, self.sentence_size, 10])
        with tf.variable_scope('sentence') as scope:
            sentence_output, state = bidirectional_rnn(cell(3), cell(4), sentence_inputs,
                                                       self.sentence_lengths, scope=scope)
            print(state)
            with tf.variable_scope('attention') as scope:
                sentence_level, _ = task_specific_attention(sentence_output, 8, scope=scope)
        with tf.variable_scope('classifier'):
            self.logits = layers.fully_connected(sentence_level, self.classes, activation_fn=None,
                                                 weights_initializer=layers.xavier_initializer(seed=12))
            self.prediction = tf.argmax(self.logits, axis=-1)


def batch(inputs):
    batch_size = len(inputs)
    document_sizes = np.array([len(doc) for doc in inputs], dtype=np.int32)
    sizes = [[len(sent) for sent in doc] for doc in inputs]
    longest, widest = document_sizes.max(), max(map(max, sizes))
    b = np.zeros(shape=[batch_size, longest, widest], dtype=np.int32)
    sentence_sizes = np.zeros(shape=[batch_size, longest], dtype=np.int32)
    for i, document in enumerate(inputs):
        for j, sentence in enumerate(document):
            sentence_sizes[i, j] = sizes[i][j]
            b[i, j, :len(sentence)] = sentence
    return b, document_sizes, sentence_sizes


rng = np.random.RandomState(4)


def make_document(label):
    doc = [list(6 + rng.randint(14, size=2 + rng.randint(4))) for _ in range(2 + rng.randint(3))]
    doc[rng.randint(len(doc))].append(1 + 2 * label + rng.randint(2))
    return doc


tf.reset_default_graph()
tf.set_random_seed(3)
is_training = tf.placeholder(tf.bool, name='is_training')
model = HANClassifierModel(20, 8, 2, 5.0, 0.9, is_training=is_training)
print([v.op.name for v in tf.trainable_variables()][:4], len(tf.trainable_variables()))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(20):
        labels = rng.randint(2, size=12)
        b, document_sizes, sentence_sizes = batch([make_document(y) for y in labels])
        fd = {model.inputs: b, model.word_lengths: sentence_sizes,
              model.sentence_lengths: document_sizes, model.labels: labels, is_training: True}
        step, loss, norm, accuracy, _ = session.run(
            [model.global_step, model.loss, model.norm, model.accuracy, model.train_op], fd)
        if i < 4:
            print("step %d, loss=%.5f, norm=%.4f, acc=%.2f" % (step, loss, norm, accuracy))
    fd[is_training] = False
    weights, loss = session.run([model.word_weights, model.loss], fd)
    print("after %d steps loss=%.2f, weights of shape %s" % (
        session.run(model.global_step), loss, weights.shape))
