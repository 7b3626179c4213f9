"""Data that tests share: small, generated here, with a known signal."""

import os
import pathlib
import subprocess

import numpy as np
import pytest


class Made:
    """Queries of unequal length; features 0 and 1 determine the grade, the others are noise."""

    def __init__(self, queries=60, features=6, seed=3):
        random = np.random.default_rng(seed)
        self.group = random.integers(5, 15, queries)
        rows = int(self.group.sum())
        self.X = random.normal(size=(rows, features)).astype(np.float32)
        self.qid = np.repeat(np.arange(100, 100 + queries), self.group)
        utility = 1.5 * self.X[:, 0] + np.maximum(self.X[:, 1], 0) + 0.3 * random.normal(size=rows)
        self.y = np.digitize(utility, [0.5, 1.5, 2.5]).astype(np.int64)


@pytest.fixture(scope="session")
def made():
    return Made()


@pytest.fixture(scope="session")
def other():
    return Made(queries=30, seed=4)


@pytest.fixture(scope="session")
def mq2008(tmp_path_factory):
    """Fold 1 of MQ2008 as (train, vali, test) paths, unpacked from the folder $PODIUM_DATA."""
    root = os.environ.get("PODIUM_DATA")
    if not root:
        pytest.skip("set PODIUM_DATA to the folder of the real data sets to run this test")
    folder = tmp_path_factory.mktemp("real-data")
    subprocess.run([pathlib.Path(root) / "unpack", folder, "MQ2008"], check=True, stdout=subprocess.DEVNULL)
    return [folder / "MQ2008" / "Fold1" / f"{part}.txt" for part in ("train", "vali", "test")]
