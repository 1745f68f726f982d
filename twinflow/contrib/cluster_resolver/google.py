"""Clusters of Google Compute Engine and Cloud TPU, which their interfaces tell.

The packages google-api-python-client and oauth2client ask them; a `service` that a
program gives takes their place.
"""

import os
import urllib.request
from typing import Any

from twinflow.base.text import as_text
from twinflow.contrib.cluster_resolver.given import ClusterResolver
from twinflow.train.cluster import ClusterSpec

try:
    from googleapiclient import discovery
    from oauth2client.client import GoogleCredentials
except ImportError:  # only asking needs them
    discovery = GoogleCredentials = None


def _credentials(given: Any) -> Any:
    if given != "default":
        return given
    return GoogleCredentials and GoogleCredentials.get_application_default()


class GceClusterResolver(ClusterResolver):
    """The running machines of an instance group.

    Args:
        project, zone, instance_group: where it is. port: that all listen at.
        job_name: of their job. credentials: for the interface; "default" for those of
            the machine. service: what answers in place of the interface.
    Raises:
        ImportError: there is no `service`, and google-api-python-client is missing.
    """

    def __init__(
        self, project: str, zone: str, instance_group: str, port: int,
        job_name: str = "worker", credentials: Any = "default", service: Any = None,
    ) -> None:  # fmt: skip
        self._project, self._zone, self._group = project, zone, instance_group
        self._port, self._job = port, job_name
        self._service = _compute_engine(credentials) if service is None else service

    def cluster_spec(self) -> ClusterSpec:
        """The machines that run now, in the order of their names."""
        groups = self._service.instanceGroups()
        place = {"project": self._project, "zone": self._zone}
        request = groups.listInstances(
            **place, instanceGroups=self._group, body={"instanceState": "RUNNING"},
            orderBy="name",
        )  # fmt: skip
        tasks = []
        while request is not None:
            response = request.execute()
            for item in response["items"]:
                name = item["instance"].rpartition("/")[2]
                asked = self._service.instances().get(**place, instance=name)
                address = asked.execute()["networkInterfaces"][0]["networkIP"]
                tasks.append(f"{address}:{self._port}")
            request = self._service.instanceGroups().listInstances_next(
                previous_request=request, previous_response=response
            )
        tasks.sort()
        return ClusterSpec({self._job: tasks})

    def master(self) -> str:
        """The empty target."""
        return ""


def _compute_engine(credentials: Any) -> Any:
    if discovery is None:
        raise ImportError(
            "googleapiclient must be installed before using the GCE cluster resolver"
        )
    return discovery.build("compute", "v1", credentials=_credentials(credentials))


_METADATA = "http://metadata.google.internal/computeMetadata/v1/"


