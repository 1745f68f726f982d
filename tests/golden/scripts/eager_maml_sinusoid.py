# MAML on sinusoids, eagerly: gradients through a step of gradient descent.
import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution()
np.random.seed(333)
tf.set_random_seed(333)


class SinusoidGenerator():
    def __init__(self, K=10):
        self.K = K
        self.amplitude = 0.1 + 4.9 * np.random.rand()
        self.phase = np.pi * np.random.rand()

    def batch(self):
        x = 10 * np.random.rand(self.K) - 5
        return (x.reshape(-1, 1).astype(np.float32),
                (self.amplitude * np.sin(x - self.phase)).reshape(-1, 1).astype(np.float32))


class SineModel(tf.keras.Model):
    def __init__(self):
        super(SineModel, self).__init__()
        self.hidden1 = tf.keras.layers.Dense(12, input_shape=(1,))
        self.hidden2 = tf.keras.layers.Dense(12)
        self.out = tf.keras.layers.Dense(1)

    def forward(self, x):
        x = tf.nn.relu(self.hidden1(x))
        x = tf.nn.relu(self.hidden2(x))
        return self.out(x)

    call = forward


def np_to_tensor(list_of_numpy_objs):
    return (tf.convert_to_tensor(obj) for obj in list_of_numpy_objs)


def loss_function(pred_y, y):
    return tf.reduce_mean(tf.square(pred_y - y))


def compute_loss(model, x, y, loss_fn=loss_function):
    logits = model.forward(x)
    return loss_fn(y, logits), logits


def fast(weights, x):
    w1, b1, w2, b2, w3, b3 = weights
    h = tf.nn.relu(tf.matmul(x, w1) + b1)
    h = tf.nn.relu(tf.matmul(h, w2) + b2)
    return tf.matmul(h, w3) + b3


def train_maml(model, steps, lr_inner=0.01):
    optimizer = tf.train.AdamOptimizer(0.005)
    losses = []
    for i in range(steps):
        t = SinusoidGenerator()
        x, y = np_to_tensor(t.batch())
        test_x, test_y = np_to_tensor(t.batch())
        with tf.GradientTape() as test_tape:
            with tf.GradientTape() as train_tape:
                train_loss, _ = compute_loss(model, x, y)
            gradients = train_tape.gradient(train_loss, model.trainable_variables)
            weights = [v - lr_inner * g
                       for v, g in zip(model.trainable_variables, gradients)]
            test_loss = loss_function(fast(weights, test_x), test_y)
        gradients = test_tape.gradient(test_loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(test_loss.numpy())
        print('Step {}: loss = {:.4f}'.format(i, losses[-1]))
    return losses


maml = SineModel()
maml.forward(tf.zeros([1, 1]))
print([v.shape.as_list() for v in maml.trainable_variables])
train_maml(maml, 10)

# The same outer gradient with the inner one stopped is another: first order.
task = SinusoidGenerator()
x, y = np_to_tensor(task.batch())
norms = []
for stop in (False, True):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss, _ = compute_loss(maml, x, y)
        grads = inner.gradient(loss, maml.trainable_variables)
        grads = [tf.stop_gradient(g) for g in grads] if stop else grads
        moved = [v - 0.01 * g for v, g in zip(maml.trainable_variables, grads)]
        after = loss_function(fast(moved, x), y)
    norms.append(tf.global_norm(outer.gradient(after, maml.trainable_variables)).numpy())
    print('%.4f' % loss, '%.4f' % after)
print(np.round(norms, 3))
