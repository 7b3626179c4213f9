#!/usr/bin/env python3
"""A stand-in for a search engine with the learning-to-rank plugin, for the tutorial's requests: search_engine.py PORT.

Not a search engine: it checks what the plugin's parsers check (the feature set's templates and parameters, the model's keys, every
name that one request expects another to have defined), and reranks ten documents of its own with the stored trees, so that a search has an
answer. A request that the plugin would refuse is answered with 400 and one line. `search_engine.py --asked PORT N` ends with 1
unless there were N requests and all were good.
"""
import http.server
import json
import re
import sys
import urllib.request


class Refused(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Refused(why)


def parameters(template):
    return set(re.findall(r"{{\s*(\w+)\s*}}", json.dumps(template)))


def check_featureset(body):
    (key, made), = body.items()
    need(key == "featureset" and set(made) == {"name", "features"}, "a feature set has a name and features")
    names = [feature["name"] for feature in made["features"]]
    need(names and len(names) == len(set(names)), "each feature has its own name")
    for feature in made["features"]:
        need(set(feature) <= {"name", "params", "template", "template_language"}, f"unknown keys in {feature}")
        need(len(feature["template"]) == 1, "a template is one query")
        missing = parameters(feature["template"]) - set(feature["params"])
        need(not missing, f"{feature['name']} does not declare {missing}")
    return {feature["name"]: feature for feature in made["features"]}


def check_tree(node, names):
    """The plugin refuses unknown keys, and children out of order."""
    if "leaf" in node:
        need(set(node) <= {"nodeid", "leaf"}, f"unknown keys in a leaf: {node}")
        return
    need(set(node) <= {"nodeid", "depth", "split", "split_condition", "yes", "no", "missing", "children"}, f"unknown keys: {set(node)}")
    need(node["split"] in names, f"no feature {node['split']} in the feature set")
    need([child["nodeid"] for child in node["children"]] == [node["yes"], node["no"]], "the children are not yes and no")
    for child in node["children"]:
        check_tree(child, names)


def check_model(body, names):
    model = body["model"]
    need(set(model) == {"name", "model"} and set(model["model"]) == {"type", "definition"}, "a model has a name, a type and a definition")
    need(model["model"]["type"] == "model/xgboost+json", model["model"]["type"])
    definition = model["model"]["definition"]
    trees = json.loads(definition) if isinstance(definition, str) else definition
    trees = trees["splits"] if isinstance(trees, dict) else trees
    need(trees, "no trees")
    for tree in trees:
        check_tree(tree, names)
    return model["name"], trees


def value(tree, document):
    while "leaf" not in tree:
        wanted = tree["yes"] if document[tree["split"]] < tree["split_condition"] else tree["no"]
        tree = next(child for child in tree["children"] if child["nodeid"] == wanted)
    return tree["leaf"]


class Engine(http.server.BaseHTTPRequestHandler):
    stored, featuresets, models, requests, bad = False, {}, {}, 0, []

    def answer(self, status, body):
        text = json.dumps(body).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def search(self, body):
        need(set(body) == {"query", "rescore"}, f"unknown keys: {set(body)}")
        need("window_size" in body["rescore"] and "rescore_query" in body["rescore"]["query"], "not a rescore")
        asked = body["rescore"]["query"]["rescore_query"]["sltr"]
        need(asked["model"] in Engine.models, f"no model {asked['model']}")
        features, trees = Engine.models[asked["model"]]
        wanted = set().union(*(feature["params"] for feature in features.values()))
        need(wanted <= set(asked["params"]), f"the search does not give {wanted - set(asked['params'])}")
        documents = [{name: float(7 * i % 10) for name in features} for i in range(10)]
        scores = [sum(value(tree, document) for tree in trees) for document in documents]
        need(min(scores) >= 0, "Lucene does not accept negative scores")
        return {"hits": {"hits": [{"_id": str(i), "_score": scores[i]} for i in sorted(range(10), key=lambda i: -scores[i])]}}

    def act(self, method, path, body):
        if (method, path) == ("PUT", "/_ltr"):
            Engine.stored = True
            return {"acknowledged": True}
        need(Engine.stored, "the feature store does not exist: PUT /_ltr")
        if found := re.fullmatch(r"/_ltr/_featureset/(\w+)", path):
            Engine.featuresets[found[1]] = check_featureset(body)
            return {"result": "created"}
        if found := re.fullmatch(r"/_ltr/_featureset/(\w+)/_createmodel", path):
            need(found[1] in Engine.featuresets, f"no feature set {found[1]}")
            name, trees = check_model(body, set(Engine.featuresets[found[1]]))
            Engine.models[name] = (Engine.featuresets[found[1]], trees)
            return {"result": "created"}
        need(re.fullmatch(r"/\w+/_search", path), f"no such path: {path}")
        return self.search(body)

    def handle_request(self):
        if self.path == "/asked":
            return self.answer(200, {"requests": Engine.requests, "bad": Engine.bad})
        Engine.requests += 1
        try:
            text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            need(not text or self.headers.get("Content-Type") == "application/json", "the Content-Type is not application/json")
            return self.answer(200, self.act(self.command, self.path, json.loads(text) if text else None))
        except (Refused, ValueError, KeyError, TypeError) as problem:
            Engine.bad.append(f"{self.command} {self.path}: {problem}")
            return self.answer(400, {"error": Engine.bad[-1], "status": 400})

    do_GET = do_PUT = do_POST = handle_request

    def log_message(self, *_):
        pass


def main(arguments):
    if arguments[0] == "--asked":
        asked = json.load(urllib.request.urlopen(f"http://127.0.0.1:{arguments[1]}/asked"))
        print(asked)
        return 0 if asked == {"requests": int(arguments[2]), "bad": []} else 1
    http.server.ThreadingHTTPServer(("127.0.0.1", int(arguments[0])), Engine).serve_forever()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