class TPUClusterResolver(ClusterResolver):
    """The workers of a Cloud TPU, which other programs may use; none is here.

    Args:
        tpu: the name of the TPU, or a target that needs no asking ("grpc://host:port").
            The environment says it by default (`TPU_NAME`, or in Kubernetes
            `KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS`).
        zone, project: where it is; where this machine is by default.
        job_name: of its job. coordinator_name, coordinator_address: a job of one task
            beside it. credentials, service: see `GceClusterResolver`.
        discovery_url: where the interface is described.
    Raises:
        ValueError: nothing says which TPU.
        ImportError: there is no `service`, and google-api-python-client is missing.
    Example:
        resolver = tf.contrib.cluster_resolver.TPUClusterResolver("grpc://10.0.0.2:8470")
        resolver.master()  # "grpc://10.0.0.2:8470"
    """

    def __init__(
        self, tpu: Any = None, zone: Any = None, project: Any = None,
        job_name: str = "worker", coordinator_name: Any = None,
        coordinator_address: Any = None, credentials: Any = "default",
        service: Any = None, discovery_url: Any = None,
    ) -> None:  # fmt: skip
        tpu = tpu[0] if isinstance(tpu, list) else tpu
        if tpu is None:
            tpu = self._gkeEndpoints() if self._inGke() else self._envVarFallback()
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        self._tpu = as_text(tpu)
        self._job_name = job_name if self._shouldResolve() else None
        self._coordinator = coordinator_name, coordinator_address
        self._project, self._zone, self._service = project, zone, None
        if self._shouldResolve():
            self._project = project or self._requestComputeMetadata(
                "project/project-id"
            )
            own = zone or self._requestComputeMetadata("instance/zone").split("/")[-1]
            self._zone, self._service = own, service
            if service is None:
                self._service = _cloud_tpu(credentials, discovery_url)

    @staticmethod
    def _inGke() -> bool:
        """Whether this is a task of Kubernetes that has a TPU."""
        return "KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS" in os.environ

    @staticmethod
    def _gkeEndpoints() -> str:
        return os.environ["KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS"]

    @staticmethod
    def _envVarFallback() -> str | None:
        return os.environ.get("TPU_NAME")

    @staticmethod
    def _discoveryUrl() -> str | None:
        return os.environ.get("TPU_API_DISCOVERY_URL")

    def _requestComputeMetadata(self, path: str) -> str:
        """What the machine's own interface says."""
        asked = urllib.request.Request(
            _METADATA + path, headers={"Metadata-Flavor": "Google"}
        )
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.read().decode()

    def _shouldResolve(self) -> bool:
        """Whether the name has to be asked for, rather than being a target."""
        plain = self._tpu in ("", "local") or self._tpu.startswith(("grpc://", "/"))
        return not plain

    def master(self) -> str:
        """The target for sessions of the first worker.

        Raises:
            RuntimeError: the TPU is not ready or not healthy.
        """
        if not self._shouldResolve():
            return self._tpu.split(",")[0]
        return "grpc://" + self._workers()[0]

    get_master = master

    def get_job_name(self) -> str | None:
        """The name of the job of the workers, None for a target that is given."""
        return self._job_name

    def _workers(self) -> list[str]:
        if not self._shouldResolve():
            return [w.removeprefix("grpc://") for w in self._tpu.split(",")]
        name = f"projects/{self._project}/locations/{self._zone}/nodes/{self._tpu}"
        nodes = self._service.projects().locations().nodes()
        found = nodes.get(name=name).execute()
        if found.get("state", "READY") != "READY":
            raise RuntimeError(
                f'TPU "{self._tpu}" is not yet ready; state: "{found["state"]}"'
            )
        if found.get("health", "HEALTHY") != "HEALTHY":
            raise RuntimeError(f'TPU "{self._tpu}" is unhealthy: "{found["health"]}"')
        ends = found.get("networkEndpoints", [found])
        return [f"{end['ipAddress']}:{end['port']}" for end in ends]

    def cluster_spec(self) -> ClusterSpec | None:
        """The workers, and the coordinator; None for a local or an internal target."""
        if not self._shouldResolve() and not self._tpu.startswith("grpc://"):
            return None
        jobs = {self._job_name or "worker": self._workers()}
        name, address = self._coordinator
        if name and self._shouldResolve():
            if not address:
                raise ValueError(
                    f"The coordinator {name!r} has no address: pass "
                    "coordinator_address='host:port', where a tf.train.Server listens."
                )
            jobs[name] = [address]
        return ClusterSpec(jobs)


def _cloud_tpu(credentials: Any, url: Any) -> Any:
    if discovery is None:
        raise ImportError(
            "googleapiclient and oauth2client must be installed before using the TPU "
            "cluster resolver. Execute: `pip install --upgrade "
            "google-api-python-client` and `pip install --upgrade oauth2client` to "
            "install with pip."
        )
    url = url or TPUClusterResolver._discoveryUrl()
    more = {"discoveryServiceUrl": url} if url else {}
    return discovery.build("tpu", "v1", credentials=_credentials(credentials), **more)
