"""What must hold wherever there is an accelerator; run by test_devices.py."""

import numpy as np

import twinflow as tf
from twinflow.eager import context

tf.enable_eager_execution()
tfe = tf.contrib.eager
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"

assert tfe.num_gpus() >= 1
assert tfe.list_devices()[:2] == [CPU, GPU]

x = tf.constant(np.arange(16.0).reshape(4, 4) / 16)
g = x.gpu()
assert (x.device, g.device, g.cpu().device) == (CPU, GPU, CPU)

# Ops run where their inputs are, or where the scope says.
for y, expected in (
    (g @ g, x @ x),
    (tf.concat([g, x], 0), tf.concat([x, x], 0)),
    (tf.gather(g, [0, 2]), tf.gather(x, [0, 2])),
    (tf.split(g, 2)[1], tf.split(x, 2)[1]),
    (tf.nn.softmax(g) + 1.0, tf.nn.softmax(x) + 1.0),
    (tf.cast(g * 16, tf.int32) // 3, tf.cast(x * 16, tf.int32) // 3),
):
    assert y.device == GPU
    assert y.dtype is expected.dtype
    np.testing.assert_allclose(y.numpy(), expected.numpy(), rtol=1e-12)
with tf.device("/gpu:0"):
    assert tf.constant([1.0]).device == (x + x).device == GPU
    assert tf.random_normal([3]).device == GPU
    v = tfe.Variable([1.0, 2.0])
with tf.device("/cpu:0"):
    assert (g + g).device == CPU
assert str(g[0, :2]) == str(x[0, :2])
assert float(g[0, 1]) == float(x[0, 1])

# Tapes, variables and optimizers.
with tf.GradientTape() as tape:
    tape.watch(g)
    loss = tf.reduce_sum(tf.square(g)) * tf.cast(v[0], tf.float64)
dg, dv = tape.gradient(loss, [g, v])
assert dg.device == dv.device == GPU
np.testing.assert_allclose(dg.numpy(), 2 * x.numpy())
v.assign_add([1.0, 1.0])
assert v.device == GPU
assert v.numpy().tolist() == [2.0, 3.0]
v.assign([5.0, 6.0])
tf.train.GradientDescentOptimizer(1.0).apply_gradients([(dv, v)])
np.testing.assert_allclose(v.numpy(), [5 - np.square(x.numpy()).sum(), 6.0], rtol=1e-6)
f = tfe.defun(lambda t: tf.reduce_sum(t * v))
np.testing.assert_allclose(float(f(v.value())), np.square(v.numpy()).sum(), rtol=1e-6)

# Device policies: what happens to inputs on another device than the op's.
try:
    context.configure(None, tfe.DEVICE_PLACEMENT_EXPLICIT, None)
    g + x
except tf.errors.InvalidArgumentError as error:
    assert "Tensors on conflicting devices: cannot compute Add as input #1" in str(
        error
    )
else:
    raise AssertionError("a copy was made silently")
finally:
    context.configure(None, tfe.DEVICE_PLACEMENT_SILENT, None)

print("ok")
