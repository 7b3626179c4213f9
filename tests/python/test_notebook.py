"""Display: bars and lines of progress, tables in notebooks."""

import io
import re

import podium
import pytest
from podium import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def fit(made, **options):
    return podium.LambdaMART(trees=40, leaves=4, **options).fit(made.X, made.y, qid=made.qid)


def test_lines_in_logs(made, capsys):
    fit(made, verbose=1)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21 and lines[0].startswith("LambdaMART [1/40]") and lines[-1].startswith("LambdaMART [40/40]")
    assert all("train nDCG@10 0." in line for line in lines)
    for verbose in (0, None, False):
        fit(made, verbose=verbose)
        assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="verbose"):
        fit(made, verbose="much")


@pytest.mark.parametrize("tqdm", [True, False], ids=["tqdm", "without tqdm"])
def test_bars_on_terminals(made, monkeypatch, tqdm):
    if tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    fit(made, verbose=1)
    assert "40/40" in terminal.getvalue() and terminal.getvalue().count("\r") >= 2
    terminal.truncate(0)
    fit(made)  # too short to show anything
    assert terminal.getvalue().strip("\0") == ""
    monkeypatch.setattr(_progress, "LONG", 0.0)
    fit(made)
    assert re.search(r"\d+/40", terminal.getvalue())


def test_comparisons(made, capsys, monkeypatch):
    def noise(train, valid, test):
        return test.X[:, 5]

    def run(**options):
        data = podium.Dataset(made.X, made.y, made.qid)
        return podium.compare(data, ["linear", "feature:1", noise], measures=["AP"], folds=3, permutations=100, threads=1, **options)

    quiet = run(verbose=0)
    assert capsys.readouterr().err == ""
    assert dict(run(verbose=1)) == dict(quiet)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == ["noise [1/3]", "noise [2/3]", "noise [3/3]"]
    assert [line.split("]")[0] for line in lines[3:]] == [f"compare [{n}/9" for n in range(1, 10)]
    assert all("seconds left" in line for line in lines[3:])
    with pytest.raises(ValueError, match="verbose"):
        run(verbose="much")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(_progress, "LONG", 0.0)
    run()
    assert "noise" in terminal.getvalue() and "compare" in terminal.getvalue() and "seconds left" not in terminal.getvalue()


def test_a_bar_from_the_user(made):
    tqdm = pytest.importorskip("tqdm")
    with tqdm.tqdm(total=40, file=io.StringIO(), mininterval=0) as bar:
        ranker = podium.LambdaMART(trees=40, leaves=4).fit(made.X, made.y, qid=made.qid, callbacks=lambda step: bar.update(1))
        assert bar.n == 40 and ranker.model_.trees == 40


def test_rankers_and_models(made, other):
    ranker = podium.LambdaMART(trees=5)
    assert "importance" not in ranker._repr_html_()
    ranker.fit(made.X, made.y, qid=made.qid, eval_set=(other.X, other.y), eval_qid=other.qid)
    for shown in (ranker._repr_html_(), ranker._repr_mimebundle_()["text/html"], ranker.model_._repr_html_()):
        assert "importance" in shown and "valid nDCG@10" in shown and "60 queries" in shown
    assert "trees" in ranker._repr_html_()


def test_evaluations(made):
    shown = podium.evaluate(made.y, made.X[:, 0], made.qid, measures=["AP", "nDCG@10"])._repr_html_()
    assert "nDCG@10" in shown and "60 queries, convention podium" in shown


def test_columns_of_numbers_are_aligned():
    from podium._html import html_table

    shown = html_table(["name", "value"], [("a", 0.5), ("b", None)])
    assert re.findall(r"text-align:(\w+)", shown) == ["left", "right"] * 3 and ">0.5000<" in shown
    assert "<tbody></tbody>" in html_table(["name"], [])


def test_names_cannot_break_tables(made):
    names = ["<script>", *"bcdef"]
    ranker = podium.LambdaMART(trees=2).fit(podium.Dataset(made.X, made.y, made.qid, feature_names=names))
    assert "<script>" not in ranker.model_._repr_html_() and "&lt;script&gt;" in ranker.model_._repr_html_()


def test_export(made, tmp_path):
    ranker = podium.LambdaMART(trees=2).fit(made.X, made.y, qid=made.qid)
    exported = ranker.export(tmp_path / "model.txt", "lightgbm", verify=podium.Dataset(made.X, made.y, made.qid))
    assert exported.check["holds"] and (tmp_path / "model.txt").read_bytes() == exported.content
