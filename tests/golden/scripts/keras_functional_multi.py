# Functional models: several inputs and outputs, shared layers, loss weights, Lambda.
import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers
from tensorflow.keras import backend as K

np.random.seed(0)
tf.set_random_seed(0)

headline = np.random.randint(1, 50, size=(40, 8))
additional = np.random.rand(40, 3)
labels = np.random.randint(0, 2, (40, 1))

main_input = Input(shape=(8,), dtype='int32', name='main_input')
x = layers.Embedding(output_dim=6, input_dim=50, input_length=8)(main_input)
lstm_out = layers.LSTM(5)(x)
auxiliary_output = layers.Dense(1, activation='sigmoid', name='aux_output')(lstm_out)
auxiliary_input = Input(shape=(3,), name='aux_input')
x = layers.concatenate([lstm_out, auxiliary_input])
x = layers.Dense(8, activation='relu')(x)
main_output = layers.Dense(1, activation='sigmoid', name='main_output')(x)
model = Model(inputs=[main_input, auxiliary_input],
              outputs=[main_output, auxiliary_output])
# Two towers with a shared encoder, compared by a distance.
shared = layers.Dense(4, activation='tanh', name='shared')
a, b = Input((6,)), Input((6,))
encoded_a, encoded_b = shared(a), shared(b)


def euclidean_distance(vects):
    x, y = vects
    return K.sqrt(K.maximum(K.sum(K.square(x - y), axis=1, keepdims=True), K.epsilon()))


def contrastive_loss(y_true, y_pred):
    margin = 1
    return K.mean(y_true * K.square(y_pred)
                  + (1 - y_true) * K.square(K.maximum(margin - y_pred, 0)))


def accuracy(y_true, y_pred):
    return K.mean(K.equal(y_true, K.cast(y_pred < 0.5, y_true.dtype)))


distance = layers.Lambda(euclidean_distance, output_shape=lambda s: (s[0][0], 1))(
    [encoded_a, encoded_b])
siamese = Model([a, b], distance)
model.compile(optimizer='rmsprop',
              loss={'main_output': 'binary_crossentropy',
                    'aux_output': 'binary_crossentropy'},
              loss_weights={'main_output': 1., 'aux_output': 0.2},
              metrics={'main_output': 'acc'})
history = model.fit({'main_input': headline, 'aux_input': additional},
                    {'main_output': labels, 'aux_output': labels},
                    epochs=2, batch_size=20, shuffle=False, verbose=0)
for key in sorted(history.history):
    print(key, np.round(history.history[key], 4))
print(model.metrics_names)
print([p.shape for p in model.predict([headline[:4], additional[:4]])])
print(model.input_names, model.output_names)
print([l.name for l in model.layers])

siamese.compile(loss=contrastive_loss, optimizer=tf.keras.optimizers.SGD(
    0.1, momentum=0.9, nesterov=True), metrics=[accuracy])
left = np.random.rand(32, 6)
same = np.random.randint(0, 2, 32)
right = np.where(same[:, None], left + 0.05 * np.random.randn(32, 6),
                 np.random.rand(32, 6))
for _ in range(3):
    print(np.round(siamese.train_on_batch([left, right], same.astype('float32')), 4))
print(siamese.get_layer('shared').get_output_at(1).shape,
      shared.input_shape, len(siamese.trainable_weights))
print(np.round(siamese.test_on_batch([left[:8], right[:8]], same[:8].astype('f')), 4))

# Merging layers.
p, q = Input((2, 3)), Input((2, 3))
outs = [layers.add([p, q]), layers.subtract([p, q]), layers.multiply([p, q]),
        layers.average([p, q]), layers.maximum([p, q]), layers.dot([p, q], axes=2),
        layers.Permute((2, 1))(p), layers.RepeatVector(2)(layers.Flatten()(q)),
        layers.Reshape((-1,))(p)]
merged = Model([p, q], outs)
values = np.arange(6.).reshape(1, 2, 3)
for out in merged.predict([values, values[:, ::-1]]):
    print(out.shape, out.sum(), out.ravel()[:4])
