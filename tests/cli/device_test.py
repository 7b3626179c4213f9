"""--device: the same model and the same scores, byte for byte, wherever trees are grown and scored.

Most machines have no GPU: `emulated` runs the same kernels on the CPU. PODIUM_TEST_DEVICE names another device,
such as cuda.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time
import unittest

from support import PODIUM, CliTest, podium

DEVICE = os.environ.get("PODIUM_TEST_DEVICE", "emulated")
NAMED = "cuda:0" if DEVICE == "cuda" else DEVICE  # in messages


def shop(queries, seed):
    """CSV with a text category, a category of large codes, gaps, few and many values, and weights."""
    chance = random.Random(seed)
    lines = ["label,qid,weight,brand,zip,price,age,steps,flat,noise"]
    for query in range(queries):
        for _ in range(chance.randint(1, 16)):
            brand, zip_code, price = chance.randrange(14), chance.randrange(40), chance.random()
            label = int(brand % 3 == 0) + int(price > 0.5) + int(zip_code % 7 < 3)
            age = "" if chance.random() < 0.3 else f"{chance.gauss(0, 5):.4f}"
            name = "" if chance.random() < 0.05 else f"b{brand}"
            lines.append(f"{label},{query},{1 + query % 3},{name},{10000 + 37 * zip_code},{price:.3f},{age},"
                         f"{chance.randrange(4)},1,{chance.random():.5f}")
    return "\n".join(lines) + "\n"


def sparse(queries, seed, features=2500):
    """LETOR text with one feature in a hundred."""
    chance = random.Random(seed)
    lines = []
    for query in range(queries):
        for _ in range(10):
            chosen = sorted(chance.sample(range(1, features + 1), 25) + [features + 1])
            values = {f: round(chance.choice((0.25, 0.5, 1, chance.random())), 4) for f in chosen}
            label = min(2, sum(f % 50 < 6 for f in chosen) // 2)
            lines.append(f"{label} qid:{query} " + " ".join(f"{f}:{v}" for f, v in values.items()))
    return "\n".join(lines) + "\n"


SHORT = ("--trees", 12, "--leaves", 8, "--min-docs", 4, "--threads", 1)
SHOP = ("--weight-column", "weight", "--categorical", "brand,zip", "--min-category-docs", 1, "--category-l2", 0.5)

# Which data, the learner and its options.
CONFIGURATIONS = {
    "lambdamart": ("plain", "lambdamart"),
    "other measure": ("plain", "lambdamart", "--measure", "AP"),
    "objective err": ("plain", "lambdamart", "--objective", "ERR@5"),
    "objective ap": ("plain", "lambdamart", "--objective", "AP"),
    "objective rr": ("plain", "lambdamart", "--objective", "RR"),
    "objective precision": ("plain", "lambdamart", "--objective", "P@5"),
    "mart": ("plain", "mart"),
    "mart, exp2": ("plain", "mart", "--targets", "exp2"),
    "mcrank": ("plain", "mcrank"),
    "mcrank, ordinal": ("plain", "mcrank", "--variant", "ordinal"),
    "gbrank": ("plain", "gbrank"),
    "intervalrank": ("plain", "intervalrank"),
    "isotonic": ("plain", "isotonic"),
    "directrank-trees": ("plain", "directrank-trees"),
    "directrank-trees, leaves": ("plain", "directrank-trees", "--weigh", "leaves"),
    "directrank-trees, leverage": ("plain", "directrank-trees", "--strategy", "leverage", "--trees", 4),
    "boosting, softmax": ("plain", "boosting", "--loss", "softmax"),
    "boosting, pairs": ("plain", "boosting", "--loss", "logistic-pairs"),
    "boosting, hinge": ("plain", "boosting", "--loss", "hinge-pairs(weight=grade)"),
    "boosting, fidelity": ("plain", "boosting", "--loss", "fidelity-pairs"),
    "boosting, multinomial": ("plain", "boosting", "--loss", "multinomial"),
    "boosting, cosine": ("plain", "boosting", "--loss", "cosine"),
    "boosting, approx-ndcg": ("plain", "boosting", "--loss", "approx-ndcg"),
    "boosting, lambdaloss": ("plain", "boosting", "--loss", "lambdaloss"),
    "boosting, sum of losses": ("plain", "boosting", "--loss", "xendcg+0.5*squared"),
    "boosting, oracle": ("plain", "boosting", "--loss", "structured-map"),
    "pointwise": ("plain", "lambdamart", "--pointwise", 0.5),
    "sample of queries": ("plain", "lambdamart", "--query-fraction", 0.4),
    "sample of features": ("plain", "lambdamart", "--feature-fraction", 0.4),
    "both samples": ("plain", "mcrank", "--feature-fraction", 0.6, "--query-fraction", 0.6),
    "monotone": ("plain", "lambdamart", "--monotone", "1:+1,2:-1,3:+1"),
    "interactions": ("plain", "lambdamart", "--interactions", "1,2,3;4,5"),
    "gradient": ("plain", "lambdamart", "--leaf-values", "gradient"),
    "few bins": ("plain", "lambdamart", "--max-bins", 7),
    "depth": ("plain", "lambdamart", "--max-depth", 2),
    "depth, all leaves": ("plain", "mart", "--max-depth", 4, "--leaves", 100, "--min-docs", 1),
    "many leaves": ("plain", "mart", "--leaves", 200, "--min-docs", 1, "--trees", 4),
    "penalties": ("plain", "lambdamart", "--l2", 1, "--min-gain", 0.001, "--min-curvature", 0.1),
    "early stopping": ("plain", "lambdamart", "--early-stopping", 3, "--trees", 60, "--learning-rate", 0.4),
    "bag": ("plain", "lambdamart", "--bag", 3),
    "dart": ("plain", "lambdamart", "--dart", 0.3),
    "dart, outputs": ("plain", "mcrank", "--dart", 0.3),
    "oblivious": ("plain", "lambdamart", "--oblivious", True, "--leaves", 32),
    "oblivious, samples": ("sparse", "mcrank", "--oblivious", True, "--query-fraction", 0.6, "--monotone", "3:+1"),
    "oblivious, encoded categories": ("shop", "directrank-trees", "--oblivious", True, "--trees", 6),
    "noise": ("plain", "lambdamart", "--noise", 0.5),
    "threads": ("plain", "lambdamart", "--threads", 2),
    "seed": ("plain", "lambdamart", "--seed", 7, "--query-fraction", 0.5),
    "preparation": ("plain", "lambdamart", "--normalize", "query-zscore", "--features", "1-5"),
    "nothing to split": ("plain", "mart", "--min-docs", 100000),
    "categories": ("shop", "lambdamart"),
    "categories, outputs": ("shop", "mcrank", "--trees", 6),
    "categories, samples": ("shop", "lambdamart", "--feature-fraction", 0.5, "--query-fraction", 0.5),
    "categories, monotone": ("shop", "mart", "--monotone", "price:+1", "--interactions", "brand,price;zip,age"),
    "categories, direct": ("shop", "directrank-trees", "--trees", 6),
    "many bins of categories": ("shop", "mart", "--max-category-bins", 5, "--category-l2", 100),
    "missing values": ("shop", "lambdamart", "--ignore", "brand,zip", "--categorical", ""),
    "replaced missing values": ("shop", "mart", "--impute", "median"),
    "sparse": ("sparse", "lambdamart"),
    "sparse, missing": ("sparse", "lambdamart", "--absent", "missing"),
    "sparse, samples": ("sparse", "mart", "--query-fraction", 0.5, "--feature-fraction", 0.3),
    "sparse, outputs": ("sparse", "mcrank", "--trees", 4),
}


class DeviceTest(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        folder = pathlib.Path(cls.shared.name)
        for part, seed in (("train", 1), ("valid", 2)):
            podium("synth", "--queries", 40, "--docs", 12, "--features", 8, "--seed", seed, "--quiet", "-o",
                   folder / f"plain-{part}.podium")
            (folder / f"shop-{part}.csv").write_text(shop(40, seed))
            (folder / f"sparse-{part}.txt").write_text(sparse(25, seed))
        cls.data = {name: (folder / f"{name}-train.{suffix}", folder / f"{name}-valid.{suffix}")
                    for name, suffix in (("plain", "podium"), ("shop", "csv"), ("sparse", "txt"))}

    def both(self, *command, output):
        """The bytes that a command writes on the CPU; on the other device they must be the same."""
        written = []
        for device in ("cpu", DEVICE):
            path = self.path(f"{device.replace(':', '-')}-{output}")
            path.unlink(missing_ok=True)
            self.run_ok(*command, path, "--device", device, "--quiet")
            written.append(path.read_bytes())
        self.assertEqual(written[0], written[1])
        return written[0]

    def trained(self, data, learner, *more):
        """A model, by either device, with the options that reading its data needs."""
        train, valid = self.data[data]
        reading = SHOP if data == "shop" else ()
        options = dict(zip(*[iter((*reading, *SHORT, *more))] * 2))
        if options.get("--categorical") == "":
            del options["--categorical"]
        words = [word for option in options.items() for word in option if word is not True]
        self.both("train", learner, "--data", train, "--valid", valid, *words, "--model", output="m.json")
        model = self.path("cpu-m.json")
        scores = self.both("score", "--model", model, "--data", valid, *reading[:2], "-o", output="s.txt")
        self.assertGreater(len(scores.splitlines()), 200)
        return model

    def test_the_same_models_and_scores(self):
        for name, configuration in CONFIGURATIONS.items():
            with self.subTest(name):
                self.trained(*configuration)

    def test_continued_models(self):
        train, valid = self.data["plain"]
        model = self.path("first.json")
        self.run_ok("train", "lambdamart", "--data", train, *SHORT, "--model", model)
        more = ("lambdamart", "--data", train, "--valid", valid, *SHORT)
        self.both("train", *more, "--init", model, "--model", output="more.json")
        self.both("train", *more, "--init", "feature:3", "--model", output="feature.json")
        scores = [self.path("train.scores"), self.path("valid.scores")]
        for data, path in zip((train, valid), scores):
            self.run_ok("score", "--model", model, "--data", data, "-o", path)
        self.both("train", *more, "--init", scores[0], "--valid-init", scores[1], "--model", output="scores.json")

    def test_a_run_may_be_resumed_on_another_device(self):
        train, valid = self.data["plain"]
        command = ("train", "lambdamart", "--data", train, "--valid", valid, *SHORT[2:], "--trees", 1500,
                   "--early-stopping", 0, "--query-fraction", 0.7)
        whole = self.path("whole.json")
        self.run_ok(*command, "--model", whole)
        for first, second in ((DEVICE, "cpu"), ("cpu", DEVICE)):
            model = self.path(f"from-{first.replace(':', '-')}.json")
            checkpoint = pathlib.Path(f"{model}.checkpoint")
            command_of_model = (*command, "--model", model, "--device")
            process = subprocess.Popen([PODIUM, *map(str, command_of_model), first, "--checkpoint-seconds", "0.01"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while not checkpoint.exists():
                self.assertIsNone(process.poll())
                time.sleep(0.005)
            process.terminate()
            notes = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 143, notes)
            self.assertLess(len(json.loads(model.read_text())["model"]["trees"]), 1500)
            self.run_ok(*command_of_model, second, "--resume")
            self.assertFalse(checkpoint.exists())
            self.assertEqual(model.read_bytes(), whole.read_bytes())

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun on this machine")
    @unittest.skipIf("built without" in podium("--version").stdout, "this build has no MPI")
    def test_ranks(self):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        for data, learner in (("plain", "lambdamart"), ("sparse", "mcrank")):
            train, valid = self.data[data]
            options = [str(word) for word in ("--data", train, "--valid", valid, *SHORT, "--query-fraction", 0.7)]
            whole = self.path("whole.json")
            self.run_ok("train", learner, *options, "--model", whole, "--force")
            for devices in ((DEVICE, DEVICE), ("cpu", NAMED)):
                model = self.path("ranks.json")
                command = ["mpirun", "--oversubscribe"]
                for i, device in enumerate(devices):
                    command += [":"] * (i > 0) + ["-n", "1", PODIUM, "train", learner, *options, "--model", str(model),
                                                  "--force", "--device", device]
                done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
                if devices[0] == "cpu":
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn("--device: some ranks have the CPU, others a GPU", done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(model.read_bytes(), whole.read_bytes())

    def test_other_commands(self):
        model = self.trained("plain", "lambdamart")
        train, valid = self.data["plain"]
        values = [self.run_ok("eval", "--model", model, "--data", valid, "--device", device)
                  for device in ("cpu", DEVICE)]
        self.assertEqual(values[0], values[1])
        other = self.path("other.json")
        self.run_ok("train", "mart", "--data", train, *SHORT, "--model", other)
        self.both("blend", "--models", model, other, "--data", valid, "--model", output="blend.json")
        self.both("score", "--model", self.path("cpu-blend.json"), "--data", valid, "-o", output="blend.txt")
        self.both("tune", "mart", "--data", train, "--valid", valid, "--trials", 3, "--trees", 5, "--model",
                  output="tuned.json")
        self.both("auto", "--data", train, "--trials", 3, "--seed", 3, "--model", output="auto.json")

    def test_compare(self):
        results = []
        for device in ("cpu", DEVICE):
            folder = self.path(f"results-{device.replace(':', '-')}")
            self.run_ok("compare", "--learners", "mart(trees=5),linear", "--data", self.data["plain"][0], "--folds",
                        3, "--output", folder, "--device", device, "--quiet")
            results.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*")
                            if path.is_file() and path.name != "resources.json"})
        self.assertGreater(len(results[0]), 15)
        self.assertEqual(results[0], results[1])

    def test_what_has_no_trees_is_on_the_cpu(self):
        train, valid = self.data["plain"]
        for learner in ("linear", "svm-map", "adarank"):
            model = self.path(f"{learner}.json")
            notes = podium("train", learner, "--data", train, "--model", model, "--device", DEVICE).stderr
            about = [line for line in notes.splitlines() if "--device" in line]
            self.assertEqual(len(about), 1, notes)
            self.assertIn(f"--device {NAMED}: {learner} is trained on the CPU", about[0])
            notes = podium("score", "--model", model, "--data", valid, "-o", self.path("s.txt"), "--device",
                           DEVICE).stderr
            self.assertEqual(notes.count("scores on the CPU"), 1, notes)
        for learner, count in (("mart", 0), ("lambdamart", 0), ("gbrank", 0), ("intervalrank", 1)):
            notes = podium("train", learner, "--data", train, *SHORT, "--device", DEVICE).stderr
            self.assertNotIn("--device", notes)
            self.assertEqual(notes.count("is computed on the CPU, the trees on the device"), count, notes)

    def test_the_device_is_nowhere_in_the_model(self):
        model = self.trained("plain", "mart")
        self.assertNotIn("device", model.read_text())

    def test_wrong_devices(self):
        train = ("train", "mart", "--data", self.data["plain"][0], "--device")
        for name in ("tpu", "gpu", "cuda:x", "cuda:-1", ""):
            self.assert_fails(2, "^--device: there is no device ", *train, name)
        self.assert_fails(2, "^--device cuda:99: ", *train, "cuda:99")
        for command in ("eval", "score", "compare", "tune", "auto", "blend"):
            self.assertIn("--device DEVICE", self.run_ok(command, "--help"))

    def test_devices(self):
        found = self.run_json("devices")
        names = [device["name"] for device in found["devices"]]
        self.assertEqual((names[0], names[-1]), ("cpu", "emulated"))
        self.assertIn("GPU ", self.run_ok("--version"))
        text = self.run_ok("devices")
        for name in names:
            self.assertRegex(text, rf"(?m)^{name} ")
        code = f"# this build has code for {found['gpu_code']}"
        (self.assertIn if found["gpu_code"] else self.assertNotIn)(code, text)
        self.run_ok("train", "mart", "--data", self.data["plain"][0], *SHORT, "--device", "auto")
        if len(names) > 2:
            return
        self.assertEqual(found["auto"], "cpu")
        self.assertIn("# no GPU: " + found["no_gpu"], text)
        self.assert_fails(2, "^--device cuda:0: " + found["no_gpu"].replace("(", r"\(").replace(")", r"\)") + "$",
                          "train", "mart", "--data", self.data["plain"][0], "--device", "cuda")


if __name__ == "__main__":
    unittest.main()
