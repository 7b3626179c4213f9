"""The estimator: the scikit-learn interface to the library's learners."""

from __future__ import annotations

import inspect
import os
import warnings
from abc import ABCMeta
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from podium import _podium
from podium._aliases import translated
from podium._arguments import (
    Columns,
    Features,
    as_features,
    as_queries,
    check_count,
    check_names,
    is_frame,
    name_list,
    query_sizes,
)
from podium._clicks import LogLike, PropensitiesLike, debiased
from podium._custom import Loss, LossFunction, MeasureFunction, native_measures
from podium._dataset import Dataset
from podium._evaluation import evaluate
from podium._model import (
    FEW_ROWS,
    Explanation,
    Export,
    Model,
    categories_in,
    explanation_of,
    plain_matrix,
    require_groups,
    rows_to_score,
    score_features,
)
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
    labelled,
    names_of_sets,
    nothing_beside_dataset,
    nothing_without,
    renamed,
    set_start,
    training_data,
    unlabelled_data,
    validation_data,
    with_preferences,
)
from podium.distributed._agreement import agree_on_request
from podium.distributed._workers import together

MeasureLike: TypeAlias = str | MeasureFunction | Sequence[str | MeasureFunction]
LossLike: TypeAlias = str | Loss | LossFunction | None
NamesLike: TypeAlias = str | Sequence[str] | None


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


