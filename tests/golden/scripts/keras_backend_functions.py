# keras.backend: functions, gradients, feature extraction, saliency and a session shared.
from __future__ import print_function
import numpy as np
import tensorflow as tf
from tensorflow.python.keras import backend as K
from tensorflow.python.keras.layers import Conv2D, Dense, Flatten, Input, MaxPool2D
from tensorflow.python.keras.models import Model, Sequential

np.random.seed(10)
sess = tf.Session()
K.set_session(sess)
tf.set_random_seed(10)

model = Sequential([
    Conv2D(4, 3, activation='relu', padding='same', input_shape=(6, 6, 1), name='conv'),
    MaxPool2D(name='pool'), Flatten(name='flat'),
    Dense(8, activation='relu', name='fc'), Dense(3, activation='softmax', name='probs')])
x = np.random.rand(2, 6, 6, 1).astype('float32')
# Keras layers on a TensorFlow placeholder, trained by a TensorFlow optimizer.
img = tf.placeholder(tf.float32, shape=(None, 12))
labels = tf.placeholder(tf.float32, shape=(None, 3))
h = Dense(9, activation='relu', kernel_initializer='glorot_normal')(img)
preds = Dense(3, activation='softmax')(h)

layer_dict = dict([(layer.name, layer) for layer in model.layers])
get_conv = K.function([model.layers[0].input], [layer_dict['conv'].output])
print(get_conv([x])[0].shape)
with_phase = K.function([model.input, K.learning_phase()], [model.output])
print(np.round(with_phase([x, 0])[0], 4), K.learning_phase())
extractor = Model(inputs=model.input, outputs=model.get_layer('fc').output)
print(extractor.predict(x).shape, extractor.output)

loss = K.mean(layer_dict['conv'].output[:, :, :, 1])
grads = K.gradients(loss, model.input)[0]
grads /= (K.sqrt(K.mean(K.square(grads))) + 1e-5)
iterate = K.function([model.input], [loss, grads])
image = x[:1].copy()
for i in range(3):
    loss_value, grads_value = iterate([image])
    image += grads_value * 0.1
    print('ascent %d: %.5f' % (i, loss_value))

last = model.output[:, 0]
cam_grads = K.gradients(last, layer_dict['conv'].output)[0]
pooled = K.mean(cam_grads, axis=(0, 1, 2))
pooled_value, conv_value = K.function(
    [model.input], [pooled, layer_dict['conv'].output[0]])([x])
heatmap = np.mean(conv_value * pooled_value, axis=-1)
print(heatmap.shape, np.round(pooled_value * 1000, 3))

loss = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(labels, preds))
train_step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with sess.as_default():
    sess.run(tf.global_variables_initializer())
    data = np.random.rand(30, 12)
    hot = np.eye(3)[data[:, :3].argmax(1)]
    for i in range(4):
        value, _ = sess.run([loss, train_step], feed_dict={img: data, labels: hot})
        print('loss %.5f' % value)

v = K.variable(np.array([[1., 2.], [3., 4.]]), name='v')
K.set_value(v, K.get_value(v) + 1)
print(K.eval(K.dot(v, K.transpose(v))).tolist(), K.int_shape(v), K.ndim(v), K.dtype(v))
print(K.eval(K.batch_dot(K.ones((2, 3, 4)), K.ones((2, 4, 5)))).shape)
print(K.eval(K.one_hot(K.constant([0, 2], dtype='int32'), 3)).tolist())
print(K.eval(K.softmax(K.constant([[1., 2., 3.]]))).round(4))
print(K.eval(K.concatenate([K.zeros((1, 2)), K.ones((1, 2))])).tolist())
step = K.update_add(v, K.ones_like(v))
print(sess.run(step).tolist(), K.eval(K.std(v)))
state, outs = [K.zeros((2, 3))], None
rnn_out = K.rnn(lambda inp, st: (inp + st[0], [inp + st[0]]), K.ones((2, 4, 3)), state)
print(K.eval(rnn_out[0])[0].tolist(), K.eval(rnn_out[1]).shape)
print(K.backend(), K.floatx(), K.epsilon(), K.image_data_format(), K.is_keras_tensor(img))
print(K.eval(K.switch(K.constant(True, dtype='bool'), v * 2, v)).tolist())
print(K.eval(K.resize_images(K.ones((1, 2, 2, 1)), 2, 3, 'channels_last')).shape)
