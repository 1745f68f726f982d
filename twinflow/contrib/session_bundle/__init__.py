"""tf.contrib.session_bundle: exported models as they were before SavedModel.

exporter.py  a session's model into a numbered folder
loading.py   such a folder, or a SavedModel, into a session
upgrading.py signatures as those of SavedModels
constants.py the names of files and collections
gc.py        which folders to keep
manifest_pb2.py signatures and assets as messages
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
