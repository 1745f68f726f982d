"""The command line of twinflow: read here, and carried out by twinflow.cli.

It is a package of its own because `import twinflow` loads NumPy: help, completion, the
manual page and mistakes in a command line need none of it.
"""
