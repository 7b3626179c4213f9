"""Prints the hashes of models of every learner, trained by this program: same_bits.py PROGRAM. The same data and options everywhere,
so that the output is the same for every build, C library and machine."""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

# Options for short training, if the learner has them.
SHORT = {"trees": 10, "leaves": 9, "rounds": 10, "epochs": 5, "restarts": 2, "max-rounds": 5, "kicks": 1, "max-passes": 30, "steps": 4}


def main(program):
    def run(*words):
        return subprocess.run([program, *words], check=True, capture_output=True, cwd=folder).stdout

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("1", "2"):
            run("synth", "--queries", "60", "--docs", "15", "--features", "8", "--seed", part, "-o", part + ".txt")
        for learner in json.loads(run("learners", "--json"))["learners"]:
            options = {option["name"] for option in json.loads(run("learners", learner["name"], "--json"))["options"]}
            words = [word for option, value in SHORT.items() if option in options for word in ("--" + option, str(value))]
            if learner["name"] == "linear":  # its options depend on the loss
                words = []
            run("train", learner["name"], "--data", "1.txt", "--valid", "2.txt", "--model", "m.json", *words)
            print(learner["name"], hashlib.sha256((folder / "m.json").read_bytes()).hexdigest(), flush=True)


main(str(pathlib.Path(sys.argv[1]).resolve()))
