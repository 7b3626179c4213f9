"""Interleaving: two rankers answer with one list, and clicks say which of them users prefer.

>>> shown = podium.interleaving.interleave(ranking_a, ranking_b, session="s1", query="q7", depth=10)
>>> podium.interleaving.analyse("log.tsv").preference
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from podium import _podium
from podium._clicks import Path, warn_of


@dataclass(frozen=True)
class Verdict:
    """Which ranker is preferred."""

    sessions: int
    queries: int
    a_wins: int
    b_wins: int
    ties: int
    preference: float  # 1 if a always wins, -1 if b does
    interval: tuple[float, float]  # 95 %, bootstrap of the queries with all their sessions
    sequential_p: float  # valid whenever one looks
    sign_p: float  # valid once
    decided_after: int | None  # sessions until sequential_p was at most alpha
    bots: int = 0  # sessions dropped by max_clicks
    all_clicked: int = 0  # sessions of 5 or more documents, every one clicked


def interleave(a: Sequence[str], b: Sequence[str], *, session: str, query: str, method: str = "team-draft", depth: int = 0,
               seed: int = 1) -> list[tuple[str, str]]:
    """The list of a session: pairs of a document and its owner, "a" or "b".

    It depends on the arguments only, so that a log can be checked later.

    Parameters
    ----------
    a, b:
        The rankings: ids of documents, best first.
    session, query:
        Their names, which decide the coins.
    method:
        "team-draft" or "probabilistic".
    depth:
        Length of the list; 0: all documents.
    """
    for name, ranking in (("a", a), ("b", b)):
        if isinstance(ranking, str) or len(set(ranking)) != len(ranking):
            raise ValueError(f"{name}: a ranking is a list of different documents")
    if depth < 0:
        raise ValueError(f"depth={depth} is not at least 0")
    return list(_podium.interleave(list(a), list(b), method, depth, seed, session, query))


def analyse(log: Path | Iterable[tuple[str, int]], *, alpha: float = 0.05, max_clicks: int = 0, seed: int = 1,
            threads: int = 0) -> Verdict:
    """The verdict of a click log with a column ``owner``, or of the outcomes of sessions.

    Parameters
    ----------
    log:
        A file, or pairs of a query and the winner of a session (1: a, -1: b, 0: a tie), in the order of time.
    alpha:
        Level of the sequential test: the probability of ever seeing a preference where there is none.
    max_clicks:
        Of a file: leave out sessions with more clicks, as of robots; 0: none.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha!r} is not between 0 and 1")
    if max_clicks < 0:
        raise ValueError(f"max_clicks={max_clicks} is not at least 0")
    if isinstance(log, (str, os.PathLike)):
        found = _podium.analyse_interleaved_log(os.fspath(log), alpha, int(max_clicks), seed, threads)
    else:
        if max_clicks:
            raise ValueError("max_clicks is for a file: outcomes say nothing about clicks")
        outcomes = [(str(query), int(winner)) for query, winner in log]
        if any(winner not in (-1, 0, 1) for _, winner in outcomes):
            raise ValueError("log: the winner of a session is 1, -1 or 0")
        found = _podium.analyse_interleaving(outcomes, alpha, seed, threads)
    warn_of(found.pop("notes"))
    return Verdict(**found)


__all__ = ["Verdict", "analyse", "interleave"]
