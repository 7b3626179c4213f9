"""Categories and ignored columns on the command line."""
import json
import random
import unittest

from support import CliTest


def shop(rows=60, seed=1, brands=("acme", "zenith", "ñ")):
    """CSV with a text column, a category and two numbers; the label follows the numbers."""
    chance = random.Random(seed)
    lines = ["label,qid,url,brand,price,age"]
    for row in range(rows):
        price, age = chance.random(), chance.random()
        lines.append(f"{int(2.9 * price)},{row // 6},http://shop/{row},{chance.choice(brands)},{price},{age}")
    return "\n".join(lines) + "\n"


def set_shop(queries=40, seed=1, brands=12, gaps=True):
    """CSV whose labels follow a set of brands, which no order of their names shows, and a number."""
    chance = random.Random(seed)
    lines = ["label,qid,brand,price,zip"]
    for query in range(queries):
        for _ in range(10):
            brand, price, zip_code = chance.randrange(brands), chance.random(), chance.randrange(30)
            label = int(brand % 3 == 0) + int(price > 0.5) + int(zip_code % 7 < 3)
            name = "" if gaps and chance.random() < 0.05 else f"b{brand}"
            lines.append(f"{label},{query},{name},{price:.3f},{10000 + 37 * zip_code}")
    return "\n".join(lines) + "\n"


