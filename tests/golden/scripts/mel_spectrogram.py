# Log-mel spectrograms and cepstra of synthetic sounds, and a classifier of pitches.
import numpy as np
import tensorflow as tf

SAMPLE_RATE, SECONDS = 8000, 0.1
FRAME_LENGTH, FRAME_STEP, FFT = 256, 128, 256
rng = np.random.RandomState(1)


def tone(frequency):
    t = np.arange(int(SAMPLE_RATE * SECONDS)) / float(SAMPLE_RATE)
    wave = np.sin(2 * np.pi * frequency * t + rng.rand()) + 0.5 * np.sin(4 * np.pi * frequency * t)
    return (wave + 0.05 * rng.randn(len(t))).astype(np.float32)


signals = tf.placeholder(tf.float32, [None, None])
stfts = tf.contrib.signal.stft(signals, frame_length=FRAME_LENGTH, frame_step=FRAME_STEP, fft_length=FFT)
power_spectrograms = tf.real(stfts * tf.conj(stfts))
magnitude_spectrograms = tf.abs(stfts)
num_spectrogram_bins = magnitude_spectrograms.shape[-1].value
lower, upper, num_mel_bins = 80.0, 3800.0, 20
mel_matrix = tf.contrib.signal.linear_to_mel_weight_matrix(
    num_mel_bins, num_spectrogram_bins, SAMPLE_RATE, lower, upper)
mel_spectrograms = tf.tensordot(magnitude_spectrograms, mel_matrix, 1)
mel_spectrograms.set_shape(magnitude_spectrograms.shape[:-1].concatenate(mel_matrix.shape[-1:]))
log_mel = tf.log(mel_spectrograms + 1e-6)
mfccs = tf.contrib.signal.mfccs_from_log_mel_spectrograms(log_mel)[..., :13]
energy = tf.contrib.signal.frame(signals, FRAME_LENGTH, FRAME_STEP, pad_end=True)
loudness = tf.reduce_mean(tf.square(energy), -1)
inverse = tf.contrib.signal.inverse_stft(
    stfts, FRAME_LENGTH, FRAME_STEP, FFT,
    window_fn=tf.contrib.signal.inverse_stft_window_fn(FRAME_STEP))
print(stfts)
print(log_mel)
print(mfccs.shape, loudness.shape, mel_matrix.shape)

labels = tf.placeholder(tf.int64, [None])
features = tf.reduce_mean(log_mel, 1)
mean, variance = tf.nn.moments(features, [0])
features = tf.nn.batch_normalization(features, mean, variance, None, None, 1e-3)
with tf.variable_scope("classifier", initializer=tf.zeros_initializer()):
    w = tf.get_variable("w", [num_mel_bins, 3])
    b = tf.get_variable("b", [3])
logits = tf.nn.xw_plus_b(features, w, b)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

pitches = [220.0, 440.0, 880.0]
y = np.array([i % 3 for i in range(12)])
x = np.stack([tone(pitches[k]) for k in y])
np.set_printoptions(precision=3, suppress=True)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {signals: x, labels: y}
    mel, cepstra, loud = sess.run([log_mel, mfccs, loudness], feed)
    print("log mel", mel.shape, "mean %.3f" % mel.mean(), "loudest bin", mel[:3].mean(1).argmax(1))
    print("mfcc", cepstra[0, 0, :5])
    print("loudness", loud[0])
    back = sess.run(inverse, feed)
    middle = slice(FRAME_LENGTH, 512)
    print("inverse close:", back.shape, bool(np.abs(back[:, middle] - x[:, middle]).max() < 1e-3))
    for step in range(5):
        print("step %d loss %.4f" % (step, sess.run([loss, train], feed)[0]))
    print(sess.run(tf.argmax(logits, 1), feed))
