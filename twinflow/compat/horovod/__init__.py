"""Horovod's interface (0.15 to 0.18) for programs of 2018; they import `horovod`."""
