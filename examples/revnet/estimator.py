"""RevNet as an Estimator: the same model and files, one compiled graph.

python estimator.py DATA --steps 200  # small TFRecords are made if there are none
"""

import argparse
import os

import config as configs
import data
import model as models
import picture

import twinflow as tf

MODES = tf.estimator.ModeKeys


def unchanged(optimizer):
    return optimizer


def training(config, model, images, hidden, labels, wrap=unchanged):
    """(the loss, the op of a step); `wrap` makes an optimizer of the usual one."""
    step = tf.train.get_or_create_global_step()
    rate = tf.train.piecewise_constant(step, config.boundaries, config.rates)
    optimizer = wrap(tf.train.MomentumOptimizer(rate, config.momentum))
    grads, loss = model.compute_gradients(hidden, labels, training=True)
    with tf.control_dependencies(model.get_updates_for(images)):
        train_op = optimizer.apply_gradients(
            zip(grads, model.trainable_variables), global_step=step
        )
    return loss, train_op


def metrics(labels, logits):
    return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))}


def model_fn(features, labels, mode, params):
    config = params["hyperparameters"]
    model = models.RevNet(config)
    logits, hidden = model(features, training=mode == MODES.TRAIN)
    if mode == MODES.PREDICT:
        return tf.estimator.EstimatorSpec(
            mode, predictions={"class": tf.argmax(logits, axis=1)}
        )
    if mode == MODES.EVAL:
        loss = model.loss(logits, labels)
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, eval_metric_ops=metrics(labels, logits)
        )
    loss, train_op = training(config, model, features, hidden, labels)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    data.add_options(parser, "output/revnet-estimator")
    args = data.parsed(parser)
    tf.logging.set_verbosity(tf.logging.INFO)  # says how far it is
    if not os.path.isdir(args.data):
        data.write_records(args.data)
    config = configs.named(args.config)
    run = tf.estimator.RunConfig(save_summary_steps=10)
    estimator = tf.estimator.Estimator(
        model_fn, args.folder, run, params={"hyperparameters": config}
    )
    estimator.train(
        lambda: data.dataset(args.data, config, True).repeat(), max_steps=args.steps
    )
    found = estimator.evaluate(lambda: data.dataset(args.data, config, False))
    print(
        f"step {found['global_step']}: test loss {found['loss']:.4f}, "
        f"accuracy {found['accuracy']:.1%}; everything is in {args.folder}"
    )
    curves = {
        "training": picture.curve(args.folder, "loss"),
        "test": picture.curve(os.path.join(args.folder, "eval"), "loss"),
    }
    picture.draw(curves, os.path.join(args.folder, "losses.png"))


if __name__ == "__main__":
    main()
