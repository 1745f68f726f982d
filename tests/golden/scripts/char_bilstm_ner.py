# Named entities: tf.data of padded words and characters, char CNN, fused BiLSTM and a CRF.
import functools
import os

import numpy as np
import tensorflow as tf

WORDS = ['the', 'cat', 'in', 'Rome', 'met', 'Ada', 'Lovelace', 'and', 'went', 'to', 'Paris', 'Texas', 'with', 'Bob']
TAGS = {'Rome': 'B-LOC', 'Ada': 'B-PER', 'Lovelace': 'I-PER', 'Paris': 'B-LOC', 'Texas': 'I-LOC', 'Bob': 'B-PER'}
TAG_NAMES = ['O', 'B-LOC', 'I-LOC', 'B-PER', 'I-PER']
CHARS = sorted(set(''.join(WORDS)))
PARAMS = {'dim': 6, 'dim_chars': 5, 'filters': 4, 'kernel_size': 3, 'lstm_size': 5, 'dropout': 0.25, 'num_oov': 1}


def write(name, lines):
    with tf.gfile.Open(name, 'w') as f:
        f.write('\n'.join(lines))


def parse(words, tags):
    words, tags = words.strip().split(), tags.strip().split()
    assert len(words) == len(tags), "Words and tags lengths don't match"
    chars = [[c.encode() for c in w] for w in words]
    lengths = [len(c) for c in chars]
    chars = [c + [b'<pad>'] * (max(lengths) - n) for c, n in zip(chars, lengths)]
    return (([w.encode() for w in words], len(words)), (chars, lengths)), [t.encode() for t in tags]


def generator(words, tags):
    with tf.gfile.Open(words) as fw, tf.gfile.Open(tags) as ft:
        for w, t in zip(fw, ft):
            yield parse(w, t)


def input_fn(words, tags, batch_size, shuffle=0):
    shapes = ((([None], ()), ([None, None], [None])), [None])
    types = (((tf.string, tf.int32), (tf.string, tf.int32)), tf.string)
    defaults = ((('<pad>', 0), ('<pad>', 0)), 'O')
    dataset = tf.data.Dataset.from_generator(functools.partial(generator, words, tags), output_shapes=shapes, output_types=types)
    if shuffle:
        dataset = dataset.apply(tf.contrib.data.shuffle_and_repeat(shuffle, 3, seed=12))
    return dataset.padded_batch(batch_size, shapes, defaults).prefetch(1)


def masked_conv1d_and_max(t, weights, filters, kernel_size):
    """Convolution over the characters of each word, without their padding."""
    shape = tf.shape(t)
    ndims = t.shape.ndims
    dim1 = tf.reduce_prod([shape[i] for i in range(ndims - 2)])
    weights = tf.reshape(weights, [dim1, shape[-2], 1])
    weights = tf.to_float(weights)
    t = tf.reshape(t, [dim1, shape[-2], t.shape[-1].value])
    t *= weights
    conv = tf.layers.conv1d(t, filters, kernel_size, padding='same')
    conv *= weights
    conv += (1.0 - weights) * tf.reduce_min(conv, axis=-2, keepdims=True)
    return tf.reshape(tf.reduce_max(conv, axis=-2), [shape[i] for i in range(ndims - 2)] + [filters])


