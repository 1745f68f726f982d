# Made by `make stubs` from the table of the index.
from twinflow.contrib.image.transforms import rotate as rotate
from twinflow.contrib.image.transforms import translate as translate
from twinflow.contrib.image.transforms import transform as transform
from twinflow.contrib.image.transforms import angles_to_projective_transforms as angles_to_projective_transforms
from twinflow.contrib.image.transforms import translations_to_projective_transforms as translations_to_projective_transforms
from twinflow.contrib.image.transforms import compose_transforms as compose_transforms
from twinflow.contrib.image.transforms import flat_transforms_to_matrices as flat_transforms_to_matrices
from twinflow.contrib.image.transforms import matrices_to_flat_transforms as matrices_to_flat_transforms
from twinflow.contrib.image.components import connected_components as connected_components
from twinflow.contrib.image.warps import dense_image_warp as dense_image_warp
from twinflow.contrib.image.warps import sparse_image_warp as sparse_image_warp
from twinflow.contrib.image.splines import interpolate_spline as interpolate_spline
from twinflow.contrib.image.stereograms import single_image_random_dot_stereograms as single_image_random_dot_stereograms

__all__ = [
"rotate", "translate", "transform", "angles_to_projective_transforms",
"translations_to_projective_transforms", "compose_transforms",
"flat_transforms_to_matrices", "matrices_to_flat_transforms", "connected_components",
"dense_image_warp", "sparse_image_warp", "interpolate_spline",
"single_image_random_dot_stereograms"
]
