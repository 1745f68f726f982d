# Recurrent keras models: stateful LSTM, GRU, Bidirectional, TimeDistributed, ConvLSTM.
from __future__ import print_function
import numpy as np
import tensorflow as tf
from tensorflow.keras import initializers, layers, models

np.random.seed(7)
tf.set_random_seed(7)
uniform = initializers.RandomUniform(-0.4, 0.4, seed=7)
seeded = dict(kernel_initializer=uniform, recurrent_initializer=uniform)


def create_dataset(dataset, look_back=3):
    dataX, dataY = [], []
    for i in range(len(dataset) - look_back):
        dataX.append(dataset[i:i + look_back, 0])
        dataY.append(dataset[i + look_back, 0])
    return np.array(dataX), np.array(dataY)


series = np.sin(np.arange(60) / 4.)[:, None].astype('float32')
trainX, trainY = create_dataset(series[:45])
testX, testY = create_dataset(series[40:])
trainX = np.reshape(trainX, (trainX.shape[0], trainX.shape[1], 1))
testX = np.reshape(testX, (testX.shape[0], testX.shape[1], 1))

model = models.Sequential()
model.add(layers.LSTM(4, batch_input_shape=(1, 3, 1), stateful=True,
                      kernel_initializer=uniform, recurrent_initializer=uniform))
model.add(layers.Dense(1, kernel_initializer=uniform))
model.compile(loss='mean_squared_error', optimizer='adam')
for i in range(1):
    model.fit(trainX[:20], trainY[:20], epochs=1, batch_size=1, verbose=0, shuffle=False)
    first = model.predict(testX[:2], batch_size=1)
    second = model.predict(testX[:2], batch_size=1)
    print(np.round(first.ravel(), 4), np.round(second.ravel(), 4))
    model.reset_states()
    print(np.round(model.predict(testX[:2], batch_size=1).ravel(), 4))
print([w.shape.as_list() for w in model.layers[0].weights])

model = models.Sequential([
    layers.Masking(mask_value=-1., input_shape=(None, 1)),
    layers.Bidirectional(layers.GRU(3, return_sequences=True, **seeded), merge_mode='concat'),
    layers.TimeDistributed(layers.Dense(2, activation='tanh', kernel_initializer=uniform)),
    layers.SimpleRNN(3, go_backwards=True, **seeded),
    layers.Dense(1, kernel_initializer=uniform)])
model.compile('rmsprop', 'mae')
padded = np.concatenate([trainX, -np.ones((len(trainX), 2, 1))], 1)
history = model.fit(padded, trainY, epochs=2, batch_size=21, shuffle=False, verbose=0)
print(np.round(history.history['loss'], 4))
print(np.allclose(model.predict(padded), model.predict(trainX), atol=1e-6))
print(model.count_params(), [l.name for l in model.layers])

encoder_inputs = layers.Input(shape=(None, 2))
_, state_h, state_c = layers.LSTM(4, return_state=True, **seeded)(encoder_inputs)
decoder_inputs = layers.Input(shape=(None, 2))
decoder_lstm = layers.LSTM(4, return_sequences=True, return_state=True, **seeded)
decoder_outputs, _, _ = decoder_lstm(decoder_inputs, initial_state=[state_h, state_c])
decoder_outputs = layers.Dense(2, activation='softmax', kernel_initializer=uniform)(decoder_outputs)
seq2seq = models.Model([encoder_inputs, decoder_inputs], decoder_outputs)
seq2seq.compile(optimizer='rmsprop', loss='categorical_crossentropy')
tokens = np.eye(2)[np.random.randint(0, 2, (12, 5))]
history = seq2seq.fit([tokens[:, ::-1], np.roll(tokens, 1, 1)], tokens, batch_size=6,
                      epochs=2, shuffle=False, verbose=0)
print(np.round(history.history['loss'], 4))
print(seq2seq.predict([tokens[:1], tokens[:1]]).shape)

cells = [layers.GRUCell(3), layers.LSTMCell(2)]
stacked = models.Sequential([layers.RNN(cells, input_shape=(4, 2))])
print(stacked.output_shape, len(stacked.weights))
frames = models.Sequential([
    layers.ConvLSTM2D(2, (3, 3), padding='same', return_sequences=True,
                      input_shape=(None, 5, 5, 1), **seeded),
    layers.BatchNormalization(),
    layers.Conv3D(1, (3, 3, 3), activation='sigmoid', padding='same',
                  kernel_initializer=uniform)])
frames.compile('adadelta', 'binary_crossentropy')
movie = np.random.rand(2, 4, 5, 5, 1)
print('%.4f' % frames.train_on_batch(movie, np.round(movie)), frames.predict(movie).shape)
