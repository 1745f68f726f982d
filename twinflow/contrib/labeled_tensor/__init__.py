"""tf.contrib.labeled_tensor: tensors whose axes have names, and labels along them.

axes.py           an axis, and the axes of a tensor
labeled.py        LabeledTensor, and the order of axes
elementwise.py    functions of each element
restructuring.py  select, concat, reshape, pad and others
joining.py        batches, maps, products, masks
reductions.py     sums and others along axes
parsing.py        placeholders and tf.Example
nn.py             activations and losses
"""

from twinflow.base.public_index import attach
from twinflow.contrib.labeled_tensor import elementwise as _operators  # noqa: F401

__getattr__, __dir__, __all__ = attach(__name__)
