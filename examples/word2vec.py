"""Words as vectors: word2vec with noise-contrastive estimation, and the projector.

    python word2vec.py                # as a graph; --eager runs it eagerly
    python word2vec.py --short        # some seconds, to see that it runs

A word is known by the words around it. The program makes a small language, reads it
word by word, and learns for each word a vector from which its neighbours can be told.
Words that are used alike end up side by side, though nobody said what they mean.
"""

# %% [markdown]
# The options are the same in every example: one for the mode, one for a short look, and
# the one folder into which anything is written.

# %%
import argparse
import os

import numpy as np
from matplotlib import pyplot
from sklearn.manifold import TSNE

import twinflow as tf
from twinflow.contrib.tensorboard.plugins import projector

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/word2vec", help="where all files go")
options = parser.parse_args()
steps = 60 if options.short else 4000
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## A small language
# Every sentence says who does what to what, and when. Five groups of words, and a few
# that hold them together; the groups are what the vectors should find out.

# %%
GROUPS = {
    "animals": "cat dog horse mouse lion rabbit goat fox",
    "people": "teacher doctor farmer singer baker sailor painter judge",
    "food": "bread cheese soup apples honey rice carrots pie",
    "times": "monday tuesday friday sunday morning evening summer winter",
    "deeds": "buys cooks feeds calls paints eats steals follows hears fears",
}
GROUPS = {name: words.split() for name, words in GROUPS.items()}
random = np.random.RandomState(0)


def sentence():
    """`the baker cooks soup on friday`, and the like."""
    person, animal = random.choice(GROUPS["people"]), random.choice(GROUPS["animals"])
    food, deeds = random.choice(GROUPS["food"]), GROUPS["deeds"]
    middle = [
        [person, random.choice(deeds[:2]), food],
        [person, random.choice(deeds[2:5]), "the", animal],
        [animal, random.choice(deeds[5:7]), food],
        [animal, random.choice(deeds[7:]), "the", person],
    ][random.randint(4)]
    return ["the", *middle, "on", random.choice(GROUPS["times"])]


text = [word for _ in range(4000) for word in sentence()]
words = sorted(set(text), key=lambda word: (-text.count(word), word))
codes = np.array([words.index(word) for word in text], np.int32)
print(f"{len(text)} words, {len(words)} different ones: {' '.join(text[:14])} ...")

# %% [markdown]
# ## The model
# The chance of a neighbour would take a softmax over all words. `tf.nn.nce_loss` asks
# an easier question instead: is this a true neighbour, or one of eight drawn at random?
# The sampler draws frequent words (small numbers) more often, which is why the words
# are sorted by how often they occur.

# %%
SIZE, BATCH, WINDOW = 24, 256, 2
embeddings = tf.get_variable(
    "embeddings", [len(words), SIZE], initializer=tf.random_uniform_initializer(-1, 1)
)
weights = tf.get_variable(
    "nce/weights", [len(words), SIZE],
    initializer=tf.truncated_normal_initializer(stddev=SIZE**-0.5),
)  # fmt: skip
biases = tf.get_variable("nce/biases", [len(words)], initializer=tf.zeros_initializer())
optimizer = tf.train.AdagradOptimizer(1.0)


def train(centers, neighbours):
    """One step: the loss, and what changes the variables."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.nce_loss(
            weights, biases, labels=neighbours,
            inputs=tf.nn.embedding_lookup(embeddings, centers),
            num_sampled=8, num_classes=len(words),
        ))  # fmt: skip
    variables = [embeddings, weights, biases]
    grads = tape.gradient(loss, variables)
    return loss, optimizer.apply_gradients(zip(grads, variables))


def batch():
    """int32[BATCH] words, and int32[BATCH, 1] words at most WINDOW away from them."""
    centers = random.randint(WINDOW, len(codes) - WINDOW, BATCH)
    apart = random.randint(1, WINDOW + 1, BATCH) * random.choice([-1, 1], BATCH)
    return codes[centers], codes[centers + apart][:, None]


# %% [markdown]
# ## Both modes
# Eagerly, `train` runs at each call. In a graph it runs once, on placeholders, and a
# session runs what it made. The rest of the program sees only `step` and `value`.

# %%
if options.eager:

    def step(*arrays):
        return float(train(*map(tf.constant, arrays))[0])

    def value(variable):
        return variable.numpy()
else:
    feeds = tf.placeholder(tf.int32, [BATCH]), tf.placeholder(tf.int32, [BATCH, 1])
    fetches = train(*feeds)
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def step(*arrays):
        return session.run(fetches, dict(zip(feeds, arrays)))[0]

    def value(variable):
        return session.run(variable)


losses, bar = [], tf.keras.utils.Progbar(steps, stateful_metrics=["loss"])
for number in range(steps):
    losses.append(step(*batch()))
    if number % 20 == 19:
        bar.update(number + 1, [("loss", np.mean(losses[-100:]))])

# %% [markdown]
# ## What was learned
# The nearest words by the angle between vectors:

# %%
vectors = value(embeddings)
vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
group_of = {word: name for name, group in GROUPS.items() for word in group}
nearest = np.argsort(-vectors @ vectors.T, axis=1)[:, 1:6]
for word in ("cat", "doctor", "cheese", "sunday"):
    print(f"{word:>8}: {', '.join(words[i] for i in nearest[words.index(word)])}")
alike = [
    group_of.get(words[i]) == group_of[word]
    for word in group_of
    for i in nearest[words.index(word)]
]
print(f"{100 * np.mean(alike):.0f} % of the nearest five are of the same group")

# %% [markdown]
# Twenty-four dimensions do not fit on paper; t-SNE, of scikit-learn, keeps near what is
# near, and that is all that it keeps:

# %%
known = [i for i, word in enumerate(words) if word in group_of]
places = TSNE(perplexity=8, random_state=0).fit_transform(vectors[known])
figure, (left, right) = pyplot.subplots(
    1, 2, figsize=(10.5, 5), gridspec_kw={"width_ratios": [2, 1]}
)
for name in GROUPS:
    chosen = [k for k, i in enumerate(known) if group_of[words[i]] == name]
    left.scatter(*places[chosen].T, s=22, label=name)
for k, i in enumerate(known):
    left.annotate(words[i], places[k], xytext=(4, 3), textcoords="offset points",
                  fontsize=8)  # fmt: skip
left.set(xticks=[], yticks=[], title="Words that are used alike lie together")
left.margins(0.12)
left.legend(fontsize=8)
window = min(50, len(losses))
right.plot(np.convolve(losses, np.ones(window) / window, "valid"), color="C0")
right.set(xlabel="step", title="Loss, averaged over 50 steps")
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "words.png"), dpi=110)

# %% [markdown]
# ## The projector
# TensorBoard's projector turns all of the space with the mouse. It wants a checkpoint
# with the vectors, a file with the names of the rows, and a note that brings the two
# together: `tensorboard --logdir output/word2vec` then has a tab *Projector*.

# %%
with open(os.path.join(options.folder, "words.tsv"), "w") as file:
    file.write("word\tgroup\n")
    file.writelines(f"{word}\t{group_of.get(word, 'other')}\n" for word in words)
config = projector.ProjectorConfig()
config.embeddings.add(tensor_name="embeddings", metadata_path="words.tsv")
saver = tf.train.Saver({"embeddings": embeddings})
saver.save(None if options.eager else session, os.path.join(options.folder, "model"))
with tf.Graph().as_default(), tf.summary.FileWriter(options.folder) as writer:
    projector.visualize_embeddings(writer, config)
print(f"The picture is {options.folder}/words.png.")
