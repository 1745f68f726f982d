"""TensorFlow 1.12's debugger: `from tensorflow.python import debug as tf_debug`.

text      lines with colors, and values, times and sizes as text
shell     commands: parsing, completion, history, settings, the two interfaces
dumps     the values of a run on disk, and the graph that they belong to
analysis  the commands that look at dumps and profiles
sessions  sessions and hooks that dump their runs, or stop at them
"""
