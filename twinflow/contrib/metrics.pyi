# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.ops.math.confusion_matrix import confusion_matrix as confusion_matrix
