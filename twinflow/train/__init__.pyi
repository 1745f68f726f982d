# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.train.quantize_training import do_quantize_training_on_graphdef as do_quantize_training_on_graphdef
from twinflow.train.optimizer import Optimizer as Optimizer
from twinflow.ops.variables.sdca import sdca_fprint as sdca_fprint
from twinflow.ops.variables.sdca import sdca_optimizer as sdca_optimizer
from twinflow.ops.variables.sdca import sdca_shrink_l1 as sdca_shrink_l1
from twinflow.train.gradient_descent import GradientDescentOptimizer as GradientDescentOptimizer
from twinflow.train.momentum import MomentumOptimizer as MomentumOptimizer
from twinflow.train.adam import AdamOptimizer as AdamOptimizer
from twinflow.train.adagrad import AdagradOptimizer as AdagradOptimizer
from twinflow.train.adagrad_da import AdagradDAOptimizer as AdagradDAOptimizer
from twinflow.train.adadelta import AdadeltaOptimizer as AdadeltaOptimizer
from twinflow.train.rmsprop import RMSPropOptimizer as RMSPropOptimizer
from twinflow.train.ftrl import FtrlOptimizer as FtrlOptimizer
from twinflow.train.proximal_gradient_descent import ProximalGradientDescentOptimizer as ProximalGradientDescentOptimizer
from twinflow.train.proximal_adagrad import ProximalAdagradOptimizer as ProximalAdagradOptimizer
from twinflow.train.training_util import get_global_step as get_global_step
from twinflow.train.training_util import create_global_step as create_global_step
from twinflow.train.training_util import get_or_create_global_step as get_or_create_global_step
from twinflow.train.training_util import global_step as global_step
from twinflow.train.training_util import assert_global_step as assert_global_step
def exponential_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: Any = ..., name: Any = ...) -> Any:
    r"""learning_rate * decay_rate ** (global_step / decay_steps)

    Args:
        learning_rate: a number or float scalar: the first rate; its dtype is that of
            the result.
        global_step: an integer scalar, variable or tensor.
        decay_steps: after how many steps `decay_rate` has been applied once.
        decay_rate: the factor. staircase: whether the exponent is rounded down.
        name: the name scope.
    Returns:
        A scalar tensor (graph), or a function that gives it (eager).
    Raises:
        ValueError: `global_step` is None.
    Example:
        step = tfe.Variable(2500)
        rate = tf.train.exponential_decay(1.0, step, 1000, 0.5, staircase=True)
        rate().numpy()  # 0.25
    """
from twinflow.train.learning_rate_decay import piecewise_constant as piecewise_constant
def polynomial_decay(learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = ..., power: Any = ..., cycle: Any = ..., name: Any = ...) -> Any:
    r"""(learning_rate - end) * (1 - step / decay_steps) ** power + end

    Args:
        learning_rate, global_step, name: see exponential_decay.
        decay_steps: after how many steps `end_learning_rate` is reached.
        end_learning_rate: `end`, the rate from there on. power: of the polynomial.
        cycle: whether to go on from there, with as many times `decay_steps` as needed.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.polynomial_decay(1.0, tfe.Variable(750), 1000, 0.0, power=0.5)
        rate().numpy()  # 0.5
    """
def natural_exp_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: Any = ..., name: Any = ...) -> Any:
    r"""learning_rate * exp(-decay_rate * global_step / decay_steps)

    Args, Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.natural_exp_decay(1.0, tfe.Variable(1000), 1000, 0.5)
        round(float(rate()), 3)  # 0.607
    """
def inverse_time_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: Any = ..., name: Any = ...) -> Any:
    r"""learning_rate / (1 + decay_rate * global_step / decay_steps)

    Args, Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.inverse_time_decay(1.0, tfe.Variable(2000), 1000, 0.5)
        rate().numpy()  # 0.5
    """
def cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, alpha: Any = ..., name: Any = ...) -> Any:
    r"""learning_rate * ((1 - alpha) * (1 + cos(pi * step / decay_steps)) / 2 + alpha)

    Args:
        learning_rate, global_step, name: see exponential_decay.
        decay_steps: after how many steps the end is reached.
        alpha: the last rate, as a part of the first.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.cosine_decay(1.0, tfe.Variable(500), 1000)
        round(float(rate()), 3)  # 0.5
    Reference: Loshchilov and Hutter, SGDR: stochastic gradient descent with warm
    restarts (ICLR 2017), equation 5.
    """
def cosine_decay_restarts(learning_rate: Any, global_step: Any, first_decay_steps: Any, t_mul: Any = ..., m_mul: Any = ..., alpha: Any = ..., name: Any = ...) -> Any:
    r"""Cosine decays one after the other, each from the start.

    Args:
        learning_rate, global_step, name: see exponential_decay.
        first_decay_steps: the length of the first decay.
        t_mul, m_mul: factors on length and height from one decay to the next.
        alpha: see cosine_decay.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.cosine_decay_restarts(1.0, tfe.Variable(500), 1000)
        round(float(rate()), 3)  # 0.5
    Reference: see cosine_decay.
    """
def linear_cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, num_periods: Any = ..., alpha: Any = ..., beta: Any = ..., name: Any = ...) -> Any:
    r"""learning_rate * ((alpha + line) * wave + beta)

    The line goes from 1 to 0 in `decay_steps`, the wave is
    (1 + cos(2 * pi * num_periods * step / decay_steps)) / 2.

    Args:
        learning_rate, global_step, decay_steps, name: see cosine_decay.
        num_periods: of the wave. alpha, beta: see above.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.linear_cosine_decay(1.0, tfe.Variable(500), 1000)
        round(float(rate()), 3)  # 0.251
    Reference: Bello et al., Neural optimizer search with reinforcement learning (ICML
    2017), section 4.
    """
def noisy_linear_cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, initial_variance: Any = ..., variance_decay: Any = ..., num_periods: Any = ..., alpha: Any = ..., beta: Any = ..., name: Any = ...) -> Any:
    r"""As linear_cosine_decay, with noise on the line.

    Args:
        initial_variance: the variance of the noise at first.
        variance_decay: it is divided by (1 + step) ** variance_decay.
        Others: see linear_cosine_decay.
    Returns, Raises: see exponential_decay.
    Example:
        rate = tf.train.noisy_linear_cosine_decay(1.0, tfe.Variable(1000), 1000)
        round(float(rate()), 3)  # 0.001
    Reference: see linear_cosine_decay.
    """
