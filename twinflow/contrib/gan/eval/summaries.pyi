# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.eval.pictures import add_cyclegan_image_summaries as add_cyclegan_image_summaries
from twinflow.contrib.gan.eval.pictures import add_gan_model_image_summaries as add_gan_model_image_summaries
from twinflow.contrib.gan.eval.pictures import add_gan_model_summaries as add_gan_model_summaries
from twinflow.contrib.gan.eval.pictures import add_image_comparison_summaries as add_image_comparison_summaries
from twinflow.contrib.gan.eval.pictures import add_regularization_loss_summaries as add_regularization_loss_summaries
from twinflow.contrib.gan.eval.pictures import add_stargan_image_summaries as add_stargan_image_summaries

__all__ = [
"add_cyclegan_image_summaries", "add_gan_model_image_summaries",
"add_gan_model_summaries", "add_image_comparison_summaries",
"add_regularization_loss_summaries", "add_stargan_image_summaries"
]
