"""Wide and deep learning on invented census records, by DNNLinearCombinedClassifier."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import argparse
import shutil
import sys

import numpy as np
import tensorflow as tf

_CSV_COLUMNS = ['age', 'workclass', 'education', 'education_num', 'occupation', 'hours_per_week',
                'income_bracket']
_CSV_COLUMN_DEFAULTS = [[0], [''], [''], [0], [''], [0], ['']]

parser = argparse.ArgumentParser()
parser.add_argument('--model_dir', type=str, default='census_model')
parser.add_argument('--model_type', type=str, default='wide_deep')
parser.add_argument('--train_epochs', type=int, default=4)
parser.add_argument('--epochs_per_eval', type=int, default=2)
parser.add_argument('--batch_size', type=int, default=20)
parser.add_argument('--train_data', type=str, default='adult.data')
parser.add_argument('--test_data', type=str, default='adult.test')

EDUCATION = ['Bachelors', 'HS-grad', 'Masters', 'Doctorate']


def write_data(path, n, seed):
    rng = np.random.RandomState(seed)
    with open(path, 'w') as out:
        for _ in range(n):
            age, level = 18 + rng.randint(50), rng.randint(4)
            work = ['Private', 'Self-emp', 'State-gov'][rng.randint(3)]
            job = ['Sales', 'Tech', 'Farming', 'Exec'][rng.randint(4)]
            hours = 20 + rng.randint(40)
            rich = age + 12 * level + hours + 10 * rng.randn() > 100
            out.write('%d,%s,%s,%d,%s,%d,%s\n' % (
                age, work, EDUCATION[level], level + 9, job, hours, '>50K' if rich else '<=50K'))


def build_model_columns():
    age = tf.feature_column.numeric_column('age')
    education_num = tf.feature_column.numeric_column('education_num')
    hours_per_week = tf.feature_column.numeric_column('hours_per_week')
    education = tf.feature_column.categorical_column_with_vocabulary_list('education', EDUCATION)
    workclass = tf.feature_column.categorical_column_with_vocabulary_list(
        'workclass', ['Private', 'Self-emp', 'State-gov'])
    occupation = tf.feature_column.categorical_column_with_hash_bucket('occupation', hash_bucket_size=20)
    age_buckets = tf.feature_column.bucketized_column(age, boundaries=[25, 35, 45, 55])
    base_columns = [education, workclass, occupation, age_buckets]
    crossed_columns = [
        tf.feature_column.crossed_column(['education', 'occupation'], hash_bucket_size=50),
        tf.feature_column.crossed_column([age_buckets, 'education'], hash_bucket_size=50)]
    deep_columns = [age, education_num, hours_per_week,
                    tf.feature_column.indicator_column(workclass),
                    tf.feature_column.indicator_column(education),
                    tf.feature_column.embedding_column(occupation, dimension=4)]
    return base_columns + crossed_columns, deep_columns


def build_estimator(model_dir, model_type):
    wide_columns, deep_columns = build_model_columns()
    run_config = tf.estimator.RunConfig(tf_random_seed=1, save_summary_steps=1000).replace(
        session_config=tf.ConfigProto(device_count={'GPU': 0}))
    return tf.estimator.DNNLinearCombinedClassifier(
        model_dir=model_dir, linear_feature_columns=wide_columns, dnn_feature_columns=deep_columns,
        dnn_hidden_units=[16, 8], linear_optimizer=tf.train.FtrlOptimizer(0.01),
        dnn_optimizer=tf.train.AdagradOptimizer(0.02), config=run_config)


def input_fn(data_file, num_epochs, batch_size):
    assert tf.gfile.Exists(data_file), '%s not found.' % data_file

    def parse_csv(value):
        columns = tf.decode_csv(value, record_defaults=_CSV_COLUMN_DEFAULTS)
        features = dict(zip(_CSV_COLUMNS, columns))
        labels = features.pop('income_bracket')
        return features, tf.equal(labels, '>50K')

    dataset = tf.data.TextLineDataset(data_file)
    dataset = dataset.map(parse_csv, num_parallel_calls=2)
    dataset = dataset.repeat(num_epochs).batch(batch_size)
    iterator = dataset.make_one_shot_iterator()
    return iterator.get_next()


class Losses(tf.train.SessionRunHook):
    def begin(self):
        self.loss = tf.get_collection(tf.GraphKeys.LOSSES)[0]
        self.count = 0

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        self.count += 1
        if self.count <= 3:
            print('loss %.3f' % run_values.results)


def main(unused_argv):
    write_data(FLAGS.train_data, 120, 0)
    write_data(FLAGS.test_data, 60, 1)
    shutil.rmtree(FLAGS.model_dir, ignore_errors=True)
    model = build_estimator(FLAGS.model_dir, FLAGS.model_type)
    for n in range(FLAGS.train_epochs // FLAGS.epochs_per_eval):
        model.train(input_fn=lambda: input_fn(FLAGS.train_data, FLAGS.epochs_per_eval, FLAGS.batch_size),
                    hooks=[Losses()] if n == 0 else None)
        results = model.evaluate(input_fn=lambda: input_fn(FLAGS.test_data, 1, FLAGS.batch_size))
        print('Results at epoch', (n + 1) * FLAGS.epochs_per_eval)
        print('-' * 60)
        for key in sorted(results):
            print('%s: %.2f' % (key, results[key]))
    for name in sorted(model.get_variable_names()):
        if 'Ftrl' not in name and 'Adagrad' not in name:
            print(name, model.get_variable_value(name).shape)
    probabilities = [p['probabilities'][1] for p in model.predict(
        lambda: input_fn(FLAGS.test_data, 1, 30))]
    print(len(probabilities), 'predictions')


if __name__ == '__main__':
    tf.logging.set_verbosity(tf.logging.ERROR)
    FLAGS, unparsed = parser.parse_known_args()
    tf.app.run(main=main, argv=[sys.argv[0]] + unparsed)
