"""The premade DNNClassifier on flowers of our own, with a dataset input function."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import argparse
import numpy as np
import tensorflow as tf

CSV_COLUMN_NAMES = ['SepalLength', 'SepalWidth', 'PetalLength', 'PetalWidth', 'Species']
SPECIES = ['Setosa', 'Versicolor', 'Virginica']

parser = argparse.ArgumentParser()
parser.add_argument('--batch_size', default=30, type=int, help='batch size')
parser.add_argument('--train_steps', default=60, type=int, help='number of training steps')


def load_data(n, seed):
    rng = np.random.RandomState(seed)
    means = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])
    y = np.arange(n) % 3
    x = (means[y] + 0.25 * rng.randn(n, 4)).astype(np.float32)
    return {name: x[:, i] for i, name in enumerate(CSV_COLUMN_NAMES[:-1])}, y


def train_input_fn(features, labels, batch_size):
    dataset = tf.data.Dataset.from_tensor_slices((dict(features), labels))
    return dataset.shuffle(100, seed=7).repeat().batch(batch_size)


def eval_input_fn(features, labels, batch_size):
    features = dict(features)
    inputs = features if labels is None else (features, labels)
    dataset = tf.data.Dataset.from_tensor_slices(inputs)
    assert batch_size is not None, "batch_size must not be None"
    return dataset.batch(batch_size)


def main(argv):
    args = parser.parse_args(argv[1:])
    train_x, train_y = load_data(90, 0)
    test_x, test_y = load_data(30, 1)
    my_feature_columns = []
    for key in sorted(train_x.keys()):
        my_feature_columns.append(tf.feature_column.numeric_column(key=key))
    print(my_feature_columns[0])
    classifier = tf.estimator.DNNClassifier(
        feature_columns=my_feature_columns, hidden_units=[10, 10], n_classes=3,
        config=tf.estimator.RunConfig(model_dir='iris', tf_random_seed=3))
    classifier.train(input_fn=lambda: train_input_fn(train_x, train_y, args.batch_size),
                     steps=args.train_steps)
    eval_result = classifier.evaluate(input_fn=lambda: eval_input_fn(test_x, test_y, args.batch_size))
    print('\nTest set accuracy: {accuracy:0.3f}\n'.format(**eval_result))
    print(sorted(eval_result), 'loss %.1f' % eval_result['loss'])

    expected = ['Setosa', 'Versicolor', 'Virginica']
    predict_x = {'SepalLength': [5.1, 5.9, 6.9], 'SepalWidth': [3.3, 3.0, 3.1],
                 'PetalLength': [1.7, 4.2, 5.4], 'PetalWidth': [0.5, 1.5, 2.1]}
    predictions = classifier.predict(
        input_fn=lambda: eval_input_fn(predict_x, labels=None, batch_size=args.batch_size))
    template = 'Prediction is "{}" ({:.0f}%), expected "{}"'
    for pred_dict, expec in zip(predictions, expected):
        class_id = pred_dict['class_ids'][0]
        probability = pred_dict['probabilities'][class_id]
        print(template.format(SPECIES[class_id], 100 * probability, expec))
        print(sorted(pred_dict), pred_dict['classes'])

    linear = tf.estimator.LinearClassifier(
        my_feature_columns, n_classes=3, label_vocabulary=SPECIES, model_dir='iris_linear',
        optimizer=lambda: tf.train.FtrlOptimizer(0.1, l2_regularization_strength=0.01))
    names = np.array(SPECIES)[train_y]
    linear.train(lambda: eval_input_fn(train_x, names, 30), steps=3)
    print([str(p['classes'][0].decode()) for p in linear.predict(lambda: eval_input_fn(predict_x, None, 3))])
    print(np.round(linear.get_variable_value('linear/linear_model/PetalWidth/weights'), 4))


if __name__ == '__main__':
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.app.run(main)
