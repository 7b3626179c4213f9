"""Grades from counts and other numbers."""

import subprocess

import numpy as np
import podium
import pytest
from podium._program import program_path

COUNTS = [0, 0, 0, 0, 1, 2, 3, 40, 500]


def test_edges_belong_to_the_bucket_above():
    grades = podium.bucket_labels([-3, 0, 1, 9.5, 10, 2392], [1, 10])
    np.testing.assert_array_equal(grades, [0, 0, 1, 1, 2, 2])
    assert grades.dtype == np.float32
    np.testing.assert_array_equal(podium.bucket_labels([1, 2], [2]), [0, 1])


def test_buckets_hold_equally_many_distinct_labels():
    assert podium.label_edges(COUNTS, 4) == [2, 3, 500]
    np.testing.assert_array_equal(podium.bucket_labels(COUNTS, 4), [0, 0, 0, 0, 0, 1, 2, 2, 3])
    np.testing.assert_array_equal(podium.bucket_labels([7, 7], 5), [0, 0])


def test_are_those_of_the_program(tmp_path):
    labels = np.random.default_rng(1).integers(0, 3000, 60)
    data, out = tmp_path / "d.txt", tmp_path / "o.txt"
    data.write_text("".join(f"{label} qid:1 1:{i}\n" for i, label in enumerate(labels)))
    subprocess.run([program_path(), "prepare", data, "-o", out, "--bucket-labels", "5", "--quiet"], check=True)
    wanted = [float(line.split()[0]) for line in out.read_text().splitlines()]
    np.testing.assert_array_equal(podium.bucket_labels(labels), wanted)
    later = podium.bucket_labels(labels[:7], podium.label_edges(labels))
    np.testing.assert_array_equal(later, wanted[:7])


def test_the_error_about_counts_names_it():
    X = np.arange(9, dtype=np.float32)[:, None]
    with pytest.raises(ValueError, match=r"grades made by podium\.bucket_labels\(y, 5\)"):
        podium.LambdaMART(trees=1).fit(X, COUNTS, group=[9])


@pytest.mark.parametrize("buckets, message", [
    (1, "buckets=1 is not a number of buckets from 2 to 32"),
    (2.5, "buckets=2.5 is not"),
    (33, "buckets=33 is not"),
    ([3, 3], "the edges 3,3 are not in ascending order"),
    ([1, np.nan], "not all finite"),
    (range(32), "32 edges make more than 32 grades"),
])
def test_refusals(buckets, message):
    with pytest.raises(ValueError, match=message):
        podium.bucket_labels(COUNTS, buckets)


def test_wrong_types():
    with pytest.raises(TypeError, match="buckets: a number is needed, not 'five'"):
        podium.bucket_labels(COUNTS, "five")
    with pytest.raises(ValueError, match="contains NaN"):
        podium.bucket_labels([1, np.nan], 2)
