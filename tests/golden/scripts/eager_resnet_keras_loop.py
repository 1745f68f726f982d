# Subclassed convolutional blocks with shortcuts, lists of layers and a lr that decays.
from __future__ import print_function
import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT)
tf.set_random_seed(22)
np.random.seed(22)


def regularized_padded_conv(*args, **kwargs):
    return tf.keras.layers.Conv2D(
        *args, padding='same', use_bias=False, kernel_initializer='he_normal',
        kernel_regularizer=tf.keras.regularizers.l2(5e-4), **kwargs)


class BasicBlock(tf.keras.Model):
    def __init__(self, out_channels, strides=1, residual_path=False):
        super(BasicBlock, self).__init__()
        self.residual_path = residual_path
        self.conv1 = regularized_padded_conv(out_channels, 3, strides=strides)
        self.bn1 = tf.keras.layers.BatchNormalization()
        self.conv2 = regularized_padded_conv(out_channels, 3)
        self.bn2 = tf.keras.layers.BatchNormalization()
        if residual_path:
            self.down_conv = regularized_padded_conv(out_channels, 1, strides=strides)
            self.down_bn = tf.keras.layers.BatchNormalization()

    def call(self, inputs, training=None):
        residual = inputs
        x = tf.nn.relu(self.bn1(inputs, training=training))
        x = self.conv1(x)
        x = tf.nn.relu(self.bn2(x, training=training))
        x = self.conv2(x)
        if self.residual_path:
            residual = self.down_bn(inputs, training=training)
            residual = tf.nn.relu(residual)
            residual = self.down_conv(residual)
        return x + residual


class ResNet(tf.keras.Model):
    def __init__(self, block_list, num_classes, initial_filters=4, **kwargs):
        super(ResNet, self).__init__(**kwargs)
        self.in_channels = self.out_channels = initial_filters
        self.conv_initial = regularized_padded_conv(initial_filters, 3)
        self.blocks = tf.contrib.checkpoint.List()
        for block_id, layers in enumerate(block_list):
            for layer_id in range(layers):
                first = block_id != 0 and layer_id == 0
                self.blocks.append(BasicBlock(
                    self.out_channels, strides=2 if first else 1, residual_path=first))
                self.in_channels = self.out_channels
            self.out_channels *= 2
        self.final_bn = tf.keras.layers.BatchNormalization()
        self.avg_pool = tf.keras.layers.GlobalAveragePooling2D()
        self.fc = tf.keras.layers.Dense(num_classes)

    def call(self, inputs, training=None):
        out = self.conv_initial(inputs)
        for block in self.blocks:
            out = block(out, training=training)
        out = tf.nn.relu(self.final_bn(out, training=training))
        return self.fc(self.avg_pool(out))


y_train = np.random.randint(0, 3, 24)
x_train = (np.random.rand(24, 8, 8, 3) + 0.3 * y_train[:, None, None, None]).astype('f')
db = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(12)
model = ResNet([1, 1], 3, name='resnet')
model.build(input_shape=(None, 8, 8, 3))
print("Number of variables in the model :", len(model.variables))
print(sum(int(np.prod(v.shape)) for v in model.trainable_variables))
criteon = lambda labels, logits: tf.reduce_mean(
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
rate = tfe.Variable(0.01)
optimizer = tf.train.RMSPropOptimizer(learning_rate=rate)
for epoch in range(2):
    for step, (x, y) in enumerate(db):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = criteon(y, logits)
            penalty = tf.add_n(model.losses)
            total = loss + penalty
        grads = tape.gradient(total, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        print(epoch, step, 'loss: %.3f' % loss, 'penalty: %.3f' % penalty)
    rate.assign(rate * 0.5)
logits = model(x_train, training=False)
print(logits.shape, len(model.losses), '%.4f' % rate.numpy())
print([layer.name for layer in model.layers])
weights = model.get_weights()
model.set_weights([w * 0 for w in weights])
print(model(x_train[:1], training=False))
