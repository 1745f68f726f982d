"""Translation with attention and beam search: dates, as people write them, to ISO.

    python translation.py             # as a graph; --eager runs it eagerly
    python translation.py --short     # some seconds, to see that it runs

A network reads "the 3rd of march 1987" letter by letter and writes "1987-03-03". The
picture shows where it looked while it wrote each digit: nobody told it which letters
are the month.
"""

# %%
import argparse
import os

import numpy as np
from matplotlib import pyplot

import twinflow as tf

seq2seq = tf.contrib.seq2seq
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/translation", help="for all files")
options = parser.parse_args()
steps, UNITS, BATCH = (6, 16, 16) if options.short else (400, 64, 64)
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## Pairs to learn from
# Every date of a hundred years can be written in five ways, so the program makes its
# own pairs, and never sees most dates before it is asked for them.

# %%
MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december",
]  # fmt: skip
WAYS = [
    "{d} {month} {y}", "{month} {d}, {y}", "the {nth} of {month} {y}",
    "{d}.{m}.{y}", "{short} {d} {y}",
]  # fmt: skip
SOURCE = "~0123456789abcdefghijklmnopqrstuvwxyz .,"  # ~ fills up short texts
TARGET = "<>0123456789-"  # where a date begins and ends
LONGEST, WRITTEN = 30, 11
random = np.random.RandomState(0)


def date():
    """A date in words, and as it should be."""
    y, m, d = random.randint(1920, 2020), random.randint(1, 13), random.randint(1, 29)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(d if d < 20 else d % 10, "th")
    month = MONTHS[m - 1]
    said = WAYS[random.randint(len(WAYS))].format(
        d=d, m=m, y=y, month=month, short=month[:3], nth=f"{d}{ending}"
    )
    return said, f"{y}-{m:02}-{d:02}"


def coded(pairs):
    """int32 [pairs, LONGEST] letters, [pairs] lengths, [pairs, WRITTEN + 1] digits."""
    said, wanted = zip(*pairs)
    letters = [[SOURCE.index(c) for c in text.ljust(LONGEST, "~")] for text in said]
    digits = [[TARGET.index(c) for c in f"<{text}>"] for text in wanted]
    arrays = letters, [len(text) for text in said], digits
    return [np.array(a, np.int32) for a in arrays]


for _ in range(3):
    print("{:>24} -> {}".format(*date()))

# %% [markdown]
# ## The network
# A bidirectional GRU reads. Another one writes, and `AttentionWrapper` lets it look at
# what was read: at each digit it weighs all letters, and takes the mean.


# %%
def network(letters, lengths, digits=None, beam_width=1):
    """Logits where the digits are given; else the dates of beams and what was seen."""

    def embedded(name, characters):
        return tf.get_variable(name, [len(characters), 16])

    read, _ = tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(UNITS), tf.nn.rnn_cell.GRUCell(UNITS),
        tf.nn.embedding_lookup(embedded("letters", SOURCE), letters),
        sequence_length=lengths, dtype=tf.float32,
    )  # fmt: skip
    memory = tf.concat(read, 2)
    many = letters.shape[0].value * beam_width
    if beam_width > 1:  # each beam remembers the whole text
        memory = seq2seq.tile_batch(memory, beam_width)
        lengths = seq2seq.tile_batch(lengths, beam_width)
    attention = seq2seq.LuongAttention(UNITS, memory, lengths, scale=True)
    cell = seq2seq.AttentionWrapper(
        tf.nn.rnn_cell.GRUCell(UNITS, name="writer"), attention, UNITS,
        alignment_history=digits is None and beam_width == 1,
    )  # fmt: skip
    state = cell.zero_state(many, tf.float32)
    embedding = embedded("digits", TARGET)
    to_logits = tf.layers.Dense(len(TARGET), use_bias=False, name="to_logits")
    first, last = tf.fill([letters.shape[0].value], 0), 1
    if digits is not None:
        inputs = tf.nn.embedding_lookup(embedding, digits[:, :-1])
        helper = seq2seq.TrainingHelper(inputs, tf.fill([many], WRITTEN))
        decoder = seq2seq.BasicDecoder(cell, helper, state, to_logits)
    elif beam_width == 1:
        helper = seq2seq.GreedyEmbeddingHelper(embedding, first, last)
        decoder = seq2seq.BasicDecoder(cell, helper, state, to_logits)
    else:
        decoder = seq2seq.BeamSearchDecoder(
            cell, embedding, first, last, state, beam_width, to_logits
        )
    found, state, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=WRITTEN)
    if digits is not None:
        return found.rnn_output
    if beam_width > 1:
        return found.predicted_ids
    return found.sample_id, state.alignment_history.stack()