from twinflow.train.moving_averages import ExponentialMovingAverage as ExponentialMovingAverage
from twinflow.train.coordinator import Coordinator as Coordinator
from twinflow.train.coordinator import LooperThread as LooperThread
from twinflow.train import queue_runner as queue_runner
from twinflow.train.queue_runner import QueueRunner as QueueRunner
from twinflow.train.queue_runner import QueueRunnerDef as QueueRunnerDef
from twinflow.train.queue_runner import add_queue_runner as add_queue_runner
from twinflow.train.queue_runner import start_queue_runners as start_queue_runners
from twinflow.train.producers import limit_epochs as limit_epochs
from twinflow.train.producers import input_producer as input_producer
from twinflow.train.producers import string_input_producer as string_input_producer
from twinflow.train.producers import range_input_producer as range_input_producer
from twinflow.train.producers import slice_input_producer as slice_input_producer
from twinflow.train.batching import batch as batch
from twinflow.train.batching import batch_join as batch_join
from twinflow.train.batching import maybe_batch as maybe_batch
from twinflow.train.batching import maybe_batch_join as maybe_batch_join
from twinflow.train.batching import shuffle_batch as shuffle_batch
from twinflow.train.batching import shuffle_batch_join as shuffle_batch_join
from twinflow.train.batching import maybe_shuffle_batch as maybe_shuffle_batch
from twinflow.train.batching import maybe_shuffle_batch_join as maybe_shuffle_batch_join
from twinflow.graph.graph_def.files import write_graph as write_graph
from twinflow.train.meta_graph import export_meta_graph as export_meta_graph
from twinflow.train.meta_graph import import_meta_graph as import_meta_graph
from twinflow.ops.files.contents import match_filenames_once as match_filenames_once
from twinflow.formats.protos import SaverDef as SaverDef
from twinflow.formats.protos import BytesList as BytesList
from twinflow.formats.protos import ClusterDef as ClusterDef
from twinflow.formats.protos import Example as Example
from twinflow.formats.protos import Feature as Feature
from twinflow.formats.protos import FeatureList as FeatureList
from twinflow.formats.protos import FeatureLists as FeatureLists
from twinflow.formats.protos import Features as Features
from twinflow.formats.protos import FloatList as FloatList
from twinflow.formats.protos import Int64List as Int64List
from twinflow.formats.protos import JobDef as JobDef
from twinflow.formats.protos import SequenceExample as SequenceExample
from twinflow.formats.protos import ServerDef as ServerDef
from twinflow.checkpoint.saver import Saver as Saver
from twinflow.checkpoint.starting import init_from_checkpoint as init_from_checkpoint
from twinflow.checkpoint.starting import warm_start as warm_start
from twinflow.checkpoint.vocabularies import VocabInfo as VocabInfo
from twinflow.train.session_run_hook import SessionRunArgs as SessionRunArgs
from twinflow.train.session_run_hook import SessionRunContext as SessionRunContext
from twinflow.train.session_run_hook import SessionRunHook as SessionRunHook
from twinflow.train.session_run_hook import SessionRunValues as SessionRunValues
from twinflow.train.basic_session_run_hooks import FeedFnHook as FeedFnHook
from twinflow.train.basic_session_run_hooks import FinalOpsHook as FinalOpsHook
from twinflow.train.basic_session_run_hooks import GlobalStepWaiterHook as GlobalStepWaiterHook
from twinflow.train.basic_session_run_hooks import LoggingTensorHook as LoggingTensorHook
from twinflow.train.basic_session_run_hooks import NanLossDuringTrainingError as NanLossDuringTrainingError
from twinflow.train.basic_session_run_hooks import NanTensorHook as NanTensorHook
from twinflow.train.basic_session_run_hooks import SecondOrStepTimer as SecondOrStepTimer
from twinflow.train.basic_session_run_hooks import StopAtStepHook as StopAtStepHook
from twinflow.train.saving_hooks import CheckpointSaverHook as CheckpointSaverHook
from twinflow.train.saving_hooks import CheckpointSaverListener as CheckpointSaverListener
from twinflow.train.saving_hooks import StepCounterHook as StepCounterHook
from twinflow.train.saving_hooks import SummarySaverHook as SummarySaverHook
from twinflow.train.scaffold import Scaffold as Scaffold
from twinflow.train.session_manager import SessionManager as SessionManager
from twinflow.train.monitored_session import ChiefSessionCreator as ChiefSessionCreator
from twinflow.train.monitored_session import MonitoredSession as MonitoredSession
from twinflow.train.monitored_session import MonitoredTrainingSession as MonitoredTrainingSession
from twinflow.train.monitored_session import SessionCreator as SessionCreator
from twinflow.train.monitored_session import SingularMonitoredSession as SingularMonitoredSession
from twinflow.train.monitored_session import WorkerSessionCreator as WorkerSessionCreator
from twinflow.train.supervisor import Supervisor as Supervisor
from twinflow.train.supervisor import basic_train_loop as basic_train_loop
from twinflow.summary.writer import summary_iterator as summary_iterator
from twinflow.checkpoint.checkpoint import Checkpoint as Checkpoint
from twinflow.checkpoint.manager import CheckpointManager as CheckpointManager
from twinflow.checkpoint.reader import NewCheckpointReader as NewCheckpointReader
from twinflow.checkpoint.reader import list_variables as list_variables
from twinflow.checkpoint.reader import load_checkpoint as load_checkpoint
from twinflow.checkpoint.reader import load_variable as load_variable
from twinflow.checkpoint.state import checkpoint_exists as checkpoint_exists
from twinflow.checkpoint.state import generate_checkpoint_state_proto as generate_checkpoint_state_proto
from twinflow.checkpoint.state import get_checkpoint_mtimes as get_checkpoint_mtimes
from twinflow.checkpoint.state import get_checkpoint_state as get_checkpoint_state
from twinflow.checkpoint.state import latest_checkpoint as latest_checkpoint
from twinflow.checkpoint.state import remove_checkpoint as remove_checkpoint
from twinflow.checkpoint.state import update_checkpoint_state as update_checkpoint_state
from twinflow.train.profiler_hook import ProfilerHook as ProfilerHook
from twinflow.train.cluster import ClusterSpec as ClusterSpec
from twinflow.train.server import Server as Server
from twinflow.train.sync_replicas_optimizer import SyncReplicasOptimizer as SyncReplicasOptimizer
from twinflow.train.device_setter import replica_device_setter as replica_device_setter

