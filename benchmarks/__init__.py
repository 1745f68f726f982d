"""Benchmarks: the same work in twinflow and in its peers, measured in one run.

run.py is the command (`make bench`). It prepares one environment per framework
(environments.py), starts a fresh process for each measurement (measure.py, which reads
the with_*.py module of its framework), and writes the table (rounds.py, report.py,
plot.py) and whether it reaches our goals (goals.py).
"""
