# Made by `make stubs` from the table of the index.
from twinflow.formats.protos import EmbeddingInfo as EmbeddingInfo
from twinflow.formats.protos import ProjectorConfig as ProjectorConfig
from twinflow.formats.protos import SpriteMetadata as SpriteMetadata
from twinflow.contrib.tensorboard.plugins.projector.visualize import visualize_embeddings as visualize_embeddings

__all__ = [
"EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"
]
