# tf.keras fed by tf.data in graph mode; predictions, custom train loops, K.learning_phase.
import numpy as np
import tensorflow as tf
from tensorflow import keras

tf.set_random_seed(40)
rng = np.random.RandomState(40)
features = rng.rand(48, 6).astype(np.float32)
targets = (features.sum(1) > 3).astype(np.int32)


def input_fn(batch, repeat=True):
    ds = tf.data.Dataset.from_tensor_slices((features, targets))
    ds = ds.shuffle(48, seed=1).map(lambda x, y: (x * 2 - 1, y), num_parallel_calls=2)
    ds = ds.batch(batch, drop_remainder=True)
    return ds.repeat() if repeat else ds


model = keras.models.Sequential([
    keras.layers.Dense(16, activation=tf.nn.relu, input_shape=(6,)),
    keras.layers.BatchNormalization(momentum=0.5),
    keras.layers.Dropout(0.3),
    keras.layers.Dense(2, activation=tf.nn.softmax)])
model.compile(optimizer=tf.train.AdamOptimizer(0.01),
              loss='sparse_categorical_crossentropy', metrics=['accuracy'])
history = model.fit(input_fn(12), epochs=2, steps_per_epoch=4, verbose=0)
for key in sorted(history.history):
    print(key, np.round(history.history[key], 4))
iterator = input_fn(16).make_one_shot_iterator()
print(np.round(model.evaluate(iterator, steps=3, verbose=0), 4))
print(model.predict(input_fn(8), steps=2).shape)
x, y = input_fn(24).make_one_shot_iterator().get_next()
history = model.fit(x, y, steps_per_epoch=2, epochs=1, verbose=0)
print(sorted(history.history), len(history.history['loss']))

# The same layers in a loop of one's own.
net = keras.models.Sequential()
net.add(keras.layers.Dense(8, activation='tanh', input_shape=(6,), 
                           kernel_initializer=keras.initializers.lecun_normal(seed=5),
                           bias_initializer=keras.initializers.RandomUniform(seed=2)))
net.add(keras.layers.BatchNormalization())
net.add(keras.layers.Dense(2, kernel_initializer=keras.initializers.he_normal(seed=6)))
inputs = tf.placeholder(tf.float32, [None, 6])
labels = tf.placeholder(tf.int32, [None])
logits = net(inputs)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
step = tf.train.get_or_create_global_step()
with tf.control_dependencies(net.get_updates_for(inputs)):
    train = tf.train.GradientDescentOptimizer(0.2).minimize(loss, global_step=step)
print(len(net.updates), len(net.get_updates_for(inputs)), logits)
sess = keras.backend.get_session()
sess.run(tf.variables_initializer([v for v in tf.global_variables()
                                   if v.name.startswith('global_step')]))
for i in range(4):
    feed = {inputs: features, labels: targets, keras.backend.learning_phase(): 1}
    value, _ = sess.run([loss, train], feed)
    print('%d: %.4f' % (sess.run(step), value))
print('%.4f' % sess.run(loss, {inputs: features, labels: targets}))
moving = sess.run(net.layers[1].moving_mean)
print(moving.shape, np.round(moving[:3], 4))
for v in net.weights:
    print(v.name, v.shape, v.trainable)
copy = keras.models.clone_model(net)
copy.set_weights(net.get_weights())
print(np.allclose(copy.predict(features), net.predict(features), atol=1e-6))
