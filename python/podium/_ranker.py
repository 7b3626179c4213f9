"""The estimator: the scikit-learn interface to the library's learners."""

from __future__ import annotations

import inspect
import os
import warnings
from abc import ABCMeta
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from podium import _podium
from podium._aliases import translated
from podium._arguments import name_list
from podium._custom import Loss, LossFunction, native_measures
from podium._fitted import FittedRanker, MeasureLike, NamesLike
from podium._model import Model
from podium._options import CATALOG, as_text, options_of
from podium._progress import progress_of
from podium._training import (
    Callback,
    EvalSet,
    TrainingData,
    UselessModelWarning,
    callable_list,
    describe_start,
    joined_callbacks,
    names_of_sets,
    renamed,
    set_start,
    training_data,
    validation_data,
    with_preferences,
)
from podium.distributed._agreement import agree_on_request
from podium.distributed._workers import together

LossLike: TypeAlias = str | Loss | LossFunction | None


class TakesAliases(ABCMeta):
    """Classes whose constructors take the names that other tools have for options (``podium.aliases()``).

    Signatures have an option's own name only, so that parameters, clones and searches know one name for each.
    """

    if not TYPE_CHECKING:
        def __call__(cls, *args, **kwargs):
            return super().__call__(*args, **cls._own_names(args, kwargs))

    @property
    def __signature__(cls) -> inspect.Signature:
        parameters = list(inspect.signature(cls.__init__).parameters.values())  # type: ignore[misc]
        return inspect.Signature(parameters[1:])

    def _own_names(cls, args: tuple[Any, ...], given: Mapping[str, Any]) -> Mapping[str, Any]:
        parameters = inspect.signature(cls).parameters
        known = {name for name, one in parameters.items() if one.kind is not one.VAR_KEYWORD}
        if len(known) < len(parameters):  # it takes any keywords: the learner decides
            learner = getattr(cls, "_learner", None) or given.get("learner", args[0] if args else "lambdamart")
            if isinstance(learner, str) and not known.issuperset(given):
                known |= set(options_of(learner))
            elif not isinstance(learner, str):
                return given
        return translated(cls.__name__, given, known)