class Ranker(BaseEstimator, metaclass=TakesAliases):
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
    clicks_: dict, how the clicks were weighted, after training on clicks
    """

    _learner: str | None = None  # set by the classes for one learner
    model_: Model
    _apart: tuple[str, ...] = ("qid",)  # columns of the training data that were no features
    _names: list[str] | None = None  # feature_names_in_, as a list

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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "ranker"
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    # Training

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
            How clicks are corrected: "naive", "ipw", "affine", "pairwise", "additive" or "judged".
        propensities:
            ipw, affine, judged: a fitted click model of ``podium.clicks``, a file, or numbers by position.
        propensity_clip:
            ipw, affine: smallest propensity that a click is divided by. None: 0.05.
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
        if clicks is None:
            nothing_without("clicks", propensities=propensities, propensity_clip=propensity_clip)
        else:
            _only_clicks(y=y, sample_weight=sample_weight, preferences=preferences, workers=workers)
            if init is not None and not isinstance(init, (str, Model, Ranker)):
                raise ValueError("init: scores cannot be used with clicks, which keep only rows that were shown")
        with together(workers):
            start = init.model_ if isinstance(init, Ranker) else init
            request = settings._request()
            request.checkpoint = "" if checkpoint is None else os.fspath(checkpoint)
            request.checkpoint_seconds = _not_negative("checkpoint_seconds", checkpoint_seconds)
            logs = bool(watching or settings.verbose)
            if workers is not None:
                logs = agree_on_request(workers, settings._name, settings.get_params(deep=False), names_of_sets(eval_set),
                                        describe_start(start), request.checkpoint, logs)
            if logs and eval_set is None:
                request.log_training_measure()
            if clicks is None:
                data = training_data(owner, X, y, qid, group, sample_weight, self._columns(), self.threads, workers)
            else:
                data = unlabelled_data(X, qid, group, self._columns(), self.threads)
            sets = validation_data(owner, eval_set, eval_qid, eval_group, eval_sample_weight, data.names,
                                   data.native.features, self._columns(), self.threads, workers)
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
        self.n_features_in_ = data.native.features
        self._apart = data.apart
        self._names = data.names
        if data.names is not None:
            self.feature_names_in_ = np.array(data.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.history_: list[dict[str, float]] = [renamed(step, chooses) for step in report["log"]]
        self.best_iteration_: int = report["best_iteration"]
        self.termination_: str = report["termination"]
        self.certificate_: dict[str, float] | None = report["certificate"]
        self.chosen_: dict[str, float] = report["chosen"]
        self.validation_: dict[str, float] = native.training["validation"]
        self.evaluations_: dict[str, dict[str, float]] = {
            one.name: self.validation_ if one is sets[0] else report["watched"].get(one.name, {}) for one in sets}

    def _columns(self, apart: Sequence[str] = ()) -> Columns:
        """What tables have besides features; ``apart``: columns that the training data had set apart."""
        chosen = None if self.features is None else name_list("features", self.features)
        return Columns(("qid",), (*name_list("ignore", self.ignore), *(name for name in apart if name != "qid")), chosen,
                       name_list("categorical", self.categorical))

    def _columns_to_score(self, X: Any) -> Columns:
        """Those of the training data, where categories stay what they were."""
        return replace(self._columns(self._apart), categorical=categories_in(self.model_._native, X, self._trained_names()))

    def _request(self) -> _podium.TrainingRequest:
        request = _podium.TrainingRequest()
        request.learner = self._name
        request.options = self._given_options()
        request.convention = self.convention
        request.set_measures(native_measures(self.measure, "measure"))
        request.pointwise = _not_negative("pointwise", self.pointwise)
        request.normalize = self.normalize or ""
        request.bins = _whole("bins", self.bins)
        request.bin_rule = self.bin_rule or ""
        request.set_missing(self.impute or "", self.indicators or "", self.encode or "")
        request.features = ",".join(name_list("features", self.features))
        request.seed = _whole("seed", self.seed)
        request.threads = _whole("threads", self.threads)
        loss = getattr(self, "loss", None)
        if isinstance(loss, str):
            request.set_loss(loss)
        elif loss is not None:
            custom = loss if isinstance(loss, Loss) else Loss(loss)
            request.set_python_loss(custom.name, custom, custom.convex, custom.shift_invariant)
        return request

    # Use

    def predict(self, X: Any, *, qid: Any = None, group: Any = None) -> npt.NDArray[np.float64]:
        """One score per row; within a query, higher is better.

        A float32 array in C order is not copied. qid or group are needed only by models that scale
        features within each query.
        """
        if not hasattr(self, "model_"):  # the check alone takes as long as a thousand rows
            check_is_fitted(self, "model_")
        matrix = self._plain_inputs(X)
        if matrix is not None:
            return self.model_._score_matrix(matrix, self.threads)
        native = self.model_._native
        if isinstance(X, Dataset):
            require_groups(native, X)
            return native.score(X._native, self.threads)
        features = as_features(X, self._columns_to_score(X), threads=self.threads)
        self._check_features(features)
        return score_features(native, features, qid, group, self.threads, self._trained_names())

    def _plain_inputs(self, X: Any) -> npt.NDArray[np.float32] | None:
        """X as the model's inputs, where that takes no checks of names and types; few rows are converted, too."""
        native = self.model_._native
        if native.inputs != self.n_features_in_ or native.needs_queries or native.has_categories:
            return None
        named = hasattr(self, "feature_names_in_")
        if type(X) is np.ndarray:
            if named:
                return None
            if plain_matrix(X, self.n_features_in_):
                return X
            values = X
        elif named and is_frame(X) and 0 < len(X) <= FEW_ROWS and X.columns.tolist() == self._names:
            if any(dtype.kind not in "fiub" for dtype in X.dtypes):
                return None
            values = X.to_numpy()
        else:
            return None
        if (values.ndim != 2 or values.dtype.kind not in "fiub" or values.shape[1] != self.n_features_in_
                or not 0 < values.shape[0] <= FEW_ROWS):
            return None
        with np.errstate(over="ignore"):
            inputs = np.ascontiguousarray(values, np.float32)
        return None if np.isinf(inputs).any() else inputs

    def _check_features(self, features: Features) -> None:
        fitted = list(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        if fitted is None or features.names is None:
            check_count(features, self.n_features_in_, type(self).__name__)
        message = check_names(features, fitted, type(self).__name__)
        if message:
            warnings.warn(message, UserWarning, stacklevel=3)

    def _trained_names(self) -> list[str]:
        if hasattr(self, "feature_names_in_"):
            return list(self.feature_names_in_)
        return [str(number) for number in range(1, self.n_features_in_ + 1)]

    def rank(self, X: Any, *, qid: Any = None, group: Any = None) -> npt.NDArray[np.intp]:
        """The rank of each row in its query, 1 for the best; ties keep the order of the rows."""
        if isinstance(X, Dataset):
            begin, scores = X._native.query_begin, self.predict(X)
            return _places(begin, scores)
        features = as_features(X, self._columns_to_score(X), threads=self.threads)
        ids = features.columns.get("qid") if qid is None and group is None else qid
        queries = as_queries(features.rows, ids, group)
        scores = self.predict(X, qid=ids, group=group)
        return queries.as_given(_places(queries.begin, queries.grouped(scores)))

    def score(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None
              ) -> float:
        """The value of ``measure`` (the first, if several were given) for the model's ranking of X."""
        measures = self.measure if isinstance(self.measure, Sequence) and not isinstance(self.measure, str) \
            else [self.measure]
        if isinstance(X, Dataset):
            nothing_beside_dataset(y=y, qid=qid, group=group)
            labelled(X, "X")
            y, group = X.y, X.group
        scores = self.predict(X) if isinstance(X, Dataset) else self.predict(X, qid=qid, group=group)
        if qid is None and group is None:
            qid = as_features(X, self._columns_to_score(X), threads=self.threads).columns.get("qid")
        values = evaluate(y, scores, qid, group=group, measures=measures[:1], convention=self.convention,
                          sample_weight=sample_weight, threads=self.threads)
        return next(iter(values.values()))

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """How much each column of X moves the scores, normalised to sum to 1."""
        check_is_fitted(self, "model_")
        by_name = self.model_.importance()
        values = np.array([by_name.get(name, 0.0) for name in self._trained_names()])
        return values / values.sum() if values.sum() > 0 else values

    def explain(self, X: Any, *, qid: Any = None, group: Any = None) -> Explanation:
        """Why each row has its score: one number per feature, which add up to the score."""
        check_is_fitted(self, "model_")
        native = self.model_._native
        if not isinstance(X, Dataset):
            X = as_features(X, self._columns_to_score(X), threads=self.threads)
            self._check_features(X)
        data, queries = rows_to_score(native, X, qid, group, self.threads, self._trained_names())
        return explanation_of(native, data, queries, self.threads)

    def export(self, path: str | os.PathLike[str] | None, format: str | None = None, **options: Any) -> Export:
        """Writes the model in another system's format: ``podium.export_formats()``, ``Model.export``."""
        check_is_fitted(self, "model_")
        return self.model_.export(path, format, **options)

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

    def _repr_html_(self) -> str:
        shown = str(super()._repr_html_())
        return shown + self.model_._repr_html_() if hasattr(self, "model_") else shown

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        if "text/html" in shown:
            shown["text/html"] = self._repr_html_()
        return shown

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file that ``podium.load_model`` and the program read."""
        check_is_fitted(self, "model_")
        self.model_.save(path)


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


def _places(begin: npt.NDArray[np.uint64], scores: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The rank of each row, of rows that are grouped."""
    query = np.repeat(np.arange(len(begin) - 1), query_sizes(begin))
    order = np.lexsort((-scores, query))
    places = np.empty(len(scores), dtype=np.intp)
    places[order] = np.arange(len(scores)) - begin[:-1].astype(np.intp)[query] + 1
    return places


def _only_clicks(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise ValueError(f"{name} cannot be used with clicks")


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a whole number of at least 0 is needed, not {value!r}")
    return int(value)


def _not_negative(name: str, value: Any) -> float:
    if not isinstance(value, (int, float, np.integer, np.floating)) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: a number of at least 0 is needed, not {value!r}")
    return value if isinstance(value, int) else float(value)
