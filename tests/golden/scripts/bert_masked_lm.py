# A BERT-like masked language model: TFRecords, an Estimator, Adam with weight decay.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections
import copy
import json
import math
import re

import numpy as np
import six
import tensorflow as tf

flags = tf.flags
FLAGS = flags.FLAGS
flags.DEFINE_string("output_dir", "bert_out", "Where checkpoints are written.")
flags.DEFINE_integer("max_seq_length", 8, "The maximum total input sequence length.")
flags.DEFINE_integer("max_predictions_per_seq", 2, "Maximum number of masked LM predictions.")
flags.DEFINE_integer("train_batch_size", 4, "Total batch size for training.")
flags.DEFINE_float("learning_rate", 1e-2, "The initial learning rate for Adam.")
flags.DEFINE_integer("num_train_steps", 8, "Number of training steps.")
flags.DEFINE_integer("num_warmup_steps", 2, "Number of warmup steps.")


class BertConfig(object):
    def __init__(self, vocab_size, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                 intermediate_size=24, hidden_act="gelu", hidden_dropout_prob=0.0,
                 max_position_embeddings=10, type_vocab_size=2, initializer_range=0.02):
        self.__dict__.update({k: v for k, v in locals().items() if k != "self"})

    def to_json_string(self):
        return json.dumps(copy.deepcopy(self.__dict__), sort_keys=True)


def gelu(input_tensor):
    cdf = 0.5 * (1.0 + tf.erf(input_tensor / tf.sqrt(2.0)))
    return input_tensor * cdf


def create_initializer(initializer_range=0.02):
    return tf.truncated_normal_initializer(stddev=initializer_range)


def layer_norm(input_tensor, name=None):
    return tf.contrib.layers.layer_norm(
        inputs=input_tensor, begin_norm_axis=-1, begin_params_axis=-1, scope=name)


def assert_rank(tensor, expected_rank, name=None):
    if name is None:
        name = tensor.name
    expected = {}
    if isinstance(expected_rank, six.integer_types):
        expected[expected_rank] = True
    else:
        for x in expected_rank:
            expected[x] = True
    actual_rank = tensor.shape.ndims
    if actual_rank not in expected:
        raise ValueError("For the tensor `%s`, the actual rank `%d` (shape = %s) is not equal to "
                         "the expected rank `%s`" % (name, actual_rank, str(tensor.shape), expected_rank))


def get_shape_list(tensor, expected_rank=None, name=None):
    if expected_rank is not None:
        assert_rank(tensor, expected_rank, name)
    shape = tensor.shape.as_list()
    dynamic = [i for i, dim in enumerate(shape) if dim is None]
    if not dynamic:
        return shape
    dyn_shape = tf.shape(tensor)
    for index in dynamic:
        shape[index] = dyn_shape[index]
    return shape


def reshape_to_matrix(x):
    if x.shape.ndims == 2:
        return x
    return tf.reshape(x, [-1, x.shape[-1]])


def dense(x, size, config, name, activation=None):
    return tf.layers.dense(x, size, activation=activation, name=name,
                           kernel_initializer=create_initializer(config.initializer_range))


def attention_layer(tensor, mask, config, batch_size, seq_length):
    heads, size = config.num_attention_heads, config.hidden_size // config.num_attention_heads

    def transposed(x):
        return tf.transpose(tf.reshape(x, [batch_size, seq_length, heads, size]), [0, 2, 1, 3])

    q, k, v = [transposed(dense(tensor, heads * size, config, n)) for n in ("query", "key", "value")]
    scores = tf.multiply(tf.matmul(q, k, transpose_b=True), 1.0 / math.sqrt(float(size)))
    adder = (1.0 - tf.cast(tf.expand_dims(mask, axis=[1]), tf.float32)) * -10000.0
    probs = tf.nn.softmax(scores + adder)
    context = tf.transpose(tf.matmul(probs, v), [0, 2, 1, 3])
    return tf.reshape(context, [batch_size * seq_length, heads * size])


