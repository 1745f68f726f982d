# Custom layers, losses, metrics, constraints, regularizers, initializers and add_loss.
import numpy as np
import tensorflow as tf

keras = tf.keras
K = keras.backend
layers = keras.layers
np.random.seed(17)
tf.set_random_seed(17)


class Attention(layers.Layer):
    """Weights the steps of a sequence by a learned score."""

    def __init__(self, units, **kwargs):
        self.units = units
        super(Attention, self).__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        size = input_shape[-1].value
        self.w = self.add_weight(name='w', shape=(size, self.units),
                                 initializer='glorot_uniform',
                                 regularizer=keras.regularizers.l2(0.01))
        self.u = self.add_weight(name='u', shape=(self.units,), initializer=my_init,
                                 constraint=keras.constraints.max_norm(1.5))
        self.trainable_weights_names = [self.w.name, self.u.name]
        super(Attention, self).build(input_shape)

    def call(self, inputs, mask=None):
        score = K.tanh(tf.tensordot(inputs, self.w, axes=1))
        score = tf.reduce_sum(score * self.u, -1)
        alpha = tf.nn.softmax(score)
        if mask is not None:
            alpha = alpha * tf.cast(mask, tf.float32)
        self.add_loss(0.001 * tf.reduce_sum(tf.square(alpha)), inputs=inputs)
        return tf.reduce_sum(inputs * tf.expand_dims(alpha, -1), axis=1)

    def compute_mask(self, inputs, mask=None):
        return None

    def compute_output_shape(self, input_shape):
        return tf.TensorShape([input_shape[0], input_shape[-1]])


def my_init(shape, dtype=None, partition_info=None):
    return K.random_normal(shape, stddev=0.5, dtype=dtype, seed=5)


def focal_loss(gamma=2.):
    def loss(y_true, y_pred):
        p = tf.clip_by_value(y_pred, 1e-4, 1 - 1e-4)
        ce = -y_true * tf.log(p) - (1 - y_true) * tf.log(1 - p)
        pt = tf.where(tf.equal(y_true, 1), p, 1 - p)
        return tf.reduce_mean(tf.pow(1 - pt, gamma) * ce, axis=-1)
    return loss


def f1(y_true, y_pred):
    y_pred = K.round(y_pred)
    tp = K.sum(y_true * y_pred)
    precision = tp / (K.sum(y_pred) + K.epsilon())
    recall = tp / (K.sum(y_true) + K.epsilon())
    return 2 * precision * recall / (precision + recall + K.epsilon())


words = np.random.randint(0, 20, (32, 6))
targets = (words[:, 0] > 9).astype('float32')[:, None]
sequence = keras.Input((6,), dtype='int32')
embedded = layers.Embedding(20, 5, mask_zero=True, name='embed')(sequence)
attended = Attention(4, name='attention')(embedded)
out = layers.Dense(1, activation=keras.activations.hard_sigmoid,
                   activity_regularizer=lambda t: 0.001 * K.sum(K.abs(t)))(attended)
model = keras.Model(sequence, out)
model.compile(keras.optimizers.Nadam(0.01, clipnorm=1.), focal_loss(1.5),
              metrics=[f1, 'binary_accuracy'])
print(model.metrics_names, len(model.losses))
history = model.fit(words, targets, batch_size=16, epochs=3, shuffle=False, verbose=0,
                    class_weight={0: 1., 1: 2.})
for key in sorted(history.history):
    print(key, np.round(history.history[key], 4))
print([(w.name, w.shape.as_list()) for w in model.get_layer('attention').weights])
weighted = model.test_on_batch(words, targets, sample_weight=np.linspace(0, 1, 32))
print(np.round(weighted, 4))

for name in ('Adagrad', 'Adamax', 'Adadelta', 'RMSprop', 'SGD', 'Adam'):
    tiny = keras.Sequential([layers.Dense(
        1, input_dim=2, use_bias=False, kernel_initializer=keras.initializers.Ones(),
        kernel_constraint=keras.constraints.non_neg())])
    tiny.compile(keras.optimizers.get(name), 'mean_absolute_error')
    losses = [tiny.train_on_batch(np.eye(2), np.array([[-1.], [3.]])) for _ in range(3)]
    print(name, np.round(losses, 4), np.round(tiny.get_weights()[0].ravel(), 4))
activations = ['elu', 'selu', 'softplus', 'softsign', 'relu', 'tanh', 'hard_sigmoid']
v = K.constant([-1., 0.5, 2.])
for name in activations:
    print(name, K.eval(keras.activations.get(name)(v)).round(4))
