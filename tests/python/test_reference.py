"""Whatever is public says what it is: the reference is made of docstrings."""

import inspect

import podium
import pytest

MODULES = [podium, podium.clicks, podium.counterfactual, podium.interleaving, podium.optuna, podium.plot]


def members(owner):
    """Public names and what they are, of a class and of a module without __all__ those that it defines itself."""
    exported = getattr(owner, "__all__", None)
    for name in exported or [name for name in vars(owner) if not name.startswith("_")]:
        value = inspect.getattr_static(owner, name)
        value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if not (inspect.isclass(value) or inspect.isfunction(value) or isinstance(value, property)):
            continue
        if exported or inspect.isclass(owner) or value.__module__ == owner.__name__:
            yield f"{owner.__name__}.{name}", value


def undocumented(owner):
    for name, value in members(owner):
        if not inspect.getdoc(value):
            yield name
        if inspect.isclass(value):
            yield from undocumented(value)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_docstrings(module):
    assert sorted(undocumented(module)) == []


def test_docstrings_of_workers():
    from podium import dask, distributed, ray, spark

    assert [name for module in (dask, distributed, ray) for name in undocumented(module)] == []
    assert inspect.getdoc(spark.train) and inspect.getdoc(spark.predict)
