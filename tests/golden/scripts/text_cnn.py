# A convolutional network for sentences: VocabularyProcessor, several filter sizes.
import datetime
import os
import numpy as np
import tensorflow as tf
from tensorflow.contrib import learn

tf.flags.DEFINE_float("dev_sample_percentage", .2, "Percentage of the training data to use for validation")
tf.flags.DEFINE_integer("embedding_dim", 12, "Dimensionality of character embedding")
tf.flags.DEFINE_string("filter_sizes", "2,3", "Comma-separated filter sizes")
tf.flags.DEFINE_integer("num_filters", 6, "Number of filters per filter size")
tf.flags.DEFINE_float("dropout_keep_prob", 0.5, "Dropout keep probability")
tf.flags.DEFINE_float("l2_reg_lambda", 0.01, "L2 regularization lambda")
tf.flags.DEFINE_integer("batch_size", 20, "Batch Size")
tf.flags.DEFINE_integer("num_epochs", 3, "Number of training epochs")
tf.flags.DEFINE_boolean("allow_soft_placement", True, "Allow device soft device placement")
FLAGS = tf.flags.FLAGS

GOOD = "a great funny moving film with fine acting".split()
BAD = "a dull boring empty film with bad acting".split()


class TextCNN(object):
    def __init__(self, sequence_length, num_classes, vocab_size, embedding_size, filter_sizes,
                 num_filters, l2_reg_lambda=0.0):
        self.input_x = tf.placeholder(tf.int32, [None, sequence_length], name="input_x")
        self.input_y = tf.placeholder(tf.float32, [None, num_classes], name="input_y")
        self.dropout_keep_prob = tf.placeholder(tf.float32, name="dropout_keep_prob")
        l2_loss = tf.constant(0.0)
        with tf.device('/cpu:0'), tf.name_scope("embedding"):
            self.W = tf.Variable(tf.random_uniform([vocab_size, embedding_size], -1.0, 1.0), name="W")
            self.embedded_chars = tf.nn.embedding_lookup(self.W, self.input_x)
            self.embedded_chars_expanded = tf.expand_dims(self.embedded_chars, -1)
        pooled_outputs = []
        for filter_size in filter_sizes:
            with tf.name_scope("conv-maxpool-%s" % filter_size):
                W = tf.Variable(tf.truncated_normal([filter_size, embedding_size, 1, num_filters],
                                                    stddev=0.1), name="W")
                b = tf.Variable(tf.constant(0.1, shape=[num_filters]), name="b")
                conv = tf.nn.conv2d(self.embedded_chars_expanded, W, strides=[1, 1, 1, 1],
                                    padding="VALID", name="conv")
                h = tf.nn.relu(tf.nn.bias_add(conv, b), name="relu")
                pooled = tf.nn.max_pool(h, ksize=[1, sequence_length - filter_size + 1, 1, 1],
                                        strides=[1, 1, 1, 1], padding='VALID', name="pool")
                pooled_outputs.append(pooled)
        num_filters_total = num_filters * len(filter_sizes)
        self.h_pool = tf.concat(pooled_outputs, 3)
        self.h_pool_flat = tf.reshape(self.h_pool, [-1, num_filters_total])
        with tf.name_scope("dropout"):
            self.h_drop = tf.nn.dropout(self.h_pool_flat, self.dropout_keep_prob)
        with tf.name_scope("output"):
            W = tf.get_variable("W", shape=[num_filters_total, num_classes],
                                initializer=tf.contrib.layers.xavier_initializer())
            b = tf.Variable(tf.constant(0.1, shape=[num_classes]), name="b")
            l2_loss += tf.nn.l2_loss(W)
            l2_loss += tf.nn.l2_loss(b)
            self.scores = tf.nn.xw_plus_b(self.h_drop, W, b, name="scores")
            self.predictions = tf.argmax(self.scores, 1, name="predictions")
        with tf.name_scope("loss"):
            losses = tf.nn.softmax_cross_entropy_with_logits(logits=self.scores, labels=self.input_y)
            self.loss = tf.reduce_mean(losses) + l2_reg_lambda * l2_loss
        with tf.name_scope("accuracy"):
            correct = tf.equal(self.predictions, tf.argmax(self.input_y, 1))
            self.accuracy = tf.reduce_mean(tf.cast(correct, "float"), name="accuracy")


