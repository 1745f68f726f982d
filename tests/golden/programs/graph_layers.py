# --- functions and their names
x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.layers.dense(x, 2, activation=tf.nn.relu)
z = tf.layers.dense(y, 2, name="foo")
w = tf.layers.dense(z, 2, kernel_regularizer=tf.nn.l2_loss)
show(y, z, w, tf.global_variables(), tf.losses.get_regularization_losses())
show([n.name for n in tf.get_default_graph().get_operations() if "nitial" not in n.name])
# --- sharing by reuse
x = tf.placeholder(tf.float32, [None, 3])
a = tf.layers.dense(x, 2, name="foo", kernel_regularizer=tf.nn.l2_loss)
b = tf.layers.dense(x, 2, name="foo", reuse=True, kernel_regularizer=tf.nn.l2_loss)
show(b.name, len(tf.global_variables()), tf.losses.get_regularization_losses())
with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
    c = tf.layers.dense(x, 2, name="bar")
    d = tf.layers.dense(x, 2, name="bar")
show(c.name, d.name, [v.name for v in tf.global_variables()])
# --- a name that is not there to be shared
tf.layers.dense(tf.placeholder(tf.float32, [None, 3]), 2, name="bar", reuse=True)
# --- shared with another size
x = tf.placeholder(tf.float32, [None, 3])
tf.layers.dense(x, 2, name="foo")
tf.layers.dense(x, 3, name="foo", reuse=True)
# --- scopes and layers used twice
x = tf.placeholder(tf.float32, [None, 3])
with tf.variable_scope("a") as s:
    layer = tf.layers.Dense(3, name="q")
    show(layer(x).name, layer(x).name, layer.name, layer.scope_name)
    tf.layers.dense(x, 2)
with tf.variable_scope(s, reuse=True):
    show(tf.layers.dense(x, 2).name)
with tf.name_scope("one"):
    show(tf.layers.dense(x, 2).name)
with tf.name_scope("two"):
    show(layer(x).name)
show([v.name for v in tf.global_variables()])
show([tf.layers.Dense(1).name, tf.layers.Dense(1).name, tf.layers.Conv2D(1, 1).name])
# --- convolutions and pooling
x = tf.placeholder(tf.float32, [None, 8, 8, 3])
show(tf.layers.conv2d(x, 2, 3), tf.layers.conv2d_transpose(x, 2, 3, strides=2))
show(tf.layers.separable_conv2d(x, 2, 3, depth_multiplier=2), tf.layers.max_pooling2d(x, 2, 2))
show(tf.layers.average_pooling2d(x, 2, 2, padding="same"), tf.layers.flatten(x))
show(tf.layers.dropout(x), tf.layers.dropout(x, training=True))
show([(v.name, v.shape.as_list()) for v in tf.global_variables()])
# --- one and three axes
x, y = tf.placeholder(tf.float32, [None, 8, 3]), tf.placeholder(tf.float32, [None, 4, 4, 4, 3])
show(tf.layers.conv1d(x, 2, 3), tf.layers.separable_conv1d(x, 2, 3), tf.layers.max_pooling1d(x, 2, 2))
show(tf.layers.average_pooling1d(x, 2, 2), tf.layers.conv3d(y, 2, 3), tf.layers.max_pooling3d(y, 2, 2))
show(tf.layers.average_pooling3d(y, 2, 2), [(v.name, v.shape.as_list()) for v in tf.global_variables()])
# --- batch normalization and its updates
x = tf.placeholder(tf.float32, [None, 4, 4, 3])
y = tf.layers.batch_normalization(x, training=True)
z = tf.layers.batch_normalization(x, training=tf.placeholder(tf.bool), name="bn")
w = tf.layers.batch_normalization(tf.layers.flatten(x), training=True)
tf.layers.batch_normalization(x, training=False)
tf.layers.batch_normalization(x, training=True, trainable=False)
show([v.name for v in tf.global_variables()], [v.name for v in tf.trainable_variables()])
show([u.name for u in tf.get_collection(tf.GraphKeys.UPDATE_OPS)])
# --- values of batch normalization
x = tf.constant((np.arange(24) % 7).reshape(6, 4).astype(np.float32))
train = tf.placeholder_with_default(False, [])
y = tf.layers.batch_normalization(x, training=train, momentum=0.5)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(y), sess.run([y, tf.get_collection("update_ops")], {train: True})[0])
    show(sess.run(tf.global_variables()), sess.run(y))
# --- a class of one's own
class Scale(tf.layers.Layer):
    def build(self, shape):
        self.v = self.add_variable("v", [shape[-1].value], initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss)
        self.built = True
    def call(self, x):
        return x * self.v
x = tf.placeholder(tf.float32, [None, 3])
layer = Scale()
y = layer(x)
show(layer.name, layer.scope_name, y, layer.variables, layer.dtype, tf.losses.get_regularization_losses())
again = Scale(name="named"), Scale(name="named")
show([s(x).name for s in again], [v.name for s in again for v in s.variables])
# --- variables made in call
class Other(tf.layers.Layer):
    def call(self, x):
        return x * tf.get_variable("u", [])
layer = Other()
show(layer(tf.ones([2])), layer.variables, tf.global_variables())
# --- before a layer is used
tf.layers.Dense(2).scope_name
# --- an argument that is not known
tf.layers.Dense(2, foo=1)
# --- inputs that do not fit
tf.layers.conv2d(tf.ones([2, 3]), 1, 1)
# --- channels that are not known
tf.layers.dense(tf.placeholder(tf.float32, [3, None]), 2)
# --- another number of features at the second call
layer = tf.layers.Dense(2)
layer(tf.ones([2, 3]))
layer(tf.ones([2, 4]))
# --- settings
config = tf.layers.Dense(2, name="d").get_config()
show(sorted(config), config["kernel_initializer"], config["bias_initializer"])
