"""Capsules: files that hold a step that failed, so that it can be run again anywhere.

values.py      values as JSON and arrays, and back
lines.py       the user's lines: frames and the text of their files
programs.py    programs as plain data;  rebuilt.py the way back
outside.py     which ops are never run again: they get what they gave
steps.py       what is noted while a program runs;  eager_steps.py eager ops as a graph
recording.py   the watcher that notes and writes: tf.debugger.capsule
archive.py     the file: a zip of JSON and .npy
replaying.py   running what is in a file;  report.py what it says

Note [Capsules]: a capsule holds a program (the run of a session, a call of a function,
or the eager ops of a step), the values that go into it, the states of variables and
random streams as they were when it began, and what ops gave that reach outside. Running
the program again gives the same values bit for bit, because nothing else goes into it.
Ops that reach outside (files, queues, iterators, Python) get what they gave and are
never run, so a file that somebody else wrote cannot do more than compute.
"""