def load_data():
    rng = np.random.RandomState(10)
    texts, labels = [], []
    for i in range(120):
        words = (GOOD, BAD)[i % 2]
        texts.append(" ".join(words[rng.randint(8)] for _ in range(4 + rng.randint(4))))
        labels.append([i % 2, 1 - i % 2])
    return texts, np.array(labels)


def preprocess():
    x_text, y = load_data()
    max_document_length = max([len(x.split(" ")) for x in x_text])
    vocab_processor = learn.preprocessing.VocabularyProcessor(max_document_length)
    x = np.array(list(vocab_processor.fit_transform(x_text)))
    np.random.seed(10)
    order = np.random.RandomState(3)
    shuffle_indices = np.arange(len(y))
    order.shuffle(shuffle_indices)
    x, y = x[shuffle_indices], y[shuffle_indices]
    split = -1 * int(FLAGS.dev_sample_percentage * float(len(y)))
    print("Vocabulary Size: {:d}".format(len(vocab_processor.vocabulary_)))
    print("Train/Dev split: {:d}/{:d}".format(len(y[:split]), len(y[split:])))
    print(x_text[0], "->", list(x[int(np.argwhere(shuffle_indices == 0))]))
    return x[:split], y[:split], vocab_processor, x[split:], y[split:]


def train(x_train, y_train, vocab_processor, x_dev, y_dev):
    with tf.Graph().as_default():
        tf.set_random_seed(5)
        session_conf = tf.ConfigProto(allow_soft_placement=FLAGS.allow_soft_placement)
        sess = tf.Session(config=session_conf)
        with sess.as_default():
            cnn = TextCNN(x_train.shape[1], y_train.shape[1], len(vocab_processor.vocabulary_),
                          FLAGS.embedding_dim, list(map(int, FLAGS.filter_sizes.split(","))),
                          FLAGS.num_filters, FLAGS.l2_reg_lambda)
            global_step = tf.Variable(0, name="global_step", trainable=False)
            optimizer = tf.train.AdamOptimizer(1e-2)
            grads_and_vars = optimizer.compute_gradients(cnn.loss)
            train_op = optimizer.apply_gradients(grads_and_vars, global_step=global_step)
            summaries = []
            for g, v in grads_and_vars:
                if g is not None:
                    summaries.append(tf.summary.histogram("{}/grad/hist".format(v.name), g))
                    print(v.name, type(g).__name__)
            tf.summary.merge(summaries)
            saver = tf.train.Saver(tf.global_variables(), max_to_keep=2)
            vocab_processor.save("vocab")
            sess.run(tf.global_variables_initializer())
            for epoch in range(FLAGS.num_epochs):
                for k in range(0, len(x_train) - 1, FLAGS.batch_size):
                    feed_dict = {cnn.input_x: x_train[k:k + FLAGS.batch_size],
                                 cnn.input_y: y_train[k:k + FLAGS.batch_size],
                                 cnn.dropout_keep_prob: FLAGS.dropout_keep_prob}
                    _, step, loss, accuracy = sess.run(
                        [train_op, global_step, cnn.loss, cnn.accuracy], feed_dict)
                    if step <= 3:
                        print("step {}, loss {:.4f}, acc {:g}".format(step, loss, accuracy))
                loss, accuracy = sess.run([cnn.loss, cnn.accuracy], {
                    cnn.input_x: x_dev, cnn.input_y: y_dev, cnn.dropout_keep_prob: 1.0})
                print("dev: loss {:.3f}, acc {:.3f}".format(loss, accuracy))
                path = saver.save(sess, "./model", global_step=sess.run(global_step))
    restored = learn.preprocessing.VocabularyProcessor.restore("vocab")
    x_test = np.array(list(restored.transform(["a great unknown film", "bad dull boring"])))
    graph = tf.Graph()
    with graph.as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph("{}.meta".format(path))
        saver.restore(sess, path)
        input_x = graph.get_operation_by_name("input_x").outputs[0]
        keep = graph.get_operation_by_name("dropout_keep_prob").outputs[0]
        predictions = graph.get_operation_by_name("output/predictions").outputs[0]
        print(os.path.basename(path), sess.run(predictions, {input_x: x_test, keep: 1.0}))


def main(argv=None):
    train(*preprocess())


if __name__ == '__main__':
    tf.app.run()
