"""Train RevNet on CIFAR files or TFRecords, eagerly or as functions.

    python train.py                           # on small files that it makes
    python train.py DATA --config revnet-110-cifar100 --functions

Run it again with the same --folder, and it goes on from the last checkpoint.
"""

import argparse
import os

import config as configs
import data
import model as models
import picture

import twinflow as tf

tfe = tf.contrib.eager


def apply_gradients(optimizer, gradients, variables, global_step):
    optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)


class Trainer:
    """A model, its optimizer, and the three steps: forward, gradients, update.

    Args:
        config: see config.py. functions: whether the steps are compiled.
    """

    def __init__(self, config, functions=False):
        self.config, self.model = config, models.RevNet(config)
        self.step = tf.train.get_or_create_global_step()
        self.rate = tfe.Variable(config.rates[0], trainable=False, name="rate")
        self.optimizer = tf.train.MomentumOptimizer(self.rate, config.momentum)
        self.apply = apply_gradients
        if functions:
            self.model.call = tfe.defun(self.model.call)
            self.model.compute_gradients = tfe.defun(self.model.compute_gradients)
            self.apply = tfe.defun(apply_gradients)
        self.checkpoint = tf.train.Checkpoint(
            model=self.model, optimizer=self.optimizer, rate=self.rate, step=self.step
        )

    def train_on(self, images, labels):
        """One step; returns the loss and the logits."""
        passed = sum(int(self.step) >= b for b in self.config.boundaries)
        self.rate.assign(self.config.rates[passed])
        logits, hidden = self.model(images, training=True)
        gradients, loss = self.model.compute_gradients(hidden, labels, training=True)
        variables = self.model.trainable_variables
        self.apply(self.optimizer, gradients, variables, self.step)
        return loss, logits

    def evaluate(self, dataset):
        """(mean loss, accuracy) over a dataset."""
        loss, accuracy = tfe.metrics.Mean("loss"), tfe.metrics.Accuracy("accuracy")
        for images, labels in dataset:
            logits, _ = self.model(images, training=False)
            loss(self.model.loss(logits, labels))
            accuracy(labels, tf.argmax(logits, axis=1))
        return [float(m.result(write_summary=False)) for m in (loss, accuracy)]


def train(trainer, args):
    """Train up to `args.steps`; returns the losses of this run."""
    config, losses = trainer.config, []
    bar = tf.keras.utils.Progbar(args.steps, stateful_metrics=["loss"])
    writer = tf.contrib.summary.create_file_writer(args.folder)
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        while int(trainer.step) < args.steps:
            seed = int(trainer.step)
            for images, labels in data.dataset(args.data, config, True, seed):
                loss, _ = trainer.train_on(images, labels)
                losses.append(float(loss))
                done = int(trainer.step)
                bar.update(done, [("loss", losses[-1])])
                tf.contrib.summary.scalar("loss", loss)
                tf.contrib.summary.scalar("rate", trainer.rate)
                if done % args.every == 0 or done == args.steps:
                    report(trainer, args)
                if done == args.steps:
                    break
    writer.close()
    return losses


def report(trainer, args):
    """Evaluate, write that down, and save."""
    loss, accuracy = trainer.evaluate(data.dataset(args.data, trainer.config, False))
    tf.contrib.summary.scalar("test/loss", loss)
    tf.contrib.summary.scalar("test/accuracy", accuracy)
    path = trainer.checkpoint.save(os.path.join(args.folder, "ckpt"))
    print(f"step {int(trainer.step)}: test loss {loss:.4f}, accuracy {accuracy:.1%}, "
          f"saved {path}")  # fmt: skip


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    data.add_options(parser, "output/revnet-train")
    parser.add_argument("--every", type=int, default=100, help="steps between saves")
    parser.add_argument("--batch", type=int, help="images a step")
    parser.add_argument("--functions", action="store_true", help="compile with defun")
    return data.parsed(parser)


def main():
    args = options()
    tf.enable_eager_execution()
    tf.set_random_seed(1)
    config = configs.named(args.config)
    config.batch_size = args.batch or config.batch_size
    if not os.path.isdir(args.data):
        print(f"There is no {args.data}: small files are made there.")
        data.write_cifar(args.data)
    trainer = Trainer(config, args.functions)
    last = tf.train.latest_checkpoint(args.folder)
    if last:
        trainer.checkpoint.restore(last)
        print(f"Going on from {last}, step {int(trainer.step)}.")
    losses = train(trainer, args)
    if losses:
        print(
            f"{args.config}, depth {configs.depth(config)}: the loss went from "
            f"{losses[0]:.4f} to {losses[-1]:.4f} in {len(losses)} steps."
        )
    curves = {tag: picture.curve(args.folder, tag) for tag in ("loss", "test/loss")}
    picture.draw(curves, os.path.join(args.folder, "losses.png"))


if __name__ == "__main__":
    main()
