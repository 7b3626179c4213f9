"""The estimator: the scikit-learn interface to the library's learners."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from sklearn.base import clone

from podium import _podium
from podium._callbacks import Callback, callable_list, joined_callbacks, renamed
from podium._clicks import LogLike, PropensitiesLike, debiased
from podium._fitted import FittedRanker
from podium._model import Model
from podium._options import not_negative
from podium._parameters import LossLike, MeasureLike, NamesLike
from podium._progress import progress_of, shown
from podium._training import (
    EvalSet,
    TrainingData,
    UselessModelWarning,
    describe_start,
    names_of_sets,
    nothing_without,
    set_start,
    training_data,
    unlabelled_data,
    validation_data,
    with_preferences,
)
from podium.distributed._agreement import agree_on_request
from podium.distributed._workers import failures_reported, several


class Ranker(FittedRanker):
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
    device:
        Where trees are grown and scored: "cpu", "cuda" (the first GPU), "cuda:1", "auto" (a GPU if there is one) or
        "emulated" (a GPU's work, done by the CPU: for tests). The models and scores are the same, byte for byte.
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
    clicks_: dict, how the clicks were weighted, after training on clicks
    """

    def __init__(self, learner: str = "lambdamart", *, measure: MeasureLike = "nDCG@10",
                 convention: str = "podium", loss: LossLike = None, normalize: str | None = None, bins: int = 0,
                 bin_rule: str | None = None, impute: str | None = None, indicators: str | None = None,
                 encode: str | None = None, features: NamesLike = None, ignore: NamesLike = None,
                 categorical: NamesLike = None, pointwise: float = 0.0, seed: int = 1, threads: int = 0,
                 device: str = "cpu", verbose: int | None = None, **options: Any) -> None:
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
        self.device = device
        self.verbose = verbose
        self._set_options(options)

    def fit(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None,
            eval_set: Any = None, eval_qid: Any = None, eval_group: Any = None, eval_sample_weight: Any = None,
            init: Any = None, eval_init: Any = None, preferences: Any = None, preferences_only: bool = False,
            clicks: LogLike | None = None, debias: str = "ipw", propensities: PropensitiesLike = None,
            propensity_clip: float | None = None,
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
        clicks:
            Learn from a click log instead of y: a path or a ``podium.clicks.Log``. Documents are matched by qid and
            docid (of a Dataset; else the rows of a query are "1", "2", …); those that were never shown are left out.
        debias:
            How clicks are corrected: "naive", "ipw", "overlap", "affine", "pairwise", "additive", "dual" or "judged".
        propensities:
            ipw, overlap, affine, judged: a fitted click model of ``podium.clicks``, a file, or numbers by position.
        propensity_clip:
            ipw, affine, dual: smallest propensity that a click is divided by. None: 0.05.
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
        workers = several(workers)
        if preferences_only and preferences is None:
            raise ValueError("preferences_only needs preferences")
        if preferences is not None and workers is not None:
            raise ValueError("preferences cannot be used with workers")
        if clicks is None:
            nothing_without("clicks", propensities=propensities, propensity_clip=propensity_clip)
        else:
            _only_clicks(y=y, sample_weight=sample_weight, preferences=preferences, workers=workers)
            if init is not None and not isinstance(init, (str, Model, Ranker)):
                raise ValueError("init: scores cannot be used with clicks, which keep only rows that were shown")
        with failures_reported(workers):
            start = init.model_ if isinstance(init, Ranker) else init
            request, columns = settings._request(), settings._columns()
            request.checkpoint = "" if checkpoint is None else os.fspath(checkpoint)
            request.checkpoint_seconds = not_negative("checkpoint_seconds", checkpoint_seconds)
            logs = bool(watching or settings.verbose)
            if workers is not None:
                logs = agree_on_request(workers, settings._name, settings.get_params(deep=False), names_of_sets(eval_set),
                                        describe_start(start), request.checkpoint, logs)
            if logs and eval_set is None:
                request.log_training_measure()
            if clicks is None:
                data = training_data(owner, X, y, qid, group, sample_weight, columns, self.threads, workers)
            else:
                data = unlabelled_data(X, qid, group, columns, self.threads)
            sets = validation_data(owner, eval_set, eval_qid, eval_group, eval_sample_weight, data.names,
                                   data.native.features, columns, self.threads, workers)
            if preferences is not None:
                data.native = with_preferences(data.native, preferences)
                request.use_preferences(preferences_only)
            set_start(request, start, eval_init, data, sets)
            if clicks is not None:
                data.native, self.clicks_ = debiased(request, data.native, clicks, debias, propensities, propensity_clip)
            self._train(settings, request, data, sets, watching, on_interrupt, workers)
        return self

    def _train(self, settings: Ranker, request: _podium.TrainingRequest, data: TrainingData, sets: list[EvalSet],
               watching: list[Callback], on_interrupt: str, workers: Any) -> None:
        is_first = workers is None or workers.rank == 0
        chooses = sets[0].name if sets else "valid"
        with shown(progress_of(settings.verbose, type(self).__name__) if is_first else None) as progress:
            native, report = _podium.fit(request, data.native, sets[0].native if sets else None,
                                         [(one.name, one.native) for one in sets[1:]],
                                         joined_callbacks(watching, progress, chooses), on_interrupt, workers)
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
        self.history_ = [renamed(step, chooses) for step in report["log"]]
        self.best_iteration_: int = report["best_iteration"]
        self.termination_: str = report["termination"]
        self.certificate_: dict[str, float] | None = report["certificate"]
        self.chosen_: dict[str, float] = report["chosen"]
        self.validation_: dict[str, float] = native.training["validation"]
        self.evaluations_: dict[str, dict[str, float]] = {
            one.name: self.validation_ if one is sets[0] else report["watched"].get(one.name, {}) for one in sets}


def _only_clicks(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise ValueError(f"{name} cannot be used with clicks")