__all__ = [
"do_quantize_training_on_graphdef", "Optimizer", "sdca_fprint", "sdca_optimizer",
"sdca_shrink_l1", "GradientDescentOptimizer", "MomentumOptimizer", "AdamOptimizer",
"AdagradOptimizer", "AdagradDAOptimizer", "AdadeltaOptimizer", "RMSPropOptimizer",
"FtrlOptimizer", "ProximalGradientDescentOptimizer", "ProximalAdagradOptimizer",
"get_global_step", "create_global_step", "get_or_create_global_step", "global_step",
"assert_global_step", "exponential_decay", "piecewise_constant", "polynomial_decay",
"natural_exp_decay", "inverse_time_decay", "cosine_decay", "cosine_decay_restarts",
"linear_cosine_decay", "noisy_linear_cosine_decay", "ExponentialMovingAverage",
"Coordinator", "LooperThread", "queue_runner", "QueueRunner", "QueueRunnerDef",
"add_queue_runner", "start_queue_runners", "limit_epochs", "input_producer",
"string_input_producer", "range_input_producer", "slice_input_producer", "batch",
"batch_join", "maybe_batch", "maybe_batch_join", "shuffle_batch", "shuffle_batch_join",
"maybe_shuffle_batch", "maybe_shuffle_batch_join", "write_graph", "export_meta_graph",
"import_meta_graph", "match_filenames_once", "SaverDef", "BytesList", "ClusterDef",
"Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList",
"Int64List", "JobDef", "SequenceExample", "ServerDef", "Saver", "init_from_checkpoint",
"warm_start", "VocabInfo", "SessionRunArgs", "SessionRunContext", "SessionRunHook",
"SessionRunValues", "FeedFnHook", "FinalOpsHook", "GlobalStepWaiterHook",
"LoggingTensorHook", "NanLossDuringTrainingError", "NanTensorHook", "SecondOrStepTimer",
"StopAtStepHook", "CheckpointSaverHook", "CheckpointSaverListener", "StepCounterHook",
"SummarySaverHook", "Scaffold", "SessionManager", "ChiefSessionCreator",
"MonitoredSession", "MonitoredTrainingSession", "SessionCreator",
"SingularMonitoredSession", "WorkerSessionCreator", "Supervisor", "basic_train_loop",
"summary_iterator", "Checkpoint", "CheckpointManager", "NewCheckpointReader",
"list_variables", "load_checkpoint", "load_variable", "checkpoint_exists",
"generate_checkpoint_state_proto", "get_checkpoint_mtimes", "get_checkpoint_state",
"latest_checkpoint", "remove_checkpoint", "update_checkpoint_state", "ProfilerHook",
"ClusterSpec", "Server", "SyncReplicasOptimizer", "replica_device_setter"
]