class Ranker(FittedRanker, metaclass=TakesAliases):
    """A learner of the catalogue as a scikit-learn estimator.

    Parameters
    ----------
    learner:
        A name of ``podium.learners()``; each also has its own class, such as ``podium.LambdaMART``,
        with its options in the signature.
    measure:
        Chooses between models on ``eval_set``, and is what ``score`` returns: a name, a function (see
        ``podium.evaluate``), or a list, of which the others are only logged.
    convention:
        How measures are computed: ``podium.conventions()``.
    loss:
        For learners that accept any (boosting, linear, mlp): a name of ``podium.losses()``, a
        ``podium.Loss`` or a function of one query's scores and labels. None: the learner's own.
    normalize:
        Rescale features within each query, in training and scoring: query-minmax, query-zscore,
        query-percentile, none. None: as the method's paper does.
    bins:
        Replace each feature by indicators at this many thresholds; 0: as the method's paper does.
    bin_rule:
        How to place these thresholds: quantile, even. None: as the method's paper does.
    impute:
        What missing numbers become, in training and scoring: query-min, query-mean, mean, median, zero, none, auto.
        None: auto for learners whose models have no place for missing values, chosen on ``eval_set``.
    indicators:
        Add an input of 0 and 1 for each feature with missing values: yes, no, auto. None: auto.
    encode:
        How categories become numbers: target, one-hot, hash, auto. None: auto for learners that cannot use them.
    features:
        Train on these only: "1-10,15", or names. Other columns of tables may then be text.
    ignore:
        Columns of tables that are not features, such as text: names.
    categorical:
        Columns that are categories, for learners that grow trees: names, or numbers counted from 1 for matrices. Columns
        of the pandas type ``category``, of polars' ``Categorical`` and ``Enum``, and Arrow dictionaries always are.
    pointwise:
        Add this many times the squared error to the loss.
    seed:
        The same seed gives the same model, for any number of threads.
    threads:
        0: one per core.
    verbose:
        1: show progress; 0: show nothing; None: show a bar where a fit takes long, on a terminal or in a notebook.
    **options:
        The learner's own, with underscores: ``podium.options("lambdamart")`` lists them. The names that other
        tools have for options can be used, too: ``podium.aliases()``.

    Attributes
    ----------
    model_: podium.Model
    n_features_in_, feature_names_in_: as in scikit-learn
    history_: list of dict, the values of each iteration
    best_iteration_: int
    termination_: why training ended
    certificate_: dict with primal, dual and gap, or None
    validation_: dict, the measures on ``eval_set`` (the first, if there are several)
    evaluations_: dict, the measures on each validation set, by its name
    """

    _learner: str | None = None  # set by the classes for one learner

    def __init__(self, learner: str = "lambdamart", *, measure: MeasureLike = "nDCG@10",
                 convention: str = "podium", loss: LossLike = None, normalize: str | None = None, bins: int = 0,
                 bin_rule: str | None = None, impute: str | None = None, indicators: str | None = None,
                 encode: str | None = None, features: NamesLike = None, ignore: NamesLike = None,
                 categorical: NamesLike = None, pointwise: float = 0.0, seed: int = 1, threads: int = 0,
                 verbose: int | None = None, **options: Any) -> None:
        self.learner = learner
        self.measure = measure
        self.convention = convention
        self.loss = loss
        self.normalize = normalize
        self.bins = bins
        self.bin_rule = bin_rule
        self.impute = impute
        self.indicators = indicators
        self.encode = encode
        self.features = features
        self.ignore = ignore
        self.categorical = categorical
        self.pointwise = pointwise
        self.seed = seed
        self.threads = threads
        self.verbose = verbose
        self._set_options(options)

    # Parameters

    def _set_options(self, options: Mapping[str, Any]) -> None:
        if not options:
            return
        known = options_of(self._name)
        for name, value in options.items():
            if name not in known:
                hint = _podium.suggestion(name, list(known))
                raise TypeError(f"{self._name} has no option {name!r}{hint}")
            setattr(self, name, value)

    @property
    def _name(self) -> str:
        return self._learner or self.learner

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        params: dict[str, Any] = super().get_params(deep=deep)
        if self._learner is None and self.learner in CATALOG:
            params |= {name: vars(self)[name] for name in options_of(self.learner) if name in vars(self)}
        return params

    def set_params(self, **params: Any) -> Ranker:
        own = super().get_params(deep=False)
        given = {name: value for name, value in params.items() if "__" not in name}
        if self._learner is not None:
            super().set_params(**self._own_params(given, own), **{n: v for n, v in params.items() if n not in given})
            return self
        learner = given.get("learner", self.learner)
        options = options_of(learner) if isinstance(learner, str) and not set(own).issuperset(given) else {}
        given = self._own_params(given, {**own, **options})
        super().set_params(**{name: value for name, value in given.items() if name in own})
        self._set_options({name: value for name, value in given.items() if name not in own})
        return self

    def _own_params(self, given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return translated(type(self).__name__, given, known)
        except TypeError as error:
            raise ValueError(str(error)) from None

    def _given_options(self) -> list[tuple[str, str]]:
        defaults = options_of(self._name)
        if self._learner is None:
            given = {name: vars(self)[name] for name in defaults if name in vars(self)}
        else:
            given = {name: vars(self)[name] for name, value in defaults.items()
                     if as_text(name, vars(self)[name]) != as_text(name, value)}
        return [(name.replace("_", "-"), as_text(name, value)) for name, value in given.items()]

    def spec(self) -> str:
        """The learner and its options as ``compare`` and the program write them."""
        loss = getattr(self, "loss", None)
        if loss is not None and not isinstance(loss, str):
            raise ValueError("loss: a loss in Python cannot be written as text")
        given = self._given_options() + ([("loss", loss)] if loss else [])
        if self.pointwise:
            given.append(("pointwise", as_text("pointwise", self.pointwise)))
        inner = ",".join(f"{name}={value}" for name, value in given)
        return f"{self._name}({inner})" if inner else self._name

    # Training

    def fit(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None,
            eval_set: Any = None, eval_qid: Any = None, eval_group: Any = None, eval_sample_weight: Any = None,
            init: Any = None, eval_init: Any = None, preferences: Any = None, preferences_only: bool = False,
            callbacks: Callback | Sequence[Callback] | None = None, on_interrupt: str = "raise",
            workers: Any = None, checkpoint: str | os.PathLike[str] | None = None, checkpoint_seconds: float = 300.0,
            **options: Any) -> Ranker:
        """Trains on rows that are grouped by query.

        Parameters
        ----------
        X:
            Features: NumPy array, SciPy sparse matrix, pandas or polars DataFrame, any Arrow table, a generator
            of such pieces; or a Dataset, which contains the other arguments. A column ``qid`` of a table is not a
            feature.
        y:
            One label per row, higher is better.
        qid, group:
            Which rows form a query: one id per row (rows of a query that are not contiguous are brought
            together, with a warning), or the sizes of consecutive queries.
        sample_weight:
            One weight per row or one per query.
        eval_set:
            Validation data, for choosing between models and early stopping: (X, y) or a Dataset, with
            eval_qid or eval_group. Several in a list, or in a dictionary by name, with lists or dictionaries of
            eval_qid or eval_group: the first one chooses, the others are only evaluated.
        init, eval_init:
            Where training starts: a Model or a fitted Ranker to continue, "feature:NAME", or one score per
            row that the model's scores are added to.
        preferences:
            Pairs of rows of X (counted from 0, of one query): an array of two columns, better and worse, or of three,
            with a weight. For learners and losses over pairs, which learn from them beside y.
        preferences_only:
            Learn from ``preferences`` alone.
        callbacks:
            Called with an ``Iteration`` after each step. ``return podium.stop`` or ``raise podium.StopTraining``
            ends the training, and the model so far is kept; other return values do not matter.
        on_interrupt:
            What Ctrl-C does: "raise" KeyboardInterrupt, or "keep" the model so far, with a warning.
        workers:
            Train together with other processes, each of which calls ``fit`` with its own queries and the same
            parameters; all get the same model, that of one process with all the data. One of
            ``podium.distributed``. On a worker without rows X may be None. (``group`` has been the sizes of queries
            since LightGBM, hence this name.)
        checkpoint:
            A file, on the disk of the first worker, in which the state of the training is saved, and which is
            removed at the end. If it exists the training resumes from there, with the same result; that of
            another training is refused.
        checkpoint_seconds:
            Seconds between two writes of the checkpoint.
        **options:
            Parameters for this fit only, under any of their names, as LightGBM's fit takes eval_at;
            group_id is qid.
        """
        if "group_id" in options:
            if qid is not None:
                raise TypeError("qid and group_id are the same: give one of them")
            qid = options.pop("group_id")
        settings = clone(self).set_params(**options) if options else self
        if on_interrupt not in ("raise", "keep"):
            raise ValueError(f"on_interrupt: raise or keep, not {on_interrupt!r}")
        watching = callable_list(callbacks)
        owner = type(self).__name__
        if workers is not None and workers.size == 1:
            workers = None
        if preferences_only and preferences is None:
            raise ValueError("preferences_only needs preferences")
        if preferences is not None and workers is not None:
            raise ValueError("preferences cannot be used with workers")
        with together(workers):
            start = init.model_ if isinstance(init, Ranker) else init
            request = settings._request()
            request.checkpoint = "" if checkpoint is None else os.fspath(checkpoint)
            request.checkpoint_seconds = not_negative("checkpoint_seconds", checkpoint_seconds)
            logs = bool(watching or settings.verbose)
            if workers is not None:
                logs = agree_on_request(workers, settings._name, settings.get_params(deep=False), names_of_sets(eval_set),
                                        describe_start(start), request.checkpoint, logs)
            if logs and eval_set is None:
                request.log_training_measure()
            data = training_data(owner, X, y, qid, group, sample_weight, self._columns(), self.threads, workers)
            sets = validation_data(owner, eval_set, eval_qid, eval_group, eval_sample_weight, data.names,
                                   data.native.features, self._columns(), self.threads, workers)
            if preferences is not None:
                data.native = with_preferences(data.native, preferences)
                request.use_preferences(preferences_only)
            set_start(request, start, eval_init, data, sets)
            self._train(settings, request, data, sets, watching, on_interrupt, workers)
        return self

    def _train(self, settings: Ranker, request: _podium.TrainingRequest, data: TrainingData, sets: list[EvalSet],
               watching: list[Callback], on_interrupt: str, workers: Any) -> None:
        is_first = workers is None or workers.rank == 0
        progress = progress_of(settings.verbose, type(self).__name__) if is_first else None
        chooses = sets[0].name if sets else "valid"
        try:
            native, report = _podium.fit(request, data.native, sets[0].native if sets else None,
                                         [(one.name, one.native) for one in sets[1:]],
                                         joined_callbacks(watching, progress, chooses), on_interrupt, workers)
        finally:
            if progress is not None:
                progress.close()
        if workers is not None:
            workers.all_gather(b"")  # no worker ends before all do: a failure can still be received here
        for note in report["notes"] if is_first else ():
            warnings.warn(note, stacklevel=3)
        if report["interrupted"]:
            warnings.warn(f"interrupted: the model after {len(report['log'])} iterations is kept", stacklevel=3)
        if (why := native.training["useless"]) and is_first:
            warnings.warn(f"the model is of no use: {why}", UselessModelWarning, stacklevel=3)
        self.model_ = Model(native)
        self._remember(data)
        self.history_: list[dict[str, float]] = [renamed(step, chooses) for step in report["log"]]
        self.best_iteration_: int = report["best_iteration"]
        self.termination_: str = report["termination"]
        self.certificate_: dict[str, float] | None = report["certificate"]
        self.chosen_: dict[str, float] = report["chosen"]
        self.validation_: dict[str, float] = native.training["validation"]
        self.evaluations_: dict[str, dict[str, float]] = {
            one.name: self.validation_ if one is sets[0] else report["watched"].get(one.name, {}) for one in sets}

    def _request(self) -> _podium.TrainingRequest:
        request = _podium.TrainingRequest()
        request.learner = self._name
        request.options = self._given_options()
        request.convention = self.convention
        request.set_measures(native_measures(self.measure, "measure"))
        request.pointwise = not_negative("pointwise", self.pointwise)
        request.normalize = self.normalize or ""
        request.bins = whole("bins", self.bins)
        request.bin_rule = self.bin_rule or ""
        request.set_missing(self.impute or "", self.indicators or "", self.encode or "")
        request.features = ",".join(name_list("features", self.features))
        request.seed = whole("seed", self.seed)
        request.threads = whole("threads", self.threads)
        loss = getattr(self, "loss", None)
        if isinstance(loss, str):
            request.set_loss(loss)
        elif loss is not None:
            custom = loss if isinstance(loss, Loss) else Loss(loss)
            request.set_python_loss(custom.name, custom, custom.convex, custom.shift_invariant)
        return request

    # Views

    @property
    def plot(self) -> Plots:
        """Plots of a fitted ranker: ``ranker.plot.importance()``, ``.learning_curve()``, ``.explanation(X, row)``."""
        check_is_fitted(self, "model_")
        return Plots(self)

    @property
    def evals_result_(self) -> dict[str, dict[str, list[float]]]:
        """``history_`` by validation set and measure."""
        out: dict[str, dict[str, list[float]]] = {}
        for step in self.history_:
            for key, value in step.items():
                name, _, measure = key.partition(" ")
                if measure:
                    out.setdefault(name, {}).setdefault(measure, []).append(value)
        return out


class Plots:
    """The functions of ``podium.plot`` for one ranker."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker

    def importance(self, **options: Any) -> Any:
        from podium import plot

        return plot.importance(self._ranker, **options)

    def learning_curve(self, **options: Any) -> Any:
        from podium import plot

        return plot.learning_curve(self._ranker, **options)

    def explanation(self, X: Any, row: int = 0, *, qid: Any = None, **options: Any) -> Any:
        from podium import plot

        return plot.explanation(self._ranker.explain(X, qid=qid), row, **options)


def whole(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a whole number of at least 0 is needed, not {value!r}")
    return int(value)


def not_negative(name: str, value: Any) -> float:
    if not isinstance(value, (int, float, np.integer, np.floating)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a number of at least 0 is needed, not {value!r}")
    return value if isinstance(value, int) else float(value)
