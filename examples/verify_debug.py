"""A broken program: what verify finds in it, what the debugger shows, and the cure.

    python verify_debug.py            # a program of sessions
    python verify_debug.py --eager    # the same with eager execution and a function
    python verify_debug.py --short    # fewer runs of it

The program runs without an error, and its loss is NaN. It has two mistakes that are
easily made and hard to see: a number that the graph does not follow, and a logarithm of
zero. Two commands find them, without a line of the program being changed.
"""

# %%
import argparse
import os
import subprocess
import sys

import numpy as np
from matplotlib import pyplot

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--eager", action="store_true", help="a program of functions")
parser.add_argument("--short", action="store_true", help="only see that it runs")
parser.add_argument("--folder", default="output/verify_debug", help="for all files")
options = parser.parse_args()
steps = 6 if options.short else 30
os.makedirs(options.folder, exist_ok=True)

# %% [markdown]
# ## The program
# A classifier by hand: the sum of two numbers is positive, or not. The learning rate
# begins high and falls by a fifth at each step, or so it seems.

# %%
BEGINNING = """\
import numpy as np
import twinflow as tf

random = np.random.RandomState(0)
x = random.randn(200, 2).astype(np.float32)
y = (x[:, :1] + x[:, 1:] > 0).astype(np.float32)
rate, losses = 12.0, []
"""
SESSIONS = """
w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
chance = tf.sigmoid(tf.matmul(x, w))
likely = y * tf.log(chance) + (1 - y) * tf.log(1 - chance)
loss = tf.reduce_sum(-likely / 200)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(STEPS):
        losses.append(session.run([loss, train])[0])
        rate *= 0.8
"""
FUNCTIONS = """
tf.enable_eager_execution()
w = tf.contrib.eager.Variable(tf.zeros([2, 1]))

@tf.contrib.eager.defun
def train():
    with tf.GradientTape() as tape:
        chance = tf.sigmoid(tf.matmul(x, w))
        likely = y * tf.log(chance) + (1 - y) * tf.log(1 - chance)
        loss = tf.reduce_sum(-likely / 200)
    w.assign_sub(rate * tape.gradient(loss, w))
    return loss

for step in range(STEPS):
    losses.append(train().numpy())
    rate *= 0.8
"""
ENDING = """
np.savetxt("losses.txt", losses)
print("the last losses:", losses[-3:])
"""
broken = BEGINNING + (FUNCTIONS if options.eager else SESSIONS) + ENDING
broken = broken.replace("STEPS", str(steps))


def written(name, program):
    """Write a program into the folder."""
    with open(os.path.join(options.folder, name), "w") as file:
        file.write(program)


def twinflow(*arguments, typed=None):
    """Run a command as in a terminal, in the folder; returns its status."""
    done = subprocess.run(
        [sys.executable, "-m", "twinflow", *arguments], cwd=options.folder, input=typed,
        capture_output=True, text=True,
    )  # fmt: skip
    print("$ twinflow", *arguments)
    print(done.stdout, end="")
    return done.returncode


written("broken.py", broken)
twinflow("run", "broken.py")

# %% [markdown]
# ## verify
# `twinflow verify` runs the program in several ways and compares them step by step. In
# a graph the learning rate is what it was when the graph was made; in Python it falls.
# The answer names the line, the name, and both values.

# %%
status = twinflow("verify", "broken.py")
print(f"status {status}")

# %% [markdown]
# ## debug
# That explains why the steps stay large, not the NaN. `twinflow debug` is pdb that also
# stops inside graphs: `b nan` stops at the op that makes the first one. Here the
# commands come from a string; by hand they are typed.

# %%
twinflow("debug", "broken.py", typed="b nan\nc\ninputs\nq\n")

# %% [markdown]
# `tf.log` got a zero: the network was so sure that one minus its answer was nothing.
#
# ## The cure
# The rate goes in through a placeholder, or as an argument, and the loss is the one
# that takes logits and never sees that zero. Each cure by itself, and then both:

# %%
RATE = [
    ("train = tf.train.GradientDescentOptimizer(rate)",
     "speed = tf.placeholder(tf.float32, [])\n"
     "train = tf.train.GradientDescentOptimizer(speed)"),
    ("session.run([loss, train])", "session.run([loss, train], {speed: rate})"),
    ("def train():", "def train(rate):"),
    ("train().numpy()", "train(tf.constant(rate)).numpy()"),
]  # fmt: skip
LOSS = [
    ("chance = tf.sigmoid(tf.matmul(x, w))", "logits = tf.matmul(x, w)"),
    ("likely = y * tf.log(chance) + (1 - y) * tf.log(1 - chance)",
     "likely = -tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)"),
]  # fmt: skip
curves = {}
for name, changes in [
    ("broken", []), ("rate", RATE), ("loss", LOSS), ("mended", RATE + LOSS)
]:  # fmt: skip
    if options.short and name in ("rate", "loss"):
        continue
    program = broken
    for before, after in changes:
        program = program.replace(before, after)
    written(f"{name}.py", program)
    twinflow("run", f"{name}.py")
    curves[name] = np.loadtxt(os.path.join(options.folder, "losses.txt"))

# %% [markdown]
# Has it become a program that is the same in every way?

# %%
status = twinflow("verify", "mended.py")
print(f"status {status}")

# %%
figure, axes = pyplot.subplots(figsize=(7, 4))
for (name, losses), style in zip(curves.items(), ["o-", "s--", "^:", "-"]):
    axes.plot(losses, style, markersize=4, label=name)
    if not np.isfinite(losses).all():
        last = np.flatnonzero(np.isfinite(losses))[-1]
        axes.annotate("NaN", (last, losses[last]), xytext=(8, 4), color="C3",
                      textcoords="offset points")  # fmt: skip
axes.set(xlabel="step", ylabel="loss", yscale="log", title="One program, two mistakes")
axes.legend()
figure.tight_layout()
figure.savefig(os.path.join(options.folder, "losses.png"), dpi=110)
print(f"The picture is {options.folder}/losses.png.")