class TreesTest(CliTest):
    """Learners that grow trees use categories."""

    def train(self, data, *more, model="m.json", learner="lambdamart"):
        path = self.path(model)
        self.run_ok("train", learner, "--data", data, "--categorical", "brand,zip", "--trees", "20", "--min-docs", "5",
                    "--min-category-docs", "1", "--category-l2", "0.5", "--model", path, "--force", *more)
        return path

    def test_splits_by_sets(self):
        data = self.path("d.csv", set_shop())
        model = self.train(data)
        saved = json.loads(model.read_text())
        self.assertEqual(saved["version"], 2)
        self.assertEqual(saved["options"]["category-l2"], 0.5)
        trees = self.run_ok("inspect", "--trees", model)
        self.assertRegex(trees, r"brand in \{b\d+(, b\d+)*\}, missing right")
        self.assertIn("zip in {", trees)
        with_it = self.run_ok("eval", "--model", model, "--data", data, "--measures", "nDCG@5").split()[2]
        self.assertGreater(float(with_it), 0.95)

    def test_a_model_says_which_columns_are_categories(self):
        data = self.path("d.csv", set_shop())
        model = self.train(data)
        out = self.path("m.txt")
        report = self.run_ok("export", "--model", model, "--to", "lightgbm", "-o", out, "--verify", data, "--json")
        self.assertEqual(json.loads(report)["verify"]["changed_pairs"], 0)
        named, unnamed = self.path("named.json"), self.path("unnamed.json")
        further = ("train", "lambdamart", "--data", data, "--init", model, "--trees", "2", "--min-docs", "5", "--model")
        self.run_ok(*further, named, "--categorical", "brand,zip")
        self.run_ok(*further, unnamed)
        self.assertEqual(unnamed.read_text(), named.read_text())

    def test_other_data_is_matched_by_value(self):
        model = self.train(self.path("d.csv", set_shop()))
        rows = set_shop(seed=2).splitlines()
        other = self.path("other.csv", "\n".join(rows) + "\n")
        scores = self.run_ok("score", "--model", model, "--data", other).split()
        unknown = self.path("unknown.csv", "\n".join([rows[0]] + [r.replace(",b", ",new") for r in rows[1:]]) + "\n")
        missing = self.path("missing.csv", "\n".join([rows[0]] + [",".join(r.split(",")[:2] + [""] + r.split(",")[3:])
                                                                  for r in rows[1:]]) + "\n")
        self.assertEqual(self.run_ok("score", "--model", model, "--data", unknown),
                         self.run_ok("score", "--model", model, "--data", missing))
        columns = [rows[0].split(",")] + [row.split(",") for row in rows[1:]]
        moved = self.path("moved.csv", "\n".join(",".join([r[0], r[1], r[4], r[3], r[2]]) for r in columns) + "\n")
        self.assertEqual(self.run_ok("score", "--model", model, "--data", moved).split(), scores)
        as_numbers = self.path("as_numbers.podium")
        self.run_ok("prepare", other, "-o", as_numbers, "--categorical", "brand")
        self.assert_fails(1, "feature 'zip' is a category, but this data has numbers", "score", "--model", model, "--data",
                          as_numbers)

    def test_threads_do_not_change_the_model(self):
        data = self.path("d.csv", set_shop())
        one = self.train(data, "--threads", "1").read_bytes()
        for threads in ("2", "7"):
            self.assertEqual(self.train(data, "--threads", threads).read_bytes(), one)

    def test_continues_a_model(self):
        data = self.path("d.csv", set_shop())
        first = self.train(data, model="first.json")
        second = self.path("second.json")
        self.run_ok("train", "lambdamart", "--data", self.path("e.csv", set_shop(seed=3)), "--categorical", "brand,zip",
                    "--init", first, "--trees", "5", "--model", second)
        self.assertEqual(len(json.loads(second.read_text())["model"]["trees"]), 25)

    def test_what_a_category_cannot_be(self):
        data = self.path("d.csv", set_shop())
        train = ["train", "lambdamart", "--data", data, "--categorical", "brand,zip"]
        self.assert_fails(2, "^--monotone: 'brand' is a category, whose values have no order$", *train,
                          "--monotone", "brand:+1")
        self.assert_fails(2, "^--init: 'brand' is a category, not a score$", *train, "--init", "feature:brand")
        self.assert_fails(2, "max-category-bins", *train, "--max-category-bins", "70000")

    def test_models_of_numbers_are_what_they_were(self):
        model = self.path("m.json")
        self.run_ok("train", "lambdamart", "--data", self.synth(), "--trees", "3", "--model", model)
        saved = json.loads(model.read_text())
        self.assertEqual(saved["version"], 1)
        self.assertNotIn("category-l2", saved["options"])
        self.assertNotIn("categories", saved["model"]["trees"][0])

    def test_explains_and_measures_importance(self):
        data = self.path("d.csv", set_shop())
        model = self.train(data)
        self.assertRegex(self.run_ok("explain", "--model", model, "--data", data, "--query", "3"), r"brand +(b\d+|missing) ")
        first = self.run_json("explain", "--model", model, "--data", data, "--query", "3")["documents"][0]["values"]
        self.assertRegex(str(first["brand"]), r"^(b\d+|None)$")
        self.assertEqual(first["zip"][:1], "1")
        self.assertIn("brand", self.run_ok("inspect", model))

    def test_exports_hold(self):
        data = self.path("d.csv", set_shop())
        model = self.train(data)
        for form in ("lightgbm", "xgboost-json", "xgboost-ubj", "onnx", "cpp"):
            self.run_ok("export", "--model", model, "--to", form, "-o", self.path("x." + form), "--verify", data,
                        "--categorical", "brand,zip")
        self.assert_fails(1, "cannot export to solr: its feature 'brand' is a category; lightgbm, xgboost-json, "
                             "xgboost-ubj, onnx and cpp support categories",
                          "export", "--model", model, "--to", "solr", "-o", self.path("x.solr"))
        other = self.train(self.path("other.csv", set_shop(seed=2, brands=15)), model="other.json", learner="mart")
        blend = self.path("blend.json")
        self.run_ok("blend", "--models", model, other, "--data", self.path("v.csv", set_shop(seed=3)), "--categorical", "brand,zip",
                    "--model", blend)
        for form in ("lightgbm", "xgboost-json", "onnx", "cpp"):
            self.run_ok("export", "--model", blend, "--to", form, "-o", self.path("b." + form), "--verify", data,
                        "--categorical", "brand,zip")
        back = self.path("back.json")
        self.run_ok("import", "--from", "lightgbm", self.path("x.lightgbm"), "-o", back)
        self.assertEqual(self.run_ok("score", "--model", back, "--data", data),
                         self.run_ok("score", "--model", model, "--data", data))


