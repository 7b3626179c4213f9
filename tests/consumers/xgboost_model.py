"""Converts a dump of XGBoost's trees into a model that XGBoost loads. XGBoost itself reads only its saved models:
this replaces the trees of a newly saved model by those of the dump."""
import json

import numpy as np
import xgboost


def _tree(root, names, template):
    nodes = {}

    def collect(node, parent):
        nodes[node["nodeid"]] = (node, parent)
        for child in node.get("children", []):
            collect(child, node["nodeid"])

    collect(root, 2147483647)
    assert sorted(nodes) == list(range(len(nodes)))
    tree = dict(template)
    ordered = [nodes[i] for i in range(len(nodes))]
    tree["left_children"] = [n.get("yes", -1) for n, _ in ordered]
    tree["right_children"] = [n.get("no", -1) for n, _ in ordered]
    tree["parents"] = [parent for _, parent in ordered]
    tree["split_indices"] = [names.index(n["split"]) if "split" in n else 0 for n, _ in ordered]
    tree["split_conditions"] = [n.get("split_condition", n.get("leaf")) for n, _ in ordered]
    tree["default_left"] = [int(n.get("missing", -1) == n.get("yes", -2)) for n, _ in ordered]
    tree["split_type"] = [0] * len(nodes)
    for key in ("base_weights", "loss_changes", "sum_hessian"):
        tree[key] = [0.0] * len(nodes)
    tree["tree_param"] = dict(template["tree_param"], num_nodes=str(len(nodes)),
                              num_feature=str(len(names)))
    return tree


def from_dump(dump, names, folder):
    width = len(names)
    rng = np.random.default_rng(1)
    data = xgboost.DMatrix(rng.random((20, width)), label=rng.random(20))
    saved = xgboost.train({"objective": "reg:squarederror", "base_score": 0.0, "max_depth": 1}, data, 1)
    path = str(folder / "xgboost-model.json")
    saved.save_model(path)
    with open(path) as file:
        model = json.load(file)
    booster = model["learner"]["gradient_booster"]["model"]
    template = booster["trees"][0]
    booster["trees"] = [dict(_tree(root, names, template), id=i) for i, root in enumerate(dump)]
    booster["tree_info"] = [0] * len(dump)
    booster["gbtree_model_param"]["num_trees"] = str(len(dump))
    if "iteration_indptr" in booster:
        booster["iteration_indptr"] = list(range(len(dump) + 1))
    with open(path, "w") as file:
        json.dump(model, file)
    loaded = xgboost.Booster()
    loaded.load_model(path)
    return loaded