def model_fn(features, labels, mode, params):
    (words, nwords), (chars, nchars) = features
    training = mode == tf.estimator.ModeKeys.TRAIN
    word_table = tf.contrib.lookup.index_table_from_file('vocab.words.txt', num_oov_buckets=params['num_oov'])
    char_table = tf.contrib.lookup.index_table_from_file('vocab.chars.txt', num_oov_buckets=params['num_oov'])
    with tf.gfile.Open('vocab.tags.txt') as f:
        indices = [i for i, tag in enumerate(f) if tag.strip() != 'O']
    char_embeddings = tf.get_variable('char_embeddings', [len(CHARS) + 1, params['dim_chars']], tf.float32)
    char_emb = tf.layers.dropout(tf.nn.embedding_lookup(char_embeddings, char_table.lookup(chars)), params['dropout'], training=training)
    char_emb = masked_conv1d_and_max(char_emb, tf.sequence_mask(nchars), params['filters'], params['kernel_size'])
    glove = np.random.RandomState(1).randn(len(WORDS), params['dim']).astype(np.float32)
    variable = tf.Variable(np.vstack([glove, [[0.0] * params['dim']]]), dtype=tf.float32, trainable=False)
    embeddings = tf.concat([tf.nn.embedding_lookup(variable, word_table.lookup(words)), char_emb], axis=-1)
    t = tf.transpose(tf.layers.dropout(embeddings, params['dropout'], training=training), [1, 0, 2])
    fw = tf.contrib.rnn.LSTMBlockFusedCell(params['lstm_size'])
    bw = tf.contrib.rnn.TimeReversedFusedRNN(tf.contrib.rnn.LSTMBlockFusedCell(params['lstm_size']))
    output_fw, _ = fw(t, dtype=tf.float32, sequence_length=nwords)
    output_bw, (c, h) = bw(t, dtype=tf.float32, sequence_length=nwords)
    output = tf.transpose(tf.concat([output_fw, output_bw], axis=-1), [1, 0, 2])
    logits = tf.layers.dense(tf.layers.dropout(output, params['dropout'], training=training), len(TAG_NAMES))
    transitions = tf.get_variable('crf', [len(TAG_NAMES)] * 2, dtype=tf.float32)
    pred_ids, scores = tf.contrib.crf.crf_decode(logits, transitions, nwords)
    if mode == tf.estimator.ModeKeys.PREDICT:
        reverse = tf.contrib.lookup.index_to_string_table_from_file('vocab.tags.txt', default_value='?')
        return tf.estimator.EstimatorSpec(mode, {'ids': pred_ids, 'tags': reverse.lookup(tf.to_int64(pred_ids)), 'score': scores})
    tags = tf.contrib.lookup.index_table_from_file('vocab.tags.txt').lookup(labels)
    log_likelihood, _ = tf.contrib.crf.crf_log_likelihood(logits, tf.to_int32(tags), nwords, transitions)
    loss = tf.reduce_mean(-log_likelihood)
    weights = tf.sequence_mask(nwords)
    metrics = {'acc': tf.metrics.accuracy(tags, pred_ids, weights),
               'mean_per_class': tf.metrics.mean_per_class_accuracy(tags, pred_ids, len(TAG_NAMES), weights),
               'entities': tf.metrics.recall(tf.greater(tags, 0), tf.greater(pred_ids, 0), weights)}
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    train_op = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


rng = np.random.RandomState(3)
sentences = [' '.join(rng.choice(WORDS, rng.randint(2, 7))) for _ in range(18)]
write('words.txt', sentences)
write('tags.txt', [' '.join(TAGS.get(w, 'O') for w in s.split()) for s in sentences])
write('vocab.words.txt', WORDS)
write('vocab.chars.txt', CHARS)
write('vocab.tags.txt', TAG_NAMES)
tf.logging.set_verbosity(tf.logging.ERROR)
cfg = tf.estimator.RunConfig(tf_random_seed=42, save_checkpoints_secs=120, model_dir='ner')
estimator = tf.estimator.Estimator(model_fn, 'ner', cfg, PARAMS)
train_inpf = functools.partial(input_fn, 'words.txt', 'tags.txt', 6, shuffle=18)
eval_inpf = functools.partial(input_fn, 'words.txt', 'tags.txt', 9)
tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(train_inpf, max_steps=9),
                                tf.estimator.EvalSpec(eval_inpf, throttle_secs=0, steps=None))
print({k: round(float(v), 3) for k, v in sorted(estimator.evaluate(eval_inpf).items())})
for name in estimator.get_variable_names():
    if 'Adam' not in name and 'beta' not in name:
        print(name, estimator.get_variable_value(name).shape)
for golds, preds in zip(generator('words.txt', 'tags.txt'), estimator.predict(eval_inpf)):
    if golds[0][0][1] < 4:
        print([w.decode() for w in golds[0][0][0]], preds['tags'].tolist(), '%.2f' % preds['score'])
print(sorted(os.listdir('ner'))[:1], [e for e in estimator.eval_dir().split('/')][-2:])
