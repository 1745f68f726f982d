# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan import estimator as estimator
from twinflow.contrib.gan import eval as eval
from twinflow.contrib.gan import features as features
from twinflow.contrib.gan import losses as losses
from twinflow.contrib.gan.namedtuples import ACGANModel as ACGANModel
from twinflow.contrib.gan.namedtuples import CycleGANLoss as CycleGANLoss
from twinflow.contrib.gan.namedtuples import CycleGANModel as CycleGANModel
from twinflow.contrib.gan.namedtuples import GANLoss as GANLoss
from twinflow.contrib.gan.namedtuples import GANModel as GANModel
from twinflow.contrib.gan.namedtuples import GANTrainOps as GANTrainOps
from twinflow.contrib.gan.namedtuples import GANTrainSteps as GANTrainSteps
from twinflow.contrib.gan.namedtuples import InfoGANModel as InfoGANModel
from twinflow.contrib.gan.namedtuples import StarGANModel as StarGANModel
from twinflow.contrib.gan.models import acgan_model as acgan_model
from twinflow.contrib.gan.models import cyclegan_model as cyclegan_model
from twinflow.contrib.gan.models import gan_model as gan_model
from twinflow.contrib.gan.models import infogan_model as infogan_model
from twinflow.contrib.gan.models import stargan_model as stargan_model
from twinflow.contrib.gan.weighing import cyclegan_loss as cyclegan_loss
from twinflow.contrib.gan.weighing import gan_loss as gan_loss
from twinflow.contrib.gan.weighing import stargan_loss as stargan_loss
from twinflow.contrib.gan.training import RunTrainOpsHook as RunTrainOpsHook
from twinflow.contrib.gan.training import gan_train as gan_train
from twinflow.contrib.gan.training import gan_train_ops as gan_train_ops
from twinflow.contrib.gan.training import get_joint_train_hooks as get_joint_train_hooks
from twinflow.contrib.gan.training import get_sequential_train_hooks as get_sequential_train_hooks
from twinflow.contrib.gan.training import get_sequential_train_steps as get_sequential_train_steps

__all__ = [
"estimator", "eval", "features", "losses", "ACGANModel", "CycleGANLoss",
"CycleGANModel", "GANLoss", "GANModel", "GANTrainOps", "GANTrainSteps", "InfoGANModel",
"StarGANModel", "acgan_model", "cyclegan_model", "gan_model", "infogan_model",
"stargan_model", "cyclegan_loss", "gan_loss", "stargan_loss", "RunTrainOpsHook",
"gan_train", "gan_train_ops", "get_joint_train_hooks", "get_sequential_train_hooks",
"get_sequential_train_steps"
]
