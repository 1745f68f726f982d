# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.eval import classifier_metrics as classifier_metrics
from twinflow.contrib.gan.eval import eval_utils as eval_utils
from twinflow.contrib.gan.eval import summaries as summaries
from twinflow.contrib.gan.eval.scores import classifier_score as classifier_score
from twinflow.contrib.gan.eval.scores import classifier_score_from_logits as classifier_score_from_logits
from twinflow.contrib.gan.eval.scores import diagonal_only_frechet_classifier_distance_from_activations as diagonal_only_frechet_classifier_distance_from_activations
from twinflow.contrib.gan.eval.scores import frechet_classifier_distance as frechet_classifier_distance
from twinflow.contrib.gan.eval.scores import frechet_classifier_distance_from_activations as frechet_classifier_distance_from_activations
from twinflow.contrib.gan.eval.scores import frechet_inception_distance as frechet_inception_distance
from twinflow.contrib.gan.eval.scores import get_graph_def_from_disk as get_graph_def_from_disk
from twinflow.contrib.gan.eval.scores import get_graph_def_from_resource as get_graph_def_from_resource
from twinflow.contrib.gan.eval.scores import get_graph_def_from_url_tarball as get_graph_def_from_url_tarball
from twinflow.contrib.gan.eval.scores import inception_score as inception_score
from twinflow.contrib.gan.eval.scores import mean_only_frechet_classifier_distance_from_activations as mean_only_frechet_classifier_distance_from_activations
from twinflow.contrib.gan.eval.scores import preprocess_image as preprocess_image
from twinflow.contrib.gan.eval.scores import run_image_classifier as run_image_classifier
from twinflow.contrib.gan.eval.scores import run_inception as run_inception
from twinflow.contrib.gan.eval.scores import INCEPTION_DEFAULT_IMAGE_SIZE as INCEPTION_DEFAULT_IMAGE_SIZE
from twinflow.contrib.gan.eval.grids import image_grid as image_grid
from twinflow.contrib.gan.eval.grids import image_reshaper as image_reshaper
from twinflow.contrib.gan.eval.pictures import add_cyclegan_image_summaries as add_cyclegan_image_summaries
from twinflow.contrib.gan.eval.pictures import add_gan_model_image_summaries as add_gan_model_image_summaries
from twinflow.contrib.gan.eval.pictures import add_gan_model_summaries as add_gan_model_summaries
from twinflow.contrib.gan.eval.pictures import add_image_comparison_summaries as add_image_comparison_summaries
from twinflow.contrib.gan.eval.pictures import add_regularization_loss_summaries as add_regularization_loss_summaries
from twinflow.contrib.gan.eval.pictures import add_stargan_image_summaries as add_stargan_image_summaries
from twinflow.contrib.gan.eval.wasserstein import sliced_wasserstein_distance as sliced_wasserstein_distance

__all__ = [
"classifier_metrics", "eval_utils", "summaries", "classifier_score",
"classifier_score_from_logits",
"diagonal_only_frechet_classifier_distance_from_activations",
"frechet_classifier_distance", "frechet_classifier_distance_from_activations",
"frechet_inception_distance", "get_graph_def_from_disk", "get_graph_def_from_resource",
"get_graph_def_from_url_tarball", "inception_score",
"mean_only_frechet_classifier_distance_from_activations", "preprocess_image",
"run_image_classifier", "run_inception", "INCEPTION_DEFAULT_IMAGE_SIZE", "image_grid",
"image_reshaper", "add_cyclegan_image_summaries", "add_gan_model_image_summaries",
"add_gan_model_summaries", "add_image_comparison_summaries",
"add_regularization_loss_summaries", "add_stargan_image_summaries",
"sliced_wasserstein_distance"
]
