# Skip-gram word2vec with noise-contrastive estimation and an embedding projector.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections
import os
import random

import numpy as np
import tensorflow as tf
from tensorflow.contrib.tensorboard.plugins import projector

LOG_DIR = "w2v_log"
if not os.path.exists(LOG_DIR):
    os.makedirs(LOG_DIR)

rng = np.random.RandomState(7)
topics = [["king", "queen", "crown", "throne"], ["dog", "cat", "fur", "paw"],
          ["red", "green", "blue", "color"]]
words = []
for _ in range(300):
    topic = topics[rng.randint(3)]
    words += [topic[rng.randint(4)] for _ in range(6)] + ["the"]
print("Data size", len(words))

vocabulary_size = 12


def build_dataset(words, n_words):
    count = [["UNK", -1]]
    ordered = sorted(collections.Counter(words).items(), key=lambda p: (-p[1], p[0]))
    count.extend(ordered[:n_words - 1])
    dictionary = dict((word, i) for i, (word, _) in enumerate(count))
    data = [dictionary.get(w, 0) for w in words]
    count[0][1] = data.count(0)
    return data, count, dictionary, dict(zip(dictionary.values(), dictionary.keys()))


data, count, dictionary, reverse_dictionary = build_dataset(words, vocabulary_size)
print("Most common words (+UNK)", count[:4])
print("Sample data", data[:10], [reverse_dictionary[i] for i in data[:5]])

data_index = 0


def generate_batch(batch_size, skip_window):
    global data_index
    span = 2 * skip_window + 1
    batch = np.ndarray(shape=(batch_size), dtype=np.int32)
    labels = np.ndarray(shape=(batch_size, 1), dtype=np.int32)
    buffer = collections.deque(maxlen=span)
    buffer.extend(data[data_index:data_index + span])
    data_index += span
    for i in range(batch_size // (2 * skip_window)):
        context = [w for w in range(span) if w != skip_window]
        for j, place in enumerate(context):
            batch[i * 2 * skip_window + j] = buffer[skip_window]
            labels[i * 2 * skip_window + j, 0] = buffer[place]
        if data_index == len(data):
            buffer.extend(data[0:span])
            data_index = span
        else:
            buffer.append(data[data_index])
            data_index += 1
    data_index = (data_index + len(data) - span) % len(data)
    return batch, labels


batch, labels = generate_batch(batch_size=8, skip_window=1)
for i in range(4):
    print(batch[i], reverse_dictionary[batch[i]], "->", labels[i, 0])

batch_size, embedding_size, num_sampled = 32, 16, 6
valid_examples = np.array([1, 2, 3])

graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(1234)
    with tf.name_scope("inputs"):
        train_inputs = tf.placeholder(tf.int32, shape=[batch_size])
        train_labels = tf.placeholder(tf.int32, shape=[batch_size, 1])
        valid_dataset = tf.constant(valid_examples, dtype=tf.int32)
    with tf.device("/cpu:0"):
        with tf.name_scope("embeddings"):
            embeddings = tf.Variable(
                tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
            embed = tf.nn.embedding_lookup(embeddings, train_inputs)
        with tf.name_scope("weights"):
            nce_weights = tf.Variable(
                tf.truncated_normal([vocabulary_size, embedding_size],
                                    stddev=1.0 / np.sqrt(embedding_size)))
        with tf.name_scope("biases"):
            nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(
            tf.nn.nce_loss(weights=nce_weights, biases=nce_biases, labels=train_labels,
                           inputs=embed, num_sampled=num_sampled,
                           num_classes=vocabulary_size))
    tf.summary.scalar("loss", loss)
    with tf.name_scope("optimizer"):
        optimizer = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    normalized_embeddings = embeddings / norm
    valid_embeddings = tf.nn.embedding_lookup(normalized_embeddings, valid_dataset)
    similarity = tf.matmul(valid_embeddings, normalized_embeddings, transpose_b=True)
    merged = tf.summary.merge_all()
    init = tf.global_variables_initializer()
    saver = tf.train.Saver()

print(embed)
print(similarity)
with tf.Session(graph=graph) as session:
    writer = tf.summary.FileWriter(LOG_DIR, session.graph)
    init.run()
    print("Initialized")
    average_loss = 0
    for step in range(200):
        batch_inputs, batch_labels = generate_batch(batch_size, 1)
        feed_dict = {train_inputs: batch_inputs, train_labels: batch_labels}
        run_metadata = tf.RunMetadata()
        _, summary, loss_val = session.run([optimizer, merged, loss],
                                           feed_dict=feed_dict, run_metadata=run_metadata)
        average_loss += loss_val
        writer.add_summary(summary, step)
        if step < 3:
            print("step %d loss %.4f" % (step, loss_val))
        if step % 50 == 49:
            print("Average loss at step ", step, ": %.2f" % (average_loss / 50))
            average_loss = 0
    sim = similarity.eval()
    for i in range(3):
        nearest = (-sim[i, :]).argsort()[1:4]
        print("Nearest to %s: %s" % (reverse_dictionary[valid_examples[i]], ", ".join(
            sorted(reverse_dictionary[k] for k in nearest))))
    saver.save(session, os.path.join(LOG_DIR, "model.ckpt"))
    config = projector.ProjectorConfig()
    embedding_conf = config.embeddings.add()
    embedding_conf.tensor_name = embeddings.name
    embedding_conf.metadata_path = "metadata.tsv"
    projector.visualize_embeddings(writer, config)
writer.close()
print(open(os.path.join(LOG_DIR, "projector_config.pbtxt")).read())
print(sorted(f for f in os.listdir(LOG_DIR) if not f.startswith("events")))
