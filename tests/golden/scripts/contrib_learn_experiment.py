# tf.contrib.learn of 2016: a DNNClassifier over an input_fn, an Experiment, a vocabulary.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.contrib import learn
learn_runner = learn.learn_runner

tf.logging.set_verbosity(tf.logging.ERROR)
COLUMNS = ['length', 'width']
rng = np.random.RandomState(11)
train_x = rng.randn(60, 2).astype(np.float32)
train_y = (train_x[:, 0] * 1.5 - train_x[:, 1] > 0.3).astype(np.int64)
test_x = rng.randn(20, 2).astype(np.float32)
test_y = (test_x[:, 0] * 1.5 - test_x[:, 1] > 0.3).astype(np.int64)


def input_fn(data, target):
    def fn():
        features = {k: tf.constant(data[:, i:i + 1]) for i, k in enumerate(COLUMNS)}
        return features, tf.constant(target[:, np.newaxis])
    return fn


def columns():
    real = [tf.contrib.layers.real_valued_column(k) for k in COLUMNS]
    return real + [tf.contrib.layers.bucketized_column(real[0], boundaries=[-1., 0., 1.])]


def classifier(model_dir, seed=7):
    return learn.DNNClassifier(
        hidden_units=[8, 4], feature_columns=columns()[:2], n_classes=2,
        model_dir=model_dir, optimizer=tf.train.AdagradOptimizer(0.3),
        activation_fn=tf.nn.tanh, config=learn.RunConfig(tf_random_seed=seed))


def classify():
    model = classifier('dnn')
    model.fit(input_fn=input_fn(train_x, train_y), steps=20)
    scores = model.evaluate(input_fn=input_fn(test_x, test_y), steps=1)
    for key in sorted(scores):
        print('%s: %.4f' % (key, scores[key]))
    print(list(model.predict_classes(input_fn=input_fn(test_x[:6], test_y[:6]))))
    for p in list(model.predict_proba(input_fn=input_fn(test_x[:2], test_y[:2]))):
        print(p.round(4))
    for name in sorted(model.get_variable_names()):
        if 'Adagrad' not in name:
            print(name, model.get_variable_value(name).shape)


def linear():
    model = learn.LinearClassifier(
        feature_columns=columns(), optimizer=tf.train.FtrlOptimizer(0.2), model_dir='linear')
    monitor = learn.monitors.ValidationMonitor(
        input_fn=input_fn(test_x, test_y), every_n_steps=10, eval_steps=1)
    model.partial_fit(input_fn=input_fn(train_x, train_y), steps=15, monitors=[monitor])
    weights = model.get_variable_value('linear/length/weight')
    print('linear', weights.round(4), model.get_variable_value('global_step'))


def experiment_fn(run_config, hparams):
    return learn.Experiment(
        estimator=learn.DNNRegressor(
            hidden_units=[hparams.units], feature_columns=columns()[:2],
            config=run_config, gradient_clip_norm=2.0),
        train_input_fn=input_fn(train_x, train_x[:, 0] * 2),
        eval_input_fn=input_fn(test_x, test_x[:, 0] * 2),
        train_steps=12, eval_steps=1,
        eval_metrics={'error': learn.MetricSpec(
            metric_fn=tf.contrib.metrics.streaming_root_mean_squared_error)})


def experiment():
    results = learn_runner.run(
        experiment_fn=experiment_fn,
        run_config=learn.RunConfig(model_dir='experiment', tf_random_seed=3),
        hparams=tf.contrib.training.HParams(units=6), schedule='train_and_evaluate')
    print({k: round(float(v), 4) for k, v in sorted(results[0].items())}, results[1])


def words():
    documents = ['the cat sat', 'a dog sat on the dog', 'dogs sleep', "it's the cat"]
    processor = learn.preprocessing.VocabularyProcessor(max_document_length=5)
    ids = np.array(list(processor.fit_transform(documents)))
    print(ids, len(processor.vocabulary_))
    processor.save('vocab')
    restored = learn.preprocessing.VocabularyProcessor.restore('vocab')
    print(np.array(list(restored.transform(['the bird sat on a cat today']))))
    print(list(restored.reverse([[1, 2, 0]])), processor.vocabulary_.get('dog'))
    rare = learn.preprocessing.VocabularyProcessor(4, min_frequency=1)
    print(np.array(list(rare.fit_transform(documents))), sorted(rare.vocabulary_._mapping))
    print([list(t) for t in learn.preprocessing.tokenizer(["Hello, world! It's 2 o'clock"])])


classify()
linear()
experiment()
words()
