"""Names and orders of arguments that TensorFlow had before 1.0.

names.txt   where twinflow has what a module had under a name
orders.py   functions that took their arguments in another order, or other ones
serving.py  `twinflow run --since 0.8`: the door gives these names too
"""
