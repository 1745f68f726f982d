# Keras autoencoders: plain, sparse and denoising, with shared encoder and weights.
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import regularizers
from tensorflow.keras.layers import Dense, GaussianNoise, Input
from tensorflow.keras.models import Model, load_model

np.random.seed(9)
tf.set_random_seed(9)
x_train = np.random.rand(64, 20).astype('float32')
x_train[:, 10:] = x_train[:, :10] * 0.5
x_test = x_train[:16]

encoding_dim = 6
input_img = Input(shape=(20,), name='img')
encoded = Dense(encoding_dim, activation='relu',
                activity_regularizer=regularizers.l1(1e-4))(input_img)
decoded = Dense(20, activation='sigmoid')(encoded)
autoencoder = Model(input_img, decoded)
encoder = Model(input_img, encoded)
encoded_input = Input(shape=(encoding_dim,))
decoder_layer = autoencoder.layers[-1]
decoder = Model(encoded_input, decoder_layer(encoded_input))
noisy = Input((20,))
h = GaussianNoise(0.1)(noisy)
h = Dense(12, activation='tanh', kernel_initializer='he_normal')(h)
denoiser = Model(noisy, Dense(20, activation='linear')(h), name='denoiser')

autoencoder.compile(optimizer='adadelta', loss='binary_crossentropy')
history = autoencoder.fit(x_train, x_train, epochs=3, batch_size=16, shuffle=False,
                          validation_data=(x_test, x_test), verbose=0)
for key in sorted(history.history):
    print(key, np.round(history.history[key], 4))
encoded_imgs = encoder.predict(x_test)
decoded_imgs = decoder.predict(encoded_imgs)
print(encoded_imgs.shape, decoded_imgs.shape)
print(np.allclose(decoded_imgs, autoencoder.predict(x_test), atol=1e-6))

denoiser.compile(tf.keras.optimizers.RMSprop(lr=0.005), 'mse', metrics=['mae'])
denoiser.summary()
for epoch in range(2):
    print(np.round(denoiser.fit(x_train, x_train, batch_size=32, verbose=0,
                                shuffle=False).history['loss'], 4))
print(np.round(denoiser.evaluate(x_test, x_test, verbose=0), 4))

path = os.path.join(tempfile.mkdtemp(), 'denoiser.h5')
denoiser.save(path)
again = load_model(path)
print(again.name, again.optimizer.__class__.__name__,
      np.allclose(again.predict(x_test), denoiser.predict(x_test)))
print(np.round(again.train_on_batch(x_train[:32], x_train[:32]), 3).shape)
