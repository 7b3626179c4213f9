"""torchrun on two hosts, network namespaces with a cable between them: the model of one process. Needs root and ip."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("PODIUM", "podium")
sys.path.insert(0, str(HERE.parent / "network"))

from shared import LEARNERS, Checks, alone, digest, features, fresh, synthetic  # noqa: E402


def work(file):
    from podium.distributed import TorchWorkers

    with TorchWorkers(timeout=60) as workers:
        rows = synthetic()
        mine = rows[rows.qid % workers.size == workers.rank]
        ranker = fresh(LEARNERS["lambdamart"]).fit(mine[features(mine)], mine.label, qid=mine.qid, workers=workers)
        if workers.rank == 0:
            pathlib.Path(file).write_text(digest(ranker))


def main():
    from two_hosts_test import AGENT, Hosts

    checks = Checks("torch")
    with tempfile.TemporaryDirectory() as folder, Hosts() as hosts:
        first = hosts.ADDRESSES["podium-a"]
        began = time.monotonic()
        jobs = []
        for rank, address in enumerate(hosts.ADDRESSES.values()):
            command = [AGENT, address, "env", "GLOO_SOCKET_IFNAME=cable", sys.executable, "-m", "torch.distributed.run", "--nnodes", 2, "--node-rank", rank,
                       "--nproc-per-node", 1, "--master-addr", first, "--master-port", 29511, __file__, "worker", f"{folder}/model"]
            jobs.append(subprocess.Popen([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        said = [job.communicate(timeout=240)[1] for job in jobs]
        fine = all(job.returncode == 0 for job in jobs) and \
            pathlib.Path(folder, "model").read_text() == alone(LEARNERS["lambdamart"], synthetic())
        checks.case("two hosts", fine, "same bytes" if fine else " ".join(said)[-2000:], time.monotonic() - began)
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["worker"]:
        work(sys.argv[2])
    else:
        sys.exit(main())