def bert_model(config, input_ids, input_mask, segment_ids):
    batch_size, seq_length = get_shape_list(input_ids, expected_rank=2)
    with tf.variable_scope("bert"):
        with tf.variable_scope("embeddings"):
            table = tf.get_variable("word_embeddings", [config.vocab_size, config.hidden_size],
                                    initializer=create_initializer(config.initializer_range))
            output = tf.nn.embedding_lookup(table, input_ids)
            types = tf.get_variable("token_type_embeddings", [config.type_vocab_size, config.hidden_size],
                                    initializer=create_initializer(config.initializer_range))
            one_hot_ids = tf.one_hot(tf.reshape(segment_ids, [-1]), depth=config.type_vocab_size)
            output += tf.reshape(tf.matmul(one_hot_ids, types), [batch_size, seq_length, -1])
            assert_op = tf.assert_less_equal(seq_length, config.max_position_embeddings)
            with tf.control_dependencies([assert_op]):
                full = tf.get_variable("position_embeddings",
                                       [config.max_position_embeddings, config.hidden_size],
                                       initializer=create_initializer(config.initializer_range))
                output += tf.expand_dims(tf.slice(full, [0, 0], [seq_length, -1]), 0)
            output = layer_norm(output)
        with tf.variable_scope("encoder"):
            to_mask = tf.cast(tf.reshape(input_mask, [batch_size, 1, seq_length]), tf.float32)
            mask = tf.ones([batch_size, seq_length, 1], dtype=tf.float32) * to_mask
            prev = reshape_to_matrix(tf.reshape(output, [batch_size, seq_length, config.hidden_size]))
            for layer_idx in range(config.num_hidden_layers):
                with tf.variable_scope("layer_%d" % layer_idx):
                    with tf.variable_scope("attention"):
                        with tf.variable_scope("self"):
                            heads = attention_layer(prev, mask, config, batch_size, seq_length)
                        with tf.variable_scope("output"):
                            attended = layer_norm(dense(heads, config.hidden_size, config, "dense") + prev)
                    with tf.variable_scope("intermediate"):
                        wide = dense(attended, config.intermediate_size, config, "dense", gelu)
                    with tf.variable_scope("output"):
                        prev = layer_norm(dense(wide, config.hidden_size, config, "dense") + attended)
        sequence = tf.reshape(prev, [batch_size, seq_length, config.hidden_size])
    return sequence, table


def gather_indexes(sequence_tensor, positions):
    batch_size, seq_length, width = get_shape_list(sequence_tensor, expected_rank=3)
    flat_offsets = tf.reshape(tf.range(0, batch_size, dtype=tf.int32) * seq_length, [-1, 1])
    flat_positions = tf.reshape(positions + flat_offsets, [-1])
    return tf.gather(tf.reshape(sequence_tensor, [batch_size * seq_length, width]), flat_positions)


class AdamWeightDecayOptimizer(tf.train.Optimizer):
    def __init__(self, learning_rate, weight_decay_rate=0.0, beta_1=0.9, beta_2=0.999, epsilon=1e-6,
                 exclude_from_weight_decay=None, name="AdamWeightDecayOptimizer"):
        super(AdamWeightDecayOptimizer, self).__init__(False, name)
        self.learning_rate, self.weight_decay_rate = learning_rate, weight_decay_rate
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.exclude_from_weight_decay = exclude_from_weight_decay

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        assignments = []
        for (grad, param) in grads_and_vars:
            if grad is None or param is None:
                continue
            param_name = re.match("^(.*):\\d+$", param.name).group(1)
            m, v = [tf.get_variable(name=param_name + suffix, shape=param.shape.as_list(), dtype=tf.float32,
                                    trainable=False, initializer=tf.zeros_initializer())
                    for suffix in ("/adam_m", "/adam_v")]
            next_m = tf.multiply(self.beta_1, m) + tf.multiply(1.0 - self.beta_1, grad)
            next_v = tf.multiply(self.beta_2, v) + tf.multiply(1.0 - self.beta_2, tf.square(grad))
            update = next_m / (tf.sqrt(next_v) + self.epsilon)
            if not any(re.search(r, param_name) for r in self.exclude_from_weight_decay):
                update += self.weight_decay_rate * param
            next_param = param - self.learning_rate * update
            assignments.extend([param.assign(next_param), m.assign(next_m), v.assign(next_v)])
        return tf.group(*assignments, name=name)


def create_optimizer(loss, init_lr, num_train_steps, num_warmup_steps):
    global_step = tf.train.get_or_create_global_step()
    learning_rate = tf.train.polynomial_decay(tf.constant(value=init_lr, shape=[], dtype=tf.float32),
                                              global_step, num_train_steps, end_learning_rate=0.0, power=1.0)
    steps, warmup = tf.cast(global_step, tf.int32), tf.constant(num_warmup_steps, dtype=tf.int32)
    warmup_rate = init_lr * tf.cast(steps, tf.float32) / tf.cast(warmup, tf.float32)
    is_warmup = tf.cast(steps < warmup, tf.float32)
    learning_rate = (1.0 - is_warmup) * learning_rate + is_warmup * warmup_rate
    optimizer = AdamWeightDecayOptimizer(learning_rate, 0.01, exclude_from_weight_decay=["layer_norm", "LayerNorm", "bias"])
    tvars = tf.trainable_variables()
    (grads, _) = tf.clip_by_global_norm(tf.gradients(loss, tvars), clip_norm=1.0)
    train_op = optimizer.apply_gradients(zip(grads, tvars), global_step=global_step)
    return tf.group(train_op, [global_step.assign(global_step + 1)]), learning_rate


