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
