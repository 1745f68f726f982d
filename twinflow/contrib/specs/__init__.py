"""tf.contrib.specs: small networks written as one expression.

composing.py  functions that are joined by | and repeated by **
layers.py     the words of specs: Cr, Fs, Mp and others
nets.py       specs become networks
params.py     random numbers for parameters
summaries.py  networks printed
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
