"""check_loss: losses by name and losses written in Python, with known answers."""

import numpy as np
import pytest

import podium

FEW = {"lists": 25, "documents": 4}


def pairs(labels):
    return [(i, j) for i in range(labels.size) for j in range(labels.size) if labels[i] > labels[j]]


def logistic(scores, labels):
    value, first = 0.0, np.zeros(scores.size)
    for i, j in pairs(labels):
        x = scores[i] - scores[j]
        value += np.log1p(np.exp(-x))
        first[i] -= 1 / (1 + np.exp(x))
        first[j] += 1 / (1 + np.exp(x))
    return value, first


def lambda_ndcg(scores, labels):
    """|ΔnDCG| of the current ranking times the logistic loss."""
    rank = np.empty(scores.size)
    rank[np.argsort(-scores)] = np.arange(scores.size)
    gain, discount = 2.0**labels - 1, 1 / np.log2(2 + rank)
    ideal = (np.sort(gain)[::-1] / np.log2(2 + np.arange(scores.size))).sum()
    value, first = 0.0, np.zeros(scores.size)
    for i, j in pairs(labels):
        weight = abs((gain[i] - gain[j]) * (discount[i] - discount[j])) / ideal
        x = scores[i] - scores[j]
        value += weight * np.log1p(np.exp(-x))
        first[i] -= weight / (1 + np.exp(x))
        first[j] += weight / (1 + np.exp(x))
    return value, first


def literal_margin(delta):
    """The λ-function of the note on LambdaRank, eq. 4–9, as printed."""

    def margin(scores, labels):
        value, first = 0.0, np.zeros(scores.size)
        for i, j in pairs(labels):
            x = scores[i] - scores[j]
            force = 1 if x < 0 else max(delta - x, 0)
            value += -x if x < 0 else 0.5 * x * x - delta * x if x <= delta else -0.5 * delta * delta
            first[i] -= force
            first[j] += force
        return value, first

    return margin


def test_logistic_loss_is_a_convex_cost():
    check = podium.check_loss(logistic, **FEW)
    assert check.loss == "python:logistic"
    assert check.cost_exists and check.convex and check.monotone and check.value_fits
    assert check.swapping_loops > 50
    assert check.jacobian["asymmetry"] < 1e-6


def test_lambda_rule_has_no_cost():
    check = podium.check_loss(podium.Loss(lambda_ndcg, name="mine", convex=True), **FEW)
    assert not check.cost_exists and not check.convex and not check.value_fits
    assert check.worst_loop["crosses_swap"]
    assert check.jacobian["asymmetry"] < 1e-6  # inside one ordering the weights are constant
    assert "does not exist" in repr(check) and "python:mine" in repr(check)


@pytest.mark.parametrize(("delta", "convex"), [(1, True), (2, False)])
def test_literal_margin_is_a_cost_and_convex_up_to_one(delta, convex):
    check = podium.check_loss(literal_margin(delta), **FEW)
    assert check.cost_exists and check.value_fits
    assert check.convex == convex


def test_python_and_the_library_agree():
    mine = podium.check_loss(literal_margin(2), **FEW)
    theirs = podium.check_loss("margin-pairs(form=literal,delta=2,pairs=sum)", **FEW)
    assert mine.worst_pair["s"] == theirs.worst_pair["s"]
    assert mine.worst_pair["product"] == pytest.approx(theirs.worst_pair["product"])
    assert mine.worst_loop["circulation"] == pytest.approx(theirs.worst_loop["circulation"], abs=1e-12)
    assert mine.cost_exists == theirs.cost_exists


def test_wrong_value_is_detected():
    def doubled(scores, labels):
        value, first = logistic(scores, labels)
        return 2 * value, first

    check = podium.check_loss(doubled, **FEW)
    assert check.cost_exists and check.convex and not check.value_fits
    assert check.worst_side["difference"] == pytest.approx(2 * check.worst_side["integral"])
    assert "not the derivatives" in repr(check)


def test_bad_arguments():
    with pytest.raises(ValueError, match="unknown loss 'logistic'"):
        podium.check_loss("logistic")
    with pytest.raises(TypeError, match="not callable"):
        podium.check_loss(3)
    with pytest.raises(ValueError, match="documents: at least 2"):
        podium.check_loss("squared", documents=1)

    def broken(scores, labels):
        raise RuntimeError("my own fault")

    with pytest.raises(RuntimeError, match="my own fault"):
        podium.check_loss(broken)
