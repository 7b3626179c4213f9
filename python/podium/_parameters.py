"""The parameters of estimators: their names and aliases, and the request that the library takes them as."""

from __future__ import annotations

import inspect
from abc import ABCMeta
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sklearn.base import BaseEstimator

from podium import _podium
from podium._aliases import translated
from podium._columns import name_list
from podium._custom import Loss, LossFunction, MeasureFunction, native_measures
from podium._options import CATALOG, as_text, device_name, not_negative, options_of, whole

MeasureLike: TypeAlias = str | MeasureFunction | Sequence[str | MeasureFunction]
LossLike: TypeAlias = str | Loss | LossFunction | None
NamesLike: TypeAlias = str | Sequence[str] | None
P = TypeVar("P", bound="Parameters")


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


class Parameters(BaseEstimator, metaclass=TakesAliases):
    """What ``Ranker`` and the classes for one learner were constructed with."""

    _learner: str | None = None  # set by the classes for one learner
    learner: str
    measure: MeasureLike
    convention: str
    normalize: str | None
    bins: int
    bin_rule: str | None
    impute: str | None
    indicators: str | None
    encode: str | None
    features: NamesLike
    ignore: NamesLike
    categorical: NamesLike
    pointwise: float
    seed: int
    threads: int
    device: str
    verbose: int | None

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

    def set_params(self: P, **params: Any) -> P:
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
        request.device = device_name(self.device)
        loss = getattr(self, "loss", None)
        if isinstance(loss, str):
            request.set_loss(loss)
        elif loss is not None:
            custom = loss if isinstance(loss, Loss) else Loss(loss)
            request.set_python_loss(custom.name, custom, custom.convex, custom.shift_invariant)
        return request
