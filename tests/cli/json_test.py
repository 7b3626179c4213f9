"""The objects that --json prints are those of docs/formats/json.md: no member more or less, of these types."""
import json
import pathlib
import re
import subprocess
import unittest

from support import PODIUM, CliTest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/formats/json.md"
SHAPES = {name: json.loads(block) for name, block in re.findall(r"\n## (.*?)\n.*?```json\n(.*?)```", PAGE.read_text(), re.DOTALL)}
TYPES = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),)}


def problems(value, shape, where="$"):
    """What is wrong with the value, one line each."""
    if isinstance(shape, str):
        fits = any(name == "any" or (isinstance(value, TYPES[name]) and isinstance(value, bool) == (name == "boolean"))
                   for name in shape.split("|"))
        return [] if fits else [f"{where}: {value!r} is not {shape}"]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{where}: {value!r} is not a list"]
        return [line for i, item in enumerate(value) for line in problems(item, shape[0], f"{where}[{i}]")]
    if not isinstance(value, dict):
        return [f"{where}: {value!r} is not an object"]
    known = {name.rstrip("?"): its for name, its in shape.items() if name != "*"}
    found = [f"{where}: no {name}" for name in shape if name != "*" and not name.endswith("?") and name not in value]
    for name, item in value.items():
        its = known.get(name, shape.get("*"))
        found += [f"{where}: {name} is not documented"] if its is None else problems(item, its, f"{where}.{name}")
    return found


class ShapesTest(unittest.TestCase):
    def test_problems_are_found(self):
        shape = {"a": "integer", "b?": ["number|null"], "c?": {"*": "string"}}
        self.assertEqual(problems({"a": 1, "b": [1.5, None], "c": {"x": "y"}}, shape), [])
        self.assertEqual(problems({"a": True, "b": ["x"], "d": 1}, shape),
                         ["$.a: True is not integer", "$.b[0]: 'x' is not number|null", "$: d is not documented"])
        self.assertEqual(problems({"c": {"x": 1}}, shape), ["$: no a", "$.c.x: 1 is not string"])


class JsonTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data, self.valid = self.synth(), self.synth("valid.txt", 20, 2)
        self.forest, self.linear = self.path("forest.json"), self.path("linear.json")
        self.checked = set()

    def check(self, shape, *arguments):
        value = self.run_json(*arguments)
        self.assertEqual(next(iter(value)), "schema")
        self.assertEqual(value["schema"], 1)
        self.assertEqual(problems(value, SHAPES[shape]), [], arguments)
        self.checked.add(shape)

    def test_every_command(self):
        data, valid, forest, linear = self.data, self.valid, self.forest, self.linear
        self.check("train", "train", "lambdamart", "--trees", 5, "--data", data, "--valid", valid, "--model", forest)
        self.check("train", "train", "svm-map", "--data", data, "--model", linear)
        network = self.path("network.json")
        self.check("train", "train", "mlp", "--epochs", 2, "--data", data, "--model", network)
        self.check("tune", "tune", "lambdamart", "--trees", 2, "--trials", 2, "--data", data, "--valid", valid)
        self.check("blend", "blend", "--models", forest, linear, "--data", valid, "--model", self.path("blend.json"))
        self.check("inspect: model", "inspect", self.path("blend.json"))
        self.check("auto", "auto", "--data", data, "--learners", "linear,feature", "--trials", 2, "--folds", 3, "--max-latency", 1000,
                   "--model", self.path("auto.json"))
        self.check("eval", "eval", "--data", valid, "--model", forest, linear, "--baseline", "forest", "--timings")
        self.check("compare", "compare", "--data", data, "--learners", "linear,feature", "--folds", 3)
        self.check("score", "score", "--model", forest, "--data", valid, "-o", self.path("s.txt"))
        self.check("prepare", "prepare", data, "-o", self.path("p.csv"), "--bucket-labels", 3)
        self.check("synth", "synth", "--preset", "mslr", "--queries", 2, "-o", self.path("x.txt"))
        self.check("inspect: data", "inspect", data)
        for model in (forest, linear, network):
            self.check("inspect: model", "inspect", model)
        self.check("inspect: trees", "inspect", forest, "--trees")
        self.check("inspect: importance", "inspect", forest, "--data", valid)
        self.check("inspect: several files", "inspect", forest, data)
        self.check("explain: documents", "explain", "--model", linear, "--data", valid, "--query", 1, "--documents", 2)
        self.check("explain: documents", "explain", "--model", forest, "--data", valid, "--query", 1, "--pair", "1,2")
        self.check("explain: line", "explain", "--model", linear, "--data", valid, "--line", 1)
        exported = self.path("m.txt")
        self.check("export", "export", "--model", forest, "--to", "lightgbm", "-o", exported, "--verify", valid)
        self.check("import", "import", exported, "--from", "lightgbm", "-o", self.path("i.json"))
        for name, one in (("learners", "lambdamart"), ("losses", "softmax"), ("measures", "nDCG")):
            self.check("learners, losses, measures", name)
            self.check("learners, losses, measures: one", name, one)
        self.check("devices", "devices")
        self.check("check-loss", "check-loss", "lambda-ndcg")
        self.check("check-loss", "check-loss", "softmax")
        self.check_runs()
        self.check_clicks()
        self.check_server()
        self.assertEqual(self.checked, set(SHAPES))

    def check_runs(self):
        first = self.path("a.run", "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n")
        second = self.path("b.run", "1 Q0 b 1 2.5 x\n1 Q0 c 2 1.5 x\n")
        qrels = self.path("q.qrels", "1 0 a 1\n1 0 b 0\n")
        runs = ("--runs", f"{first},{second}")
        for method in ("rrf", "combsum", "borda"):
            self.check("fuse", "fuse", *runs, "--method", method, "-o", self.path("f.run"))
        self.check("prepare", "prepare", *runs, "--qrels", qrels, "-o", self.path("r.csv"))
        self.check("eval", "eval", "--qrels", qrels, "--run", first, second)
        lists = self.path("lists.tsv")
        self.check("interleave make", "interleave", "make", *runs, "--sessions", 5, "-o", lists)
        header, *lines = lists.read_text().splitlines()
        log = self.path("interleaved.tsv", "\n".join([header + "\tclick"] + [line + "\t1" for line in lines]) + "\n")
        self.check("interleave analyse", "interleave", "analyse", "--clicks", log)

    def check_clicks(self):
        log, fit, out = self.path("log.tsv"), self.path("fit.json"), self.path("out.txt")
        for world in ("trust", "pbm"):
            self.check("clicks simulate", "clicks", "simulate", "--data", self.data, "--ranker", self.forest, "--sessions",
                       2000, "--click-model", world, "-o", log)
        queries = self.path("queries.jsonl", '{"query_id": "1", "user_query": "q", "query_response_hit_ids": ["a", "b"]}\n')
        events = self.path("events.jsonl", '{"action_name": "click", "query_id": "1", "event_attributes": {"object": {"object_id": "b"}}}\n')
        self.check("clicks convert", "clicks", "convert", "--queries", queries, "--events", events, "-o", out)
        self.check("clicks inspect", "clicks", "inspect", "--clicks", log)
        for model in ("dcm", "dbn", "ubm", "trust", "pbm"):
            self.check("clicks fit", "clicks", "fit", "--clicks", log, "--model", model, "--iterations", 30, "-o", fit)
        self.check("clicks report", "clicks", "report", "--clicks", log, "--models", "pbm,dbn,ctr-rank", "--iterations", 30, "-o", self.path("r.html"))
        self.check("clicks judge", "clicks", "judge", "--clicks", log, "--propensities", fit, "-o", out)
        self.check("eval: clicks", "eval", "--data", self.data, "--clicks", log, "--propensities", fit, "--model",
                   self.forest, self.linear)

    def check_server(self):
        process = subprocess.Popen([PODIUM, "serve", "--model", self.linear, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
        value = json.loads(process.stdout.readline())
        process.kill()
        process.wait()
        process.stdout.close()
        self.assertEqual(problems(value, SHAPES["serve"]), [])
        self.checked.add("serve")


if __name__ == "__main__":
    unittest.main()
