# A translator with LuongAttention: TrainingHelper, greedy decoding and beam search.
from __future__ import print_function
import numpy as np
import tensorflow as tf
from tensorflow.python.layers.core import Dense

rng = np.random.RandomState(12)
VOCAB, DIM, UNITS, BATCH, BEAM = 10, 8, 16, 12, 3
PAD, GO, EOS = 0, 1, 2


def get_batch():
    lengths = 2 + rng.randint(3, size=BATCH)
    source = np.zeros((BATCH, lengths.max()), np.int32)
    target = np.zeros((BATCH, lengths.max() + 1), np.int32)
    for i, n in enumerate(lengths):
        source[i, :n] = 3 + rng.randint(VOCAB - 3, size=n)
        target[i, :n] = 3 + (source[i, :n] - 3 + 1) % (VOCAB - 3)
        target[i, n] = EOS
    return source, lengths, target, lengths + 1


class Seq2SeqModel(object):
    def __init__(self, mode, use_beam_search=False):
        self.mode, self.use_beam_search = mode, use_beam_search
        self.source = tf.placeholder(tf.int32, [None, None], name="source")
        self.source_lengths = tf.placeholder(tf.int32, [None], name="source_lengths")
        self.batch_size = tf.shape(self.source)[0]
        init = tf.random_uniform_initializer(-0.3, 0.3, seed=5)
        with tf.variable_scope("encoder", initializer=init):
            embedding = tf.get_variable("embedding", [VOCAB, DIM])
            cell = tf.contrib.rnn.LSTMCell(UNITS)
            outputs, state = tf.nn.dynamic_rnn(
                cell, tf.nn.embedding_lookup(embedding, self.source),
                sequence_length=self.source_lengths, dtype=tf.float32)
        with tf.variable_scope("decoder", initializer=init):
            lengths, batch = self.source_lengths, self.batch_size
            if use_beam_search:
                outputs, state, lengths = [
                    tf.contrib.seq2seq.tile_batch(t, multiplier=BEAM) for t in (outputs, state, lengths)]
                batch = batch * BEAM
            attention = tf.contrib.seq2seq.LuongAttention(
                num_units=UNITS, memory=outputs, memory_sequence_length=lengths, scale=True)
            cell = tf.contrib.seq2seq.AttentionWrapper(
                tf.contrib.rnn.LSTMCell(UNITS), attention, attention_layer_size=UNITS, name="Attention")
            initial = cell.zero_state(batch, tf.float32).clone(cell_state=state)
            projection = Dense(VOCAB, kernel_initializer=tf.truncated_normal_initializer(stddev=0.1, seed=6))
            self.embedding = tf.get_variable("embedding", [VOCAB, DIM])
            if mode == "train":
                self._train(cell, initial, projection)
            else:
                self._decode(cell, initial, projection)

    def _train(self, cell, initial, projection):
        self.targets = tf.placeholder(tf.int32, [None, None], name="targets")
        self.target_lengths = tf.placeholder(tf.int32, [None], name="target_lengths")
        longest = tf.reduce_max(self.target_lengths, name="max_target_len")
        mask = tf.sequence_mask(self.target_lengths, longest, dtype=tf.float32, name="masks")
        ending = tf.strided_slice(self.targets, [0, 0], [self.batch_size, -1], [1, 1])
        decoder_input = tf.concat([tf.fill([self.batch_size, 1], GO), ending], 1)
        helper = tf.contrib.seq2seq.TrainingHelper(
            inputs=tf.nn.embedding_lookup(self.embedding, decoder_input),
            sequence_length=self.target_lengths, time_major=False, name="training_helper")
        decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, initial, output_layer=projection)
        outputs, final_state, lengths = tf.contrib.seq2seq.dynamic_decode(
            decoder, impute_finished=True, maximum_iterations=longest)
        self.logits = tf.identity(outputs.rnn_output)
        self.loss = tf.contrib.seq2seq.sequence_loss(self.logits, self.targets, mask)
        optimizer = tf.train.AdamOptimizer(0.02)
        params = tf.trainable_variables()
        clipped, self.norm = tf.clip_by_global_norm(tf.gradients(self.loss, params), 5.0)
        self.train_op = optimizer.apply_gradients(zip(clipped, params))

    def _decode(self, cell, initial, projection):
        start = tf.ones([self.batch_size, ], tf.int32) * GO
        if self.use_beam_search:
            decoder = tf.contrib.seq2seq.BeamSearchDecoder(
                cell=cell, embedding=self.embedding, start_tokens=start, end_token=EOS,
                initial_state=initial, beam_width=BEAM, output_layer=projection)
        else:
            helper = tf.contrib.seq2seq.GreedyEmbeddingHelper(self.embedding, start, EOS)
            decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, initial, output_layer=projection)
        outputs, _, self.lengths = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=6)
        self.decoded = outputs.predicted_ids if self.use_beam_search else outputs.sample_id


tf.set_random_seed(21)
model = Seq2SeqModel("train")
for v in tf.trainable_variables():
    print(v.name, v.shape)
print(model.logits)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(60):
        source, lengths, target, target_lengths = get_batch()
        loss, norm, _ = sess.run([model.loss, model.norm, model.train_op], {
            model.source: source, model.source_lengths: lengths,
            model.targets: target, model.target_lengths: target_lengths})
        if step < 3:
            print("step %d loss %.5f norm %.4f" % (step, loss, norm))
        elif step % 30 == 29:
            print("step %d perplexity %.1f" % (step, np.exp(loss)))
    path = saver.save(sess, "./seq2seq.ckpt")

for beam in (False, True):
    with tf.Graph().as_default(), tf.Session() as sess:
        model = Seq2SeqModel("decode", use_beam_search=beam)
        print(model.decoded)
        tf.train.Saver().restore(sess, path)
        source, lengths, target, target_lengths = get_batch()
        ids = sess.run(model.decoded, {model.source: source, model.source_lengths: lengths})
        best = ids[:, :, 0] if beam else ids
        firsts = (best[:, 0] == target[:, 0]).mean()
        print("beam" if beam else "greedy", ids.ndim, "first symbol right: %.1f" % firsts)
