"""What TWINFLOW_CAPSULE=FILE does: tf.debugger.capsule around all that runs."""

import os

from twinflow.capsules.recording import begin

begin(os.environ["TWINFLOW_CAPSULE"])
