"""SessionManager: sessions whose variables are restored or initialised."""

import time
from typing import Any

from twinflow.base import errors, logging
from twinflow.base.annotations import Path
from twinflow.checkpoint.state import get_checkpoint_state
from twinflow.execute.session import Session
from twinflow.graph.defaults import get_default_graph


class SessionManager:
    """Makes sessions that are ready to be used.

    Args:
        local_init_op: run in each new session. ready_op: gives the names of what is not
            initialised, string[n]. ready_for_local_init_op: the same, before it.
        graph: the Graph; the default one if None.
        recovery_wait_secs: between looks at what another program initialises.
        local_init_run_options: RunOptions for `local_init_op`.
    """

    def __init__(
        self, local_init_op: Any = None, ready_op: Any = None,
        ready_for_local_init_op: Any = None, graph: Any = None,
        recovery_wait_secs: float = 30, local_init_run_options: Any = None,
    ) -> None:  # fmt: skip
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a "
                f"local_init_op , ready_for_local_init_op [{ready_for_local_init_op}]"
            )
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = get_default_graph() if graph is None else graph
        self._recovery_wait_secs = recovery_wait_secs
        self._local_init_run_options = local_init_run_options

    def prepare_session(
        self, master: str, init_op: Any = None, saver: Any = None,
        checkpoint_dir: Path | None = None,
        checkpoint_filename_with_path: Path | None = None,
        wait_for_checkpoint: bool = False, max_wait_secs: float = 7200,
        config: Any = None, init_feed_dict: Any = None, init_fn: Any = None,
    ) -> Session:  # fmt: skip
        """A session whose variables come from a checkpoint, or from `init_op`.

        Args:
            master, config: for the Session. saver: the Saver that restores.
            checkpoint_dir: the folder whose last checkpoint it is, or
            checkpoint_filename_with_path: the checkpoint.
            wait_for_checkpoint, max_wait_secs: wait until there is one.
            init_op, init_feed_dict, init_fn: how variables start without one.
        Raises:
            RuntimeError: afterwards something is not initialised.
        """
        sess, loaded = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path,
            wait_for_checkpoint, max_wait_secs, config,
        )  # fmt: skip
        if not loaded:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError(
                    "Model is not initialized and no init_op or init_fn or "
                    "local_init_op was given"
                )
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        what = f"Init op: {getattr(init_op, 'name', init_op)}, init fn: {init_fn}"
        done, message = self._run_local_init_op(sess)
        if not done:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  "
                f"{what}, error: {message}"
            )
        ready, message = is_ready(self._ready_op, sess, "Model not ready")
        if not ready:
            what += f", local_init_op: {getattr(self._local_init_op, 'name', None)}"
            raise RuntimeError(
                f"Init operations did not make model ready.  {what}, error: {message}"
            )
        return sess

    def recover_session(
        self, master: Any, saver: Any = None, checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None, wait_for_checkpoint: Any = False,
        max_wait_secs: Any = 7200, config: Any = None,
    ) -> tuple[Any, ...]:  # fmt: skip
        """A session restored from a checkpoint, if there is one; see prepare_session.

        Returns:
            (the session, whether all its variables are initialised)
        """
        sess, loaded = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path,
            wait_for_checkpoint, max_wait_secs, config,
        )  # fmt: skip
        done, message = self._run_local_init_op(sess)
        ready = False
        if loaded and done:
            ready, message = is_ready(self._ready_op, sess, "Model not ready")
        if not ready:
            logging.info("Model could not be recovered: %s", message)
            return sess, False
        logging.info("Restored model from %s", checkpoint_dir)
        return sess, loaded

    def wait_for_session(
        self, master: Any, config: Any = None, max_wait_secs: Any = float("inf")
    ) -> Any:
        """A session once all is initialised by what shares its variables.

        Raises:
            DeadlineExceededError: that takes longer than `max_wait_secs`.
        """
        limit = float("inf") if max_wait_secs is None else max_wait_secs
        end = time.monotonic() + limit
        while True:
            sess = Session(master, graph=self._graph, config=config)
            done, not_local = self._run_local_init_op(sess)
            ready, message = False, None
            if done:
                ready, message = is_ready(self._ready_op, sess, "Model not ready")
            if ready:
                return sess
            sess.close()
            if time.monotonic() + self._recovery_wait_secs > end:
                raise errors.DeadlineExceededError(
                    None, None,
                    f"Session was not ready after waiting {limit:.0f} secs. "
                    f"{message or not_local}",
                )  # fmt: skip
            logging.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: "
                "%s", not_local, message,
            )  # fmt: skip
            time.sleep(self._recovery_wait_secs)

    def _restored(self, master, saver, folder, path, wait, most, config):
        """(a session, whether it was restored)"""
        sess = Session(master, graph=self._graph, config=config)
        if folder and path:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        if saver is None or not (folder or path):
            return sess, False
        if path:
            saver.restore(sess, path)
            return sess, True
        state, waited = get_checkpoint_state(folder), 0
        while not state or not state.model_checkpoint_path:
            if not wait or waited >= most:
                return sess, False
            logging.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            state = get_checkpoint_state(folder)
        state = _restore_last(saver, sess, state, folder)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def _run_local_init_op(self, sess):
        """(whether the local_init_op was run, why not)"""
        if self._local_init_op is None:
            return True, None
        what = "Model not ready for local init"
        ready, message = is_ready(self._ready_for_local_init_op, sess, what)
        if ready:
            logging.info("Running local_init_op.")
            sess.run(self._local_init_op, options=self._local_init_run_options)
            logging.info("Done running local_init_op.")
        return ready, message


def _restore_last(saver, sess, state, folder):
    """Restore the last checkpoint; another process may remove it for a newer one."""
    while True:
        try:
            saver.restore(sess, state.model_checkpoint_path)
            return state
        except (ValueError, errors.NotFoundError):
            newer = get_checkpoint_state(folder)
            last = state.model_checkpoint_path
            if not newer or newer.model_checkpoint_path in ("", last):
                raise
            state = newer


def is_ready(op, sess, what):
    """(whether `op` finds nothing that is missing, what it finds)"""
    if op is None:
        return True, None
    try:
        found = sess.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            logging.warning("%s : error [%s]", what, error)
            raise
        return False, str(error)
    if found is None or not len(found):
        return True, None
    names = ", ".join(n.decode() for n in found)
    return False, f"Variables not initialized: {names}"
