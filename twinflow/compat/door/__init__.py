"""The door for old scripts: `tensorflow` and its deep modules, served by twinflow.

modules.txt, gen_ops.txt   what TensorFlow 1.12 has where
table                      reads them
homes                      twinflow's homes of names that are not public
resolve                    from a path to twinflow's object, or why there is none
generated                  the functions of gen_*_ops
finder                     the import hook
habits, absent             Python 2, old NumPy, and modules that Python has dropped
"""
