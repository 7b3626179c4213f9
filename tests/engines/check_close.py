"""Process groups of torch that Podium made are destroyed, and no others: run by torchrun, as check_close.py [script|with|user|again].

`script` leaves it to the exit; `with` closes; `user` brings a process group, which goes on; `again` opens two groups in turn."""

import sys

import numpy as np
import podium
import torch
from podium.distributed import TorchWorkers
from torch import distributed


def fit(workers):
    random = np.random.default_rng(workers.rank)
    X = random.normal(size=(40, 3)).astype(np.float32)
    podium.LambdaMART(trees=2, threads=1).fit(X, X[:, 0] > 0, qid=np.repeat([0, 1, 2, 3], 10) + 4 * workers.rank, workers=workers)


def main(how):
    if how == "script":
        fit(TorchWorkers(timeout=60))
        return
    if how == "user":
        distributed.init_process_group("gloo")
    with TorchWorkers(timeout=60) as workers:
        fit(workers)
        if how == "again":
            with TorchWorkers(timeout=60) as second:
                fit(second)
            fit(workers)
    try:
        workers.all_gather(b"")
        sys.exit("a closed group still works")
    except RuntimeError as error:
        assert "has been closed" in str(error), error
    workers.close()  # once more
    assert distributed.is_initialized() == (how == "user")
    if how == "user":
        ones = torch.ones(1)
        distributed.all_reduce(ones)
        assert ones.item() == distributed.get_world_size()
        left = TorchWorkers(timeout=60)
        distributed.destroy_process_group()
        left.close()


if __name__ == "__main__":
    main(sys.argv[1])
