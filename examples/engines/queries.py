"""Queries that the examples of this folder train on: a pandas table with 600 queries and 8 features."""

import hashlib

import numpy as np
import pandas as pd

FEATURES = [f"f{number}" for number in range(8)]


def table(queries=600, seed=7):
    random = np.random.default_rng(seed)
    sizes = random.integers(4, 20, queries)
    sizes[0] = 500  # one query is much longer than the others
    X = random.normal(size=(int(sizes.sum()), len(FEATURES))).astype(np.float32)
    utility = 1.5 * X[:, 0] + np.maximum(X[:, 1], 0) - X[:, 2] * X[:, 3] + 0.3 * random.normal(size=len(X))
    rows = pd.DataFrame(X, columns=FEATURES)
    rows["qid"] = np.repeat(np.arange(queries), sizes)
    rows["label"] = np.digitize(utility, [0.5, 1.5, 2.5])
    return rows


def fingerprint(ranker):
    """Of the model's bytes: the same on any engine and for any number of workers."""
    return hashlib.sha256(ranker.model_.to_json().encode()).hexdigest()[:16]