class InferSchemaTest(CliTest):
    def infer(self, text, name="d.csv"):
        out = self.path("schema.json")
        report = self.run_ok("prepare", self.path(name, text), "-o", out, "--infer-schema")
        return json.loads(out.read_text())["features"], report

    def test_proposes_types_with_reasons(self):
        chance = random.Random(4)
        lines = ["label,qid,title,brand,price,shop,stars,product_id,empty,same"]
        for row in range(200):
            lines.append(f"{row % 3},{row // 10},Thing number {row},{chance.choice(['acme', 'zeta'])},{chance.random():.4f},"
                         f"{chance.choice([17, 912, 4711, 31337])},{1 + row % 5},{1000 + row},,x")
        features, report = self.infer("\n".join(lines) + "\n")
        self.assertEqual(features, {"title": "ignored", "brand": "category", "price": "number", "shop": "category",
                                    "stars": "number", "product_id": "ignored", "empty": "ignored", "same": "ignored"})
        self.assertIn("brand\tcategory\ttext such as 'acme', 2 different values in 200 rows\n", report)
        self.assertIn("shop\tcategory\twhole numbers, 4 different values from 17 to 31337 in 200 rows: few and far "
                      "between, like ids\n", report)
        model = self.path("m.json")
        self.run_ok("train", "lambdamart", "--data", self.path("d.csv"), "--schema", self.path("schema.json"), "--trees",
                    "2", "--model", model)

    def test_a_scale_is_a_number_and_its_step_is_told(self):
        chance = random.Random(5)
        lines = ["label,qid,discount,shelf"]
        lines += [f"{row % 3},{row // 10},{10 * chance.randrange(5)},{chance.choice([10, 70, 250, 1270])}" for row in range(200)]
        features, report = self.infer("\n".join(lines) + "\n")
        self.assertEqual(features, {"discount": "number", "shelf": "category"})
        self.assertIn("discount\tnumber\twhole numbers from 0 to 40 in steps of 10: a scale rather than ids\n", report)

    def test_dates_are_left_out_and_truth_values_are_numbers(self):
        lines = ["label,qid,updated,in_stock,unsure"]
        lines += [f"{row % 3},{row // 10},2026-01-{1 + row % 9:02},{row % 2 == 0},{('True', 'maybe')[row % 2]}" for row in range(200)]
        features, report = self.infer("\n".join(lines) + "\n")
        self.assertEqual(features, {"updated": "ignored", "in_stock": "number", "unsure": "category"})
        self.assertIn("in_stock\tnumber\ttrue or false: 1 and 0\n", report)
        self.assertIn("dates; a number of days would be a feature\n", report)

    def test_is_for_tables(self):
        self.assert_fails(2, "--infer-schema is for CSV and TSV", "prepare", self.synth(), "-o", self.path("s.json"),
                          "--infer-schema")