translator = tf.make_template("translator", network)
optimizer = tf.train.AdamOptimizer(5e-3)


def train(letters, lengths, digits):
    """One step: teacher forcing, and the mean cross entropy of a digit."""
    with tf.GradientTape() as tape:
        logits = translator(letters, lengths, digits)
        weights = tf.ones(digits[:, 1:].shape)
        loss = seq2seq.sequence_loss(logits, digits[:, 1:], weights)
    grads = tape.gradient(loss, translator.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 5.0)
    return loss, optimizer.apply_gradients(zip(grads, translator.trainable_variables))


# %% [markdown]
# `tf.make_template` makes the variables at the first call and takes them again at each
# other one: to train, to search with beams, and to look at the attention.

# %%
BEAMS, TESTS = 4, 16 if options.short else 200
if options.eager:

    def step(*arrays):
        return float(train(*map(tf.constant, arrays))[0])

    def search(letters, lengths):
        beams = translator(*map(tf.constant, (letters, lengths)), beam_width=BEAMS)
        return beams.numpy()

    def look(letters, lengths):
        return [t.numpy() for t in translator(*map(tf.constant, (letters, lengths)))]
else:
    shapes = [BATCH, LONGEST], [BATCH], [BATCH, WRITTEN + 1]
    feeds = [tf.placeholder(tf.int32, shape) for shape in shapes]
    tests = [tf.placeholder(tf.int32, shape) for shape in ([TESTS, LONGEST], [TESTS])]
    fetches = train(*feeds)
    beams, seen = translator(*tests, beam_width=BEAMS), translator(*tests)
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def step(*arrays):
        return session.run(fetches, dict(zip(feeds, arrays)))[0]

    def search(*arrays):
        return session.run(beams, dict(zip(tests, arrays)))

    def look(*arrays):
        return session.run(seen, dict(zip(tests, arrays)))


losses, bar = [], tf.keras.utils.Progbar(steps, stateful_metrics=["loss"])
for number in range(steps):
    losses.append(step(*coded([date() for _ in range(BATCH)])))
    bar.update(number + 1, [("loss", losses[-1])])

# %% [markdown]
# ## Beam search
# Writing the likeliest digit each time can lead into a corner. Beam search keeps the
# best four beginnings. Here are the best and the second best date for some texts, none
# of them written like this in training, or only by chance:

# %%
pairs = [date() for _ in range(TESTS)]
letters, lengths, _ = coded(pairs)
found = search(letters, lengths)


def written(digits):
    return "".join(TARGET[d] for d in digits).partition(">")[0]


answers = [[written(found[i, :, b]) for b in range(2)] for i in range(TESTS)]
for (said, _), (best, second) in list(zip(pairs, answers))[:5]:
    print(f"{said:>24} -> {best}   (or {second})")
right = np.mean([best == wanted for (best, _), (_, wanted) in zip(answers, pairs)])
print(f"{100 * right:.1f} % of {TESTS} new dates are right")

# %% [markdown]
# ## Where it looked
# One row for each digit written, one column for each letter read. The month is found
# wherever it stands, and so is the year, which comes last in every text and first in
# every answer.

# %%
digits, alignments = look(letters, lengths)
figure, axes = pyplot.subplots(1, 3, figsize=(11, 4.6))
axes[0].plot(losses)
axes[0].set(yscale="log", xlabel="step", title="Cross entropy of a digit")
wordy = [i for i, (said, _) in enumerate(pairs) if max(map(len, said.split())) > 4]
for i, axis in zip(wordy, axes[1:]):
    said = pairs[i][0]
    axis.imshow(alignments[:, i, : len(said)], cmap="viridis", aspect="auto")
    axis.set_xticks(range(len(said)), said, fontsize=9)
    axis.set_yticks(range(len(alignments)), [TARGET[d] for d in digits[i]])
    axis.set(xlabel="read", ylabel="written", title="Attention")
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "attention.png"), dpi=110)
print(f"The picture is {options.folder}/attention.png.")
