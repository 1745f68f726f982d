# Feature extraction and fine tuning: frozen bases, trainable flags, mobile blocks.
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.initializers import Orthogonal
from tensorflow.keras.layers import (
    Activation, AveragePooling2D, BatchNormalization, Conv2D, Dense, DepthwiseConv2D,
    Dropout, GlobalAveragePooling2D, Input, ReLU, SeparableConv2D, ZeroPadding2D, add,
)
from tensorflow.keras.models import Model, Sequential
from tensorflow.keras.regularizers import l1_l2

np.random.seed(30)
tf.set_random_seed(30)


def conv_block(inputs, filters, strides=(1, 1)):
    x = ZeroPadding2D(padding=((0, 1), (0, 1)), name='conv1_pad')(inputs)
    x = Conv2D(filters, (3, 3), padding='valid', use_bias=False, strides=strides,
               name='conv1')(x)
    x = BatchNormalization(axis=-1, name='conv1_bn')(x)
    return ReLU(6., name='conv1_relu')(x)


def depthwise_block(inputs, filters, block_id, strides=(1, 1)):
    x = DepthwiseConv2D((3, 3), padding='same', strides=strides, use_bias=False,
                        name='conv_dw_%d' % block_id)(inputs)
    x = BatchNormalization(name='conv_dw_%d_bn' % block_id)(x)
    x = ReLU(6., name='conv_dw_%d_relu' % block_id)(x)
    x = Conv2D(filters, (1, 1), padding='same', use_bias=False,
               name='conv_pw_%d' % block_id)(x)
    return BatchNormalization(name='conv_pw_%d_bn' % block_id)(x)


img_input = Input((16, 16, 3))
x = conv_block(img_input, 6, (2, 2))
x = depthwise_block(x, 8, 1)
y = SeparableConv2D(8, 3, padding='same', name='separable')(x)
x = Activation('relu', name='mixed')(add([x, y]))
x = AveragePooling2D(name='pool')(x)
base_model = Model(img_input, x, name='base')
print(base_model.output)
print(sum(K.count_params(w) for w in base_model.trainable_weights),
      sum(K.count_params(w) for w in base_model.non_trainable_weights))

head = GlobalAveragePooling2D()(base_model.output)
head = Dense(8, activation='relu', kernel_regularizer=l1_l2(0.001, 0.001))(head)
predictions = Dense(3, activation='softmax')(head)
model = Model(inputs=base_model.input, outputs=predictions)
for layer in base_model.layers:
    layer.trainable = False
model.compile(optimizer='rmsprop', loss='sparse_categorical_crossentropy',
              metrics=['sparse_categorical_accuracy'])
print(len(model.trainable_weights), len(model.non_trainable_weights))
images = np.random.rand(18, 16, 16, 3)
labels = np.random.randint(0, 3, 18)
frozen = base_model.get_layer('conv1').get_weights()[0]
history = model.fit(images, labels, batch_size=9, epochs=2, shuffle=False, verbose=0)
print(np.round(history.history['loss'], 4))
print(np.array_equal(frozen, base_model.get_layer('conv1').get_weights()[0]))

for i, layer in enumerate(model.layers[:4]):
    print(i, layer.name, layer.trainable)
for layer in model.layers[5:]:
    layer.trainable = True
model.compile(optimizer=tf.keras.optimizers.SGD(lr=0.01, momentum=0.9),
              loss='sparse_categorical_crossentropy')
print(len(model.trainable_weights))
print('%.4f' % model.train_on_batch(images[:9], labels[:9]))

features = Sequential([base_model, GlobalAveragePooling2D()])
codes = features.predict(images, batch_size=6)
print(codes.shape, [l.name for l in features.layers])
top = Sequential([Dense(4, input_shape=codes.shape[1:], activation='relu',
                        kernel_initializer=Orthogonal(seed=1)),
                  Dropout(0.5), Dense(1, activation='sigmoid',
                                      kernel_initializer=Orthogonal(seed=2))])
top.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
print(np.round(top.evaluate(codes, (labels > 0).astype(int), verbose=0)[0], 3))
app = tf.keras.applications.MobileNet(input_shape=(32, 32, 3), alpha=0.25, weights=None,
                                      classes=4)
print(app.name, len(app.layers), app.count_params(), app.output_shape)
scaled = tf.keras.applications.mobilenet.preprocess_input(np.full((1, 2, 2, 3), 255.))
vgg = tf.keras.applications.vgg16.preprocess_input(np.zeros((1, 1, 1, 3)))
print(scaled.max(), vgg.ravel())