class CategoriesTest(CliTest):
    def test_a_model_remembers_what_was_ignored(self):
        data, model = self.path("d.csv", shop()), self.path("m.json")
        self.run_ok("train", "linear", "--data", data, "--ignore", "url,4", "--model", model)
        saved = json.loads(model.read_text())
        self.assertEqual(saved["schema"], {"url": {"type": "ignored"}, "brand": {"type": "ignored"}})
        scores = self.run_ok("score", "--model", model, "--data", data)
        self.assertEqual(len(scores.splitlines()), 60)
        self.assertIn("nDCG@10", self.run_ok("eval", "--model", model, "--data", data))
        self.assertIn("ignored columns\turl, brand", self.run_ok("inspect", model))
        plain = self.path("plain.json")
        numbers = "\n".join(",".join(line.split(",")[:2] + line.split(",")[4:])
                            for line in shop().splitlines()) + "\n"
        self.run_ok("train", "linear", "--data", self.path("n.csv", numbers), "--model", plain)
        self.assertNotIn("schema", json.loads(plain.read_text()))
        del saved["schema"]
        self.assertEqual(saved, json.loads(plain.read_text()))

    def test_ignoring_features_of_other_formats(self):
        data = self.synth()
        cache = self.path("d.podium")
        self.run_ok("prepare", data, "-o", cache)
        for path in (data, cache):
            model = self.path("m.json")
            self.run_ok("train", "linear", "--data", path, "--ignore", "3,5", "--model", model)
            self.assertEqual(json.loads(model.read_text())["features"], ["1", "2", "4", "6", "7", "8"])
            self.run_ok("score", "--model", model, "--data", data)

    def test_formats_keep_categories(self):
        data = self.path("d.csv", shop())
        schema = self.path("schema.json", '{"features": {"brand": "category", "url": "ignored"}}')
        self.run_ok("prepare", data, "-o", self.path("a.podium"), "--schema", schema)
        self.run_ok("prepare", self.path("a.podium"), "-o", self.path("b.csv"))
        self.run_ok("prepare", self.path("b.csv"), "-o", self.path("c.podium"), "--categorical", "brand")
        brands = [line.split(",")[2] for line in self.path("b.csv").read_text().splitlines()]
        self.assertEqual(brands, [line.split(",")[3] for line in shop().splitlines()])
        self.run_ok("prepare", self.path("a.podium"), "-o", self.path("d.txt"), "--normalize", "query-minmax")
        codes = [line.split()[2] for line in self.path("d.txt").read_text().splitlines()]
        self.assertEqual(codes, [f"1:{('acme', 'zenith', 'ñ').index(brand)}" for brand in brands[1:]])

    def test_inspect_shows_types(self):
        data = self.path("d.csv", shop())
        options = ("--categorical", "brand", "--ignore", "url")
        text = self.run_ok("inspect", data, *options)
        self.assertRegex(text, r"brand +category, 3 values +0.00")
        self.assertIn("ignored columns\turl", text)
        report = self.run_json("inspect", data, *options)
        self.assertEqual(report["feature"][0],
                         {"name": "brand", "type": "category", "categories": 3, "missing": 0})
        self.assertEqual(report["ignored"], ["url"])

    def test_prepared_splits_and_other_files_have_the_same_codes(self):
        train = self.path("train.csv", shop(seed=1, brands=("b", "d")))
        test = self.path("test.csv", shop(seed=2, brands=("a", "b", "d")))
        options = ("--categorical", "brand", "--ignore", "url")
        self.run_ok("prepare", train, "-o", self.path("train.podium"), "--save-transform", self.path("t.json"),
                    *options)
        self.run_ok("prepare", test, "-o", self.path("test.csv2.csv"), "--transform", self.path("t.json"), *options)
        before = [line.split(",")[3] for line in test.read_text().splitlines()]
        after = [line.split(",")[2] for line in self.path("test.csv2.csv").read_text().splitlines()]
        self.assertEqual(after, ["" if brand == "a" else brand for brand in before])

    def test_bad_input_is_one_line(self):
        data = self.path("d.csv", shop())
        letor = self.path("d.txt", "1 qid:1 1:1 2:3\n0 qid:1 1:2 2:3.5\n")
        prepare = ("prepare", "-o", self.path("out.podium"))
        self.assert_fails(1, r"d.csv:1: there is no column 'brnd', which --categorical names, did you mean brand\?$",
                          *prepare, data, "--categorical", "brnd")
        self.assert_fails(1, "d.csv:1: --categorical: column 'label' has another role already$",
                          *prepare, data, "--categorical", "label", "--ignore", "url")
        self.assert_fails(1, "d.txt:2: the value of feature 2 is 3.5: codes of categories are whole numbers",
                          *prepare, letor, "--categorical", "2")
        self.assert_fails(1, "d.txt: no row has the feature 9, which --ignore names; the last one is 2$",
                          *prepare, letor, "--ignore", "9")
        schema = self.path("s.json", '{"features": {"colour": "category"}}')
        self.assert_fails(1, "d.csv:1: there is no column 'colour', which .*s.json names",
                          *prepare, data, "--schema", schema)
        self.assert_fails(1, "s2.json: bad schema: it is not JSON$", *prepare, data, "--schema",
                          self.path("s2.json", "{"))


if __name__ == "__main__":
    unittest.main()