def model_fn_builder(config):
    def model_fn(features, labels, mode, params):
        sequence, table = bert_model(config, features["input_ids"], features["input_mask"], features["segment_ids"])
        picked = gather_indexes(sequence, features["masked_lm_positions"])
        with tf.variable_scope("cls/predictions"):
            with tf.variable_scope("transform"):
                picked = layer_norm(dense(picked, config.hidden_size, config, None, gelu))
            bias = tf.get_variable("output_bias", shape=[config.vocab_size], initializer=tf.zeros_initializer())
            logits = tf.nn.bias_add(tf.matmul(picked, table, transpose_b=True), bias)
            log_probs = tf.nn.log_softmax(logits, axis=-1)
            ids = tf.reshape(features["masked_lm_ids"], [-1])
            weights = tf.reshape(features["masked_lm_weights"], [-1])
            one_hot = tf.one_hot(ids, depth=config.vocab_size, dtype=tf.float32)
            per_example = -tf.reduce_sum(log_probs * one_hot, axis=[-1])
            loss = tf.reduce_sum(weights * per_example) / (tf.reduce_sum(weights) + 1e-5)
        if mode == tf.estimator.ModeKeys.TRAIN:
            train_op, rate = create_optimizer(loss, FLAGS.learning_rate, FLAGS.num_train_steps, FLAGS.num_warmup_steps)
            hook = tf.train.LoggingTensorHook({"loss": loss, "rate": rate}, every_n_iter=2, formatter=lambda t: (
                print("loss %.4f at rate %.5f" % (t["loss"], t["rate"])) or ""))
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, training_hooks=[hook])
        predictions = tf.argmax(log_probs, axis=-1, output_type=tf.int32)
        metrics = {"masked_lm_accuracy": tf.metrics.accuracy(ids, predictions, weights=weights),
                   "masked_lm_loss": tf.metrics.mean(per_example, weights=weights)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    return model_fn


def write_examples(path, config):
    rng = np.random.RandomState(0)
    writer = tf.python_io.TFRecordWriter(path)
    for _ in range(24):
        start, n = 4 + rng.randint(6), 5 + rng.randint(4)
        ids = [4 + (start + i) % (config.vocab_size - 4) for i in range(n)]
        positions = sorted([rng.randint(n // 2), n // 2 + rng.randint(n - n // 2)])
        answers = [ids[p] for p in positions]
        for p in positions:
            ids[p] = 3
        pad = [0] * (8 - n)
        values = collections.OrderedDict([
            ("input_ids", ids + pad), ("input_mask", [1] * n + pad), ("segment_ids", [0] * 8),
            ("masked_lm_positions", positions), ("masked_lm_ids", answers)])
        features = {k: tf.train.Feature(int64_list=tf.train.Int64List(value=v)) for k, v in values.items()}
        features["masked_lm_weights"] = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 1.0]))
        writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())
    writer.close()


def input_fn_builder(path, is_training):
    def input_fn(params):
        length, masked = FLAGS.max_seq_length, FLAGS.max_predictions_per_seq
        names = {name: tf.FixedLenFeature([length], tf.int64) for name in ("input_ids", "input_mask", "segment_ids")}
        names.update({name: tf.FixedLenFeature([masked], tf.int64) for name in ("masked_lm_positions", "masked_lm_ids")})
        names["masked_lm_weights"] = tf.FixedLenFeature([masked], tf.float32)

        def decode(record):
            example = tf.parse_single_example(record, names)
            for name in list(example.keys()):
                if example[name].dtype == tf.int64:
                    example[name] = tf.to_int32(example[name])
            return example

        d = tf.data.TFRecordDataset(path)
        d = d.repeat() if is_training else d
        return d.apply(tf.contrib.data.map_and_batch(decode, batch_size=params["batch_size"], drop_remainder=True))
    return input_fn


def main(_):
    tf.gfile.MakeDirs(FLAGS.output_dir)
    config = BertConfig(vocab_size=14)
    print(config.to_json_string())
    write_examples("train.tfrecord", config)
    run_config = tf.estimator.RunConfig(model_dir=FLAGS.output_dir, tf_random_seed=19)
    estimator = tf.estimator.Estimator(model_fn_builder(config), config=run_config, params={"batch_size": FLAGS.train_batch_size})
    estimator.train(input_fn_builder("train.tfrecord", True), max_steps=FLAGS.num_train_steps)
    result = estimator.evaluate(input_fn_builder("train.tfrecord", False), steps=6)
    for key in sorted(result):
        print(key, "%.2f" % result[key])
    for name, shape in tf.train.list_variables(FLAGS.output_dir)[:8]:
        print(name, shape)
    try:
        get_shape_list(tf.placeholder(tf.int32, [None], name="flat"), expected_rank=2)
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    tf.app.run()
