"""clicks convert: OpenSearch's User Behavior Insights as a click log."""
import gzip
import json
import unittest

from support import CliTest


def query(number, hits, **more):
    return {"query_id": f"u-{number}", "user_query": "red\tshoes", "query_response_hit_ids": hits, **more}


def click(number, document, **more):
    return {"action_name": "click", "query_id": f"u-{number}", "client_id": "c",
            "event_attributes": {"object": {"object_id": document}, "position": {"ordinal": 1}}, **more}


class UbiTest(CliTest):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log.tsv"

    def lines(self, name, objects):
        text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in objects)
        if name.endswith(".gz"):
            (self.folder / name).write_bytes(gzip.compress(text.encode()))
            return self.folder / name
        return self.path(name, text)

    def arguments(self, queries, events):
        return ("clicks", "convert", "--queries", self.lines("q.jsonl.gz", queries), "--events", self.lines("e.jsonl", events),
                "-o", self.log)

    def test_queries_become_sessions(self):
        report = self.run_json(*self.arguments(
            [query(1, ["a", "b"]), "\n", {"_id": "x", "_source": query(2, ["b", 7], user_query=5)}, query(3, [])],
            [click(1, "b"), {"action_name": "impression"}, click(1, "b"), click(2, "7"), click(2, "b")]))
        self.assertEqual(self.log.read_text().splitlines(),
                         ["session\tqid\tdocid\tposition\tclick", "u-1\tred shoes\ta\t1\t0", "u-1\tred shoes\tb\t2\t1",
                          "u-2\t5\tb\t1\t1", "u-2\t5\t7\t2\t1"])
        self.assertEqual({name: report[name] for name in ("sessions", "lines", "clicks", "repeated", "other_events",
                                                          "without_documents", "unmatched")},
                         {"sessions": 2, "lines": 4, "clicks": 3, "repeated": 1, "other_events": 1, "without_documents": 1,
                          "unmatched": 0})
        self.assertEqual(self.run_json("clicks", "inspect", "--clicks", self.log)["sessions"], 2)

    def test_clicks_on_what_was_not_shown(self):
        for event in (click(1, "c"), click(9, "a")):
            call = self.arguments([query(1, ["a", "b"])], [click(1, "a"), event])
            self.assert_fails(1, "e.jsonl:2: a click on what its query does not show; --drop-unmatched", *call)
            self.assertFalse(self.log.exists())
            self.assertEqual(self.run_json(*call, "--drop-unmatched")["unmatched"], 1)
            self.log.unlink()

    def test_bad_lines(self):
        fine = query(1, ["a"])
        for queries, events, message in (
                ([fine, "[1]\n"], [], "q.jsonl.gz:2: the line is not a JSON object"),
                ([fine, "{oops\n"], [], "q.jsonl.gz:2: the line is not a JSON object"),
                ([fine, fine], [], "q.jsonl.gz:2: query_id 'u-1' occurs twice"),
                ([query(1, ["a"], user_query=None)], [], "q.jsonl.gz:1: no 'user_query'"),
                ([query(1, [["a"]])], [], "q.jsonl.gz:1: 'query_response_hit_ids' is not a list of ids"),
                ([query(1, [])], [], "q.jsonl.gz: no query has 'query_response_hit_ids'"),
                ([fine], [click(1, "a"), {"action_name": "click"}], "e.jsonl:2: no 'query_id'"),
                ([fine], [click(1, "a", event_attributes={})], "e.jsonl:1: the click has no event_attributes.object"),
                ([fine], [click(1, "a", action_name=["x"])], "e.jsonl:1: 'action_name' is not text")):
            self.assert_fails(1, message, *self.arguments(queries, events))


if __name__ == "__main__":
    unittest.main()
