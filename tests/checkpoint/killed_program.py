"""Saves, and kills itself at the K-th call that changes the folder: KIND FOLDER.

A process per call saves and dies; then this one saves and prints what is there (JSON):
first after a save that nobody disturbed, then for each call.
"""

import json
import os
import shutil
import signal
import sys

import twinflow as tf

CALLS = ("replace", "link", "unlink", "mkdir", "rmdir", "fsync", "close")


def main(name, folder):
    """See above."""
    save = globals()[name](tf.Variable([1.0, 2.0], name="v"))
    found = []
    for index in range(-1, 1000):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        died = index < 0 or _killed(save, folder, index)
        for step in 1, 2:
            save(folder, step)
        found.append(sorted(_below(folder)))
        if not died:
            break
    print(json.dumps(found))


def _killed(save, folder, index):
    child = os.fork()
    if child == 0:
        save(folder, 1)
        _count_down(index)
        save(folder, 2)
        os._exit(0)
    return os.waitpid(child, 0)[1] == signal.SIGKILL


def _count_down(index):
    left = [index]

    def counted(call):
        def run(*args, **kwargs):
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            return call(*args, **kwargs)

        return run

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))


def _below(folder):
    for top, _, files in os.walk(folder):
        for file in files:
            yield os.path.relpath(os.path.join(top, file), folder)


def _saver(**options):
    def made(variable):
        saver, session = tf.train.Saver([variable], **options), tf.Session()
        session.run(variable.initializer)
        return lambda folder, step: saver.save(session, f"{folder}/model", step)

    return made


plain = _saver()
sharded = _saver(sharded=True)
first_format = _saver(write_version=tf.train.SaverDef.V1)
first_format_sharded = _saver(write_version=tf.train.SaverDef.V1, sharded=True)


def same_prefix(variable):
    """A Saver that writes the same checkpoint again and again."""
    save = plain(variable)
    return lambda folder, step: save(folder, 0)


def same_shards(variable):
    """The same with shards."""
    save = sharded(variable)
    return lambda folder, step: save(folder, 0)


def objects(variable):
    """A Checkpoint."""
    checkpoint, session = tf.train.Checkpoint(v=variable), tf.Session()
    session.run(variable.initializer)
    return lambda folder, step: checkpoint.write(f"{folder}/model-{step}", session)


def manager(variable):
    """A CheckpointManager."""
    checkpoint, session = tf.train.Checkpoint(v=variable), tf.Session()
    session.run(variable.initializer)
    session.run(checkpoint.save_counter.initializer)

    def save(folder, step):
        tf.train.CheckpointManager(checkpoint, folder, 3).save(session, step)

    return save


if __name__ == "__main__":
    main(*sys.argv[1:])
