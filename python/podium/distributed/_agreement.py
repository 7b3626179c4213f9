"""What all workers must have in common before they train, compared here so that an error says what differs.

Every function is called by all workers, in the same order, and raises the same error on each of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from podium import _podium
from podium._columns import Features
from podium._queries import Queries
from podium._text import counted
from podium._values import Weights

FREE = ("threads", "device", "verbose", "n_jobs")  # parameters that change no bit of the model


def gathered(workers: Any, mine: Any) -> list[Any]:
    """Every worker's value, in the order of ranks: anything that JSON can express."""
    return [json.loads(bytes(part)) for part in workers.all_gather(json.dumps(mine).encode())]


def _as_text(value: Any) -> str:
    if callable(value):
        return str(getattr(value, "__qualname__", type(value).__qualname__))
    return repr(value)


def agree_on_request(workers: Any, learner: str, parameters: Mapping[str, Any], sets: Sequence[str], start: str,
                     checkpoint: str, logs: bool) -> bool:
    """The same package, learner, parameters and kind of data. Whether any worker logs the training measure."""
    mine = {"version": _podium.version(), "learner": learner, "sets": list(sets), "start": start, "checkpoint": checkpoint, "logs": logs,
            "parameters": {name: _as_text(value) for name, value in parameters.items() if name not in FREE}}
    everyone = gathered(workers, mine)
    first = everyone[0]
    for rank, other in enumerate(everyone):
        for key, what in (("version", "Podium"), ("learner", "the learner"), ("sets", "the validation sets"),
                          ("start", "the start"), ("checkpoint", "the checkpoint")):
            if other[key] != first[key]:
                raise ValueError(f"worker {rank} has {what} {_shown(other[key])}, but worker 0 has {_shown(first[key])}")
        for name in sorted({*first["parameters"], *other["parameters"]}):
            values = [one["parameters"].get(name, "not set") for one in (other, first)]
            if values[0] != values[1]:
                raise ValueError(f"{name}: worker {rank} has {values[0]}, but worker 0 has {values[1]}")
    return any(one["logs"] for one in everyone)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return str(value) or "none"


def agree_on_features(workers: Any, features: Features | None, what: str) -> Features:
    """The same columns everywhere; a worker without rows (None) gets those of the others."""
    mine = None if features is None else {"rows": features.rows, "count": features.count, "names": features.names,
                                              "sparse": sparse.issparse(features.values),
                                              "categories": sorted(features.categories)}
    everyone = gathered(workers, mine)
    known = [(rank, facts) for rank, facts in enumerate(everyone) if facts is not None]
    # Tables without rows come as they are, perhaps without columns.
    filled = [(rank, facts) for rank, facts in known if facts["rows"] > 0]
    if sum(facts["rows"] for _, facts in filled) < 2:
        raise ValueError(f"{what}: the workers have {'only one row' if filled else 'no rows'} (Found array with "
                         f"{len(filled)} sample(s) while a minimum of 2 is required)")
    first_rank, first = filled[0]
    for rank, facts in filled:
        _compare_columns(what, rank, facts, first_rank, first)
    if features is None or features.rows == 0:
        empty = (sparse.csr_matrix if first["sparse"] else np.empty)((0, first["count"]), dtype=np.float32)
        return Features(empty, first["names"], {} if features is None else features.columns,
                        {number: [] for number in first["categories"]})
    return features


def _compare_columns(what: str, rank: int, facts: dict[str, Any], first_rank: int, first: dict[str, Any]) -> None:
    names, others = facts["names"], first["names"]
    if (names is None) != (others is None):
        raise ValueError(f"{what}: worker {rank if names else first_rank} has names of features, and worker "
                         f"{first_rank if names else rank} has none")
    if names is not None and names != others:
        for mine, theirs in zip(names, others):
            if mine != theirs:
                raise ValueError(f"{what}: workers need the same features in the same order, but worker {rank} has "
                                 f"{mine!r} where worker {first_rank} has {theirs!r}")
    if facts["count"] != first["count"]:
        raise ValueError(f"{what}: worker {rank} has {counted(facts['count'], 'feature')}, but worker {first_rank} has "
                         f"{first['count']}")
    for number in sorted(set(facts["categories"]) ^ set(first["categories"])):
        numbers, others_rank = (rank, first_rank) if number in first["categories"] else (first_rank, rank)
        name = names[number] if names else str(number + 1)
        raise ValueError(f"{what}: {name!r} has numbers on worker {numbers}, but categories on worker {others_rank}")


def agree_on_queries(workers: Any, queries: Queries, by_size: bool) -> Queries:
    """Queries that only have sizes are numbered over all workers; others keep their ids."""
    counts = gathered(workers, [len(queries.ids), by_size])
    ways = {by for count, by in counts if count > 0}
    if len(ways) > 1:
        raise ValueError("qid and group: some workers have ids of queries and others have sizes")
    if not by_size or len(queries.ids) == 0:
        return queries
    before = sum(count for count, _ in counts[:workers.rank])
    return Queries(queries.begin, [str(before + number) for number in range(1, len(queries.ids) + 1)], queries.order)


def agree_on_weights(workers: Any, weights: Weights, given: bool, queries: Queries, argument: str) -> Weights:
    """Weights of rows on every worker if one has them, else weights of queries."""
    rows = int(queries.begin[-1])
    kind = "documents" if weights.documents is not None else "queries" if weights.queries is not None else "none"
    kinds = gathered(workers, [kind, given, rows])
    with_rows = [(rank, has) for rank, (_, has, count) in enumerate(kinds) if count > 0]
    having, lacking = ([rank for rank, has in with_rows if has == wanted] for wanted in (True, False))
    if having and lacking:
        raise ValueError(f"{argument}: worker {having[0]} has weights, and worker {lacking[0]} has none")
    every = {one for one, _, _ in kinds}
    if every == {"none"}:
        return weights
    of_queries = weights.queries if weights.queries is not None else np.ones(len(queries.ids), np.float32)
    if "documents" not in every:
        return Weights(queries=of_queries)
    if weights.documents is not None:
        return weights
    return Weights(documents=np.ascontiguousarray(np.repeat(of_queries, queries.sizes), np.float32))


def agree_on_dataset(workers: Any, data: _podium.Dataset, what: str) -> None:
    """A Dataset keeps its weights, so these must be of the same kind; the library compares the rest."""
    everyone = gathered(workers, [data.weights, data.documents])
    filled = [(rank, kind) for rank, (kind, rows) in enumerate(everyone) if rows > 0]
    for rank, kind in filled:
        if kind != filled[0][1]:
            raise ValueError(f"{what}: worker {rank} has weights of {kind}, but worker {filled[0][0]} of {filled[0][1]}")
