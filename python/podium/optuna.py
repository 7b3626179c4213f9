"""Podium under Optuna: parameters from the ranges that learners declare, and trials that end early.

    def objective(trial):
        ranker = podium.LambdaMART(**podium.optuna.suggest(trial, "lambdamart"))
        ranker.fit(X, y, qid=qid, eval_set=(X_valid, y_valid), eval_qid=qid_valid,
                   callbacks=podium.optuna.PruningCallback(trial))
        return ranker.validation_["nDCG@10"]

    study = optuna.create_study(direction="maximize", pruner=optuna.pruners.MedianPruner())
    study.optimize(objective, n_trials=50)

Optuna is imported when a trial is pruned, not before.
"""

from __future__ import annotations

from typing import Any

from podium._callbacks import Iteration
from podium._search_space import search_space


def suggest(trial: Any, learner: str, prefix: str = "") -> dict[str, Any]:
    """A value for each option in ``podium.search_space(learner)``, suggested by the trial.

    ``prefix`` stands before the names of Optuna's parameters, for studies with several learners.
    """
    return {name: _suggested(trial, prefix + name, space) for name, space in search_space(learner).items()}


def _suggested(trial: Any, name: str, space: dict[str, Any]) -> Any:
    if space["type"] == "choice":
        return trial.suggest_categorical(name, space["choices"])
    ask = trial.suggest_int if space["type"] == "int" else trial.suggest_float
    return ask(name, space["low"], space["high"], log=space["log"])


class PruningCallback:
    """For ``callbacks`` of ``fit``: reports a value to the trial after each iteration, and ends the training if the
    study's pruner asks for it, by raising ``optuna.TrialPruned``.

    Parameters
    ----------
    trial:
        Of a study whose direction is "maximize".
    value:
        Which value of the ``Iteration``: "valid nDCG@10"; None: the first that begins with "valid".
    """

    def __init__(self, trial: Any, value: str | None = None) -> None:
        self.trial, self.value = trial, value

    def __call__(self, step: Iteration) -> None:
        self.trial.report(self._value_of(step), step.number)
        if self.trial.should_prune():
            import optuna

            raise optuna.TrialPruned(f"at iteration {step.number}")

    def _value_of(self, step: Iteration) -> float:
        if self.value is not None:
            if self.value not in step.values:
                raise ValueError(f"value: {self.value!r} is not among {', '.join(step.values)}")
            return step.values[self.value]
        for name, value in step.values.items():
            if name.startswith("valid"):
                return value
        raise ValueError("there is no value of validation data to prune by: give fit an eval_set")
