"""RevNet as a TPUEstimator: what estimator.py becomes for a TPU, in three steps.

    python tpu_estimator.py DATA --steps 200 --shards 4

The steps: a RunConfig of tf.contrib.tpu, the TPUEstimator, and the CrossShardOptimizer
around the usual optimizer. Without a TPU the shards are simulated, one after the other:
their gradients are averaged as on the chips.
"""

import argparse
import os

import config as configs
import data
import estimator as plain
import model as models
import picture

import twinflow as tf

MODES = tf.estimator.ModeKeys
tpu = tf.contrib.tpu


def model_fn(features, labels, mode, params):
    config = params["hyperparameters"]
    model = models.RevNet(config)
    logits, hidden = model(features, training=mode == MODES.TRAIN)
    if mode == MODES.PREDICT:
        found = {"class": tf.argmax(logits, axis=1)}
        return tpu.TPUEstimatorSpec(mode, predictions=found)
    if mode == MODES.EVAL:
        return tpu.TPUEstimatorSpec(
            mode, loss=model.loss(logits, labels),
            eval_metrics=(plain.metrics, [labels, logits]),
        )  # fmt: skip
    wrap = (
        tpu.CrossShardOptimizer if params["use_tpu"] else (lambda optimizer: optimizer)
    )
    loss, train_op = plain.training(config, model, features, hidden, labels, wrap)
    return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train_op)


def build(folder, config, shards, use_tpu=True, seed=None):
    """The TPUEstimator of a configuration."""
    run = tpu.RunConfig(
        model_dir=folder, tf_random_seed=seed, save_summary_steps=10,
        tpu_config=tpu.TPUConfig(num_shards=shards),
    )  # fmt: skip
    return tpu.TPUEstimator(
        model_fn, config=run, use_tpu=use_tpu,
        params={"hyperparameters": config, "use_tpu": use_tpu},
        train_batch_size=config.batch_size, eval_batch_size=config.batch_size,
    )  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    data.add_options(parser, "output/revnet-tpu")
    parser.add_argument("--shards", type=int, default=2)
    args = data.parsed(parser)
    tf.logging.set_verbosity(tf.logging.INFO)  # says how far it is
    if not os.path.isdir(args.data):
        data.write_records(args.data)
    config = configs.named(args.config)
    estimator = build(args.folder, config, args.shards)
    estimator.train(
        lambda params: data.dataset(args.data, config, True).repeat(),
        max_steps=args.steps,
    )
    found = estimator.evaluate(lambda params: data.dataset(args.data, config, False))
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
