"""Deep Q-learning balances a pole: two networks, a memory, and TensorFlow between them.

    python dqn.py                     # as a graph; --eager runs it eagerly
    python dqn.py --short             # some seconds, to see that it runs

A cart may be pushed to the left or to the right; the pole on it should not fall. The
program learns how good each push is from nothing but what happened.
"""

# %%
import argparse
import os

import numpy as np
from matplotlib import pyplot

import twinflow as tf

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="run eagerly, not as a graph")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/dqn", help="where all files go")
options = parser.parse_args()
steps = 300 if options.short else 12000
if options.eager:
    tf.enable_eager_execution()
tf.set_random_seed(1)
tf.gfile.MakeDirs(options.folder)

# %% [markdown]
# ## The cart and the pole
# Four numbers are the whole world: where the cart is, how fast it goes, the angle of
# the pole and how fast that grows. The equations are those of Barto, Sutton and
# Anderson (1983).

# %%
GRAVITY, CART, POLE, HALF, FORCE, TIME = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
LONGEST = 200  # steps of an episode that is won


class CartPole:
    """A pole on a cart; an episode ends when it leans by 12 degrees or leaves."""

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)

    def reset(self):
        self.state, self.age = self.random.uniform(-0.05, 0.05, 4), 0
        return self.seen()

    def seen(self):
        """float32[4]: the state, each number as a part of its range."""
        return (self.state / [2.4, 2.5, 0.21, 2.5]).astype(np.float32)

    def step(self, action):
        """The next state, and whether the pole fell."""
        _, speed, angle, turn = self.state
        cos, sin, mass = np.cos(angle), np.sin(angle), CART + POLE
        push = (FORCE if action else -FORCE) + POLE * HALF * turn**2 * sin
        bend = (GRAVITY * sin - cos * push / mass) / (
            HALF * (4 / 3 - POLE * cos**2 / mass)
        )
        pull = (push - POLE * HALF * bend * cos) / mass
        self.state = self.state + TIME * np.array([speed, pull, turn, bend])
        self.age += 1
        fell = abs(self.state[0]) > 2.4 or abs(self.state[2]) > np.radians(12)
        return self.seen(), fell


# %% [markdown]
# ## The network, and an older self
# Q(state, action) is all the reward that is still to come. It should be what was got,
# plus the best Q of the next state. An older copy of the network tells it: a target
# that moves with every step is one that nobody reaches. Which push is best the new
# network says (double Q-learning), so that neither believes its own lucky errors.

# %%
DISCOUNT, BATCH = 0.95, 64


def network():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(64, "relu", input_shape=[4]),
        tf.keras.layers.Dense(64, "relu"),
        tf.keras.layers.Dense(2),
    ])  # fmt: skip


online, older = network(), network()
optimizer = tf.train.AdamOptimizer(5e-4)


def train(states, actions, rewards, nexts, goes_on):
    """One step towards the target, by the Huber loss."""
    best = tf.one_hot(tf.argmax(online(nexts), axis=1), 2)
    following = tf.reduce_sum(older(nexts) * best, axis=1)
    targets = rewards + DISCOUNT * goes_on * following
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(online(states) * tf.one_hot(actions, 2), axis=1)
        loss = tf.losses.huber_loss(targets, chosen)
    grads = tape.gradient(loss, online.variables)
    return loss, optimizer.apply_gradients(zip(grads, online.variables))


def follow():
    """The older self comes a little nearer to what the network is now."""
    pairs = zip(older.variables, online.variables)
    return [tf.assign_add(o, 0.01 * (v - o)) for o, v in pairs]


# %% [markdown]
# ## Both modes
# The game is plain Python in both. Only three functions know of the mode: one that
# asks for Q, one that learns, and one by which the
# older self follows.

# %%
if options.eager:

    def ask(states):
        return online(tf.constant(states)).numpy()

    def learn(*arrays):
        return float(train(*map(tf.constant, arrays))[0])

    def renew():
        follow()
else:
    kinds = [(tf.float32, [None, 4]), (tf.int32, [None]), (tf.float32, [None]),
             (tf.float32, [None, 4]), (tf.float32, [None])]  # fmt: skip
    feeds = [tf.placeholder(*kind) for kind in kinds]
    fetches, answers, followed = train(*feeds), online(feeds[0]), follow()
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def ask(states):
        return session.run(answers, {feeds[0]: states})

    def learn(*arrays):
        return session.run(fetches, dict(zip(feeds, arrays)))[0]

    def renew():
        session.run(followed)


# %% [markdown]
# ## Playing and learning
# At first it pushes at random, then more and more as it thinks best. Everything that
# happened goes into a memory, and each step learns from a random handful of it.

# %%
game, random, memory = CartPole(0), np.random.RandomState(0), []
lengths, state = [], game.reset()
bar = tf.keras.utils.Progbar(steps, stateful_metrics=["last ten episodes"])
for number in range(steps):
    if random.rand() < max(0.03, 1 - number / (0.25 * steps)):
        action = random.randint(2)
    else:
        action = int(np.argmax(ask(state[None])[0]))
    after, fell = game.step(action)
    reward = np.float32(1 - abs(after[0]))  # more in the middle of the track
    memory.append((state, np.int32(action), reward, after, np.float32(not fell)))
    state = after
    if fell or game.age == LONGEST:
        lengths.append(game.age)
        state = game.reset()
    if number >= BATCH:
        chosen = random.randint(0, len(memory), BATCH)
        learn(*map(np.stack, zip(*(memory[i] for i in chosen))))
        renew()
    if number % 50 == 49:
        bar.update(number + 1, [("last ten episodes", np.mean(lengths[-10:]))])

# %% [markdown]
# ## What it learned
# Ten games without a random push, and a look at its mind: which way it pushes at each
# angle and speed of the pole.

# %%
finals, paths = [], []
for _ in range(1 if options.short else 10):
    state, fell, path = game.reset(), False, []
    while not fell and game.age < LONGEST:
        path.append(state)
        state, fell = game.step(int(np.argmax(ask(state[None])[0])))
    finals.append(game.age)
    paths.append(0.21 * np.degrees([s[2] for s in path]))
print(f"steps of {len(finals)} games: {', '.join(map(str, finals))}")

figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(12, 3.9))
left.plot(lengths, ".", alpha=0.5)
mean = np.convolve(lengths, np.ones(10) / 10, "valid")
left.plot(np.arange(len(mean)) + 9, mean)
left.set(xlabel="episode", ylabel="steps", title="How long the pole stood")
for path in paths:
    middle.plot(path, linewidth=1)
middle.set(xlabel="step", ylabel="degrees", title="The pole in the last games")
angles, turns = np.meshgrid(np.linspace(-12, 12, 60), np.linspace(-2, 2, 60))
zeros = np.zeros_like(angles)
states = np.stack([zeros, zeros, np.radians(angles) / 0.21, turns / 2.5], -1)
q = ask(states.reshape(-1, 4).astype(np.float32))
better = (q[:, 1] - q[:, 0]).reshape(angles.shape)
limits = dict(vmin=-abs(better).max(), vmax=abs(better).max())
mesh = right.pcolormesh(angles, turns, better, cmap="coolwarm", **limits)
figure.colorbar(mesh, ax=right, label="Q(right) - Q(left)")
right.set(xlabel="angle of the pole", ylabel="its speed", title="Which way to push")
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "pole.png"), dpi=110)
print(f"The picture is {options.folder}/pole.png.")
