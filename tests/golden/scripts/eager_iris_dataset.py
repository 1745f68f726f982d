# The custom training walkthrough: a csv file, a dataset, a keras model, tfe.metrics.
from __future__ import absolute_import, division, print_function

import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution()
tf.set_random_seed(0)

rng = np.random.RandomState(0)
path = os.path.join(tempfile.mkdtemp(), 'iris_training.csv')
with open(path, 'w') as f:
    f.write('90,4,setosa,versicolor,virginica\n')
    for n in range(90):
        kind = n * 7 % 3
        values = np.round(rng.rand(4) + kind * np.array([.5, -.3, .8, .4]) + 3, 1)
        f.write(','.join(str(v) for v in values) + ',%d\n' % kind)

column_names = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width', 'species']
class_names = ['Iris setosa', 'Iris versicolor', 'Iris virginica']
feature_names = column_names[:-1]
label_name = column_names[-1]
batch_size = 32
train_dataset = tf.contrib.data.make_csv_dataset(
    path, batch_size, column_names=column_names, label_name=label_name, num_epochs=1,
    shuffle=False)
features, labels = next(iter(train_dataset))
print(list(features), labels.numpy()[:10])


def pack_features_vector(features, labels):
    """Pack the features into a single array."""
    features = tf.stack(list(features.values()), axis=1)
    return features, labels


train_dataset = train_dataset.map(pack_features_vector)
features, labels = next(iter(train_dataset))
print(features[:3])

model = tf.keras.Sequential([
    tf.keras.layers.Dense(10, activation=tf.nn.relu, input_shape=(4,)),
    tf.keras.layers.Dense(10, activation=tf.nn.relu),
    tf.keras.layers.Dense(3)
])
predictions = model(features)
print(tf.nn.softmax(predictions[:2]))
print("Prediction: {}".format(tf.argmax(predictions, axis=1)[:10]))


def loss(model, x, y):
    y_ = model(x)
    return tf.losses.sparse_softmax_cross_entropy(labels=y, logits=y_)


def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        loss_value = loss(model, inputs, targets)
    return loss_value, tape.gradient(loss_value, model.trainable_variables)


optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.01)
global_step = tf.train.get_or_create_global_step()
loss_value, grads = grad(model, features, labels)
print("Step: {}, Initial Loss: {:.4f}".format(global_step.numpy(), loss_value.numpy()))
optimizer.apply_gradients(zip(grads, model.variables), global_step)
print("Step: {},         Loss: {:.4f}".format(
    global_step.numpy(), loss(model, features, labels).numpy()))

train_loss_results = []
for epoch in range(9):
    epoch_loss_avg = tfe.metrics.Mean()
    epoch_accuracy = tfe.metrics.Accuracy()
    for x, y in train_dataset:
        loss_value, grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.variables), global_step)
        epoch_loss_avg(loss_value)
        epoch_accuracy(tf.argmax(model(x), axis=1, output_type=tf.int32), y)
    train_loss_results.append(epoch_loss_avg.result())
    if epoch % 4 == 0:
        print("Epoch {:03d}: Loss: {:.4f}, Accuracy: {:.2%}".format(
            epoch, epoch_loss_avg.result(), epoch_accuracy.result()))
predict_dataset = tf.convert_to_tensor([[3.3, 3.5, 3.2, 3.4], [4.2, 2.9, 5., 4.1]])
for i, logits in enumerate(model(predict_dataset)):
    class_idx = tf.argmax(logits).numpy()
    p = tf.nn.softmax(logits)[class_idx]
    print("Example {} prediction: {} ({:4.1f}%)".format(i, class_names[class_idx], 100 * p))
print(len(train_loss_results), global_step)
