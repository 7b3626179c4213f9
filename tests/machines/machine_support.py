"""All results of the program, as bytes by name, so that two machines can be compared: trains every learner and every loss on small data, and scores,
evaluates, compares and explains with the models."""
import json
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from support import PODIUM, CliTest  # noqa: E402

# Options for short training, if the learner has them.
SHORT = {"trees": 4, "leaves": 9, "min-docs": 3, "rounds": 8, "epochs": 3, "restarts": 2, "max-rounds": 3, "kicks": 1, "max-passes": 30, "steps": 4}
MEASURES = "nDCG@10,nDCG,DCG@5,MeanNDCG,AP,GMAP,RR,ERR,ERR@10,P@5,RBP,AUC,PairAcc,tau,Bpref,infAP,IPrec11"


def write_data(path, queries, seed, density):
    """LETOR text: lists of 1 to 300 documents, 21 features, some of them missing, grades 0 to 4."""
    chance = random.Random(seed)
    with path.open("w") as file:
        for q in range(queries):
            for _ in range(chance.choice((1, 2, 7, 20, 40, 65, 300))):
                quality = chance.gauss(0, 1)
                grade = min(4, max(0, round(1.2 * quality + chance.gauss(0, 0.7))))
                values = [(f, quality * (f % 3 - 1) + chance.gauss(0, 1 + f / 10)) for f in range(1, 22) if chance.random() < density]
                file.write(f"{grade} qid:{q} " + " ".join(f"{f}:{round(x, 4)}" for f, x in values) + "\n")


class MachineTest(CliTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.data = self.folder / "train.txt"
        self.test = self.folder / "test.txt"
        self.sparse = self.folder / "sparse.txt"
        write_data(self.data, 14, 1, 0.9)
        write_data(self.test, 30, 2, 0.9)
        write_data(self.sparse, 14, 3, 0.2)
        self.learners = {}
        for name in self.names("learners"):
            options = {o["name"] for o in json.loads(self.run_ok("learners", name, "--json"))["options"]}
            if name == "linear":  # its options depend on the loss
                options = {}
            self.learners[name] = [word for option, value in SHORT.items() if option in options for word in ("--" + option, value)]

    def names(self, kind):
        return [entry["name"] for entry in json.loads(self.run_ok(kind, "--json"))[kind]]

    def outputs(self, environment):
        """The outputs and files of the program, by name, with these environment variables."""
        found = {}
        environment = {**os.environ, **environment}

        def run(name, *arguments):
            result = subprocess.run([PODIUM, *map(str, arguments), "--quiet", "--threads", "2"], env=environment, capture_output=True, timeout=300)
            self.assertEqual(result.returncode, 0, (name, result.stderr))
            found[name] = result.stdout

        def train(name, learner, *arguments, data=self.data):
            model = self.folder / f"{name}.json"
            run(name, "train", learner, "--data", data, "--absent", "missing", "--model", model, "--json", *arguments)
            found[name] = {key: value for key, value in json.loads(found[name]).items() if key not in ("seconds", "phases")}
            found[name + " model"] = model.read_bytes()
            run(name + " scores", "score", "--model", model, "--data", self.test, "--absent", "missing", "-o", "-")
            return model

        run("synth", "synth", "--preset", "mslr", "--queries", 4, "-o", "-")
        for learner, short in self.learners.items():
            train(learner, learner, *short)
        for loss in self.names("losses"):
            train("boosting " + loss, "boosting", "--loss", loss, *self.learners["boosting"])
            if loss not in ("multinomial", "ordinal"):  # several outputs per document, for forests only
                train("linear " + loss, "linear", "--loss", loss, *self.learners["linear"])
        train("sparse", "linear", "--loss", "softmax", *self.learners["linear"], data=self.sparse)
        train("barrier", "intervalrank", "--barrier", 0.3, *self.learners["intervalrank"])
        run("log1p", "prepare", self.data, "--log1p", "-o", "-")
        models = {"network": train("network", "mlp", "--loss", "softmax", "--hidden", "9,5", *self.learners["mlp"]),
                  "mcrank": train("multiclass", "mcrank", "--variant", "multiclass", *self.learners["mcrank"]),
                  "forest": train("forest", "lambdamart", "--trees", 30, "--leaves", 40, "--min-docs", 2)}
        for name, model in models.items():
            run(name + " eval", "eval", "--model", model, "--data", self.test, "--measures", MEASURES, "--json")
            run(name + " explain", "explain", "--model", model, "--data", self.test, "--query", 3, "--json")
        run("significance", "compare", "--data", self.data, "--absent", "missing", "--learners", "linear,mart(trees=3),feature", "--folds", 3, "--permutations",
            200, "--tune", 2, "--format", "csv")
        run("check-loss", "check-loss", "lambda-ndcg", "--lists", 5)
        return found

    def assert_same(self, one, other):
        self.assertEqual(list(one), list(other))
        self.assertEqual([name for name in one if one[name] != other[name]], [])
