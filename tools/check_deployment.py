#!/usr/bin/env python3
"""Checks what is not run here: tools/check_deployment.py. Needs PyYAML; tools/lint runs it.

The manifest of the PyTorchJob: that it has the fields it needs, of the right types, and no others; that images, scripts and volumes that
it names are made or declared by files of this repository. In Dockerfiles: that COPY takes files that exist and that the build's context has."""

import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
QUANTITY = {"cpu": r"\d+(\.\d+)?m?", "memory": r"\d+(Ki|Mi|Gi)?"}
RESTARTS = "Always|OnFailure|Never|ExitCode"

# The fields of the kinds that are used (kubeflow.org/v1 PyTorchJob, core/v1): a type, a pattern of text, a list of one kind, or further fields.
POD = {
    "spec": {
        "containers": [{"name": "pytorch", "image": r"\S+", "command": [r".+"], "resources": {"requests": QUANTITY, "limits": QUANTITY},
                        "volumeMounts": [{"name": NAME, "mountPath": r"/\S*"}]}],
        "volumes": [{"name": NAME, "persistentVolumeClaim": {"claimName": NAME}}],
    },
}
REPLICAS = {"replicas": int, "restartPolicy": RESTARTS, "template": POD}
JOB = {"apiVersion": r"kubeflow\.org/v1", "kind": "PyTorchJob", "metadata": {"name": NAME},
       "spec": {"pytorchReplicaSpecs": {"Master": REPLICAS, "Worker": REPLICAS}}}


def problems(value, wanted, where):
    if isinstance(wanted, dict):
        if not isinstance(value, dict):
            return [f"{where}: fields are needed, not {value!r}"]
        odd = [f"{where}.{name}: {'missing' if name in wanted else 'no such field'}" for name in sorted(set(wanted) ^ set(value))]
        return odd + [one for name in wanted if name in value for one in problems(value[name], wanted[name], f"{where}.{name}")]
    if isinstance(wanted, list):
        if not isinstance(value, list) or not value:
            return [f"{where}: a list is needed, not {value!r}"]
        return [one for at, item in enumerate(value) for one in problems(item, wanted[0], f"{where}[{at}]")]
    if wanted is int:
        return [] if isinstance(value, int) and value > 0 else [f"{where}: a whole number is needed, not {value!r}"]
    return [] if isinstance(value, str) and re.fullmatch(wanted, value) else [f"{where}: {value!r} is no {wanted}"]


def check_job(file):
    job = yaml.safe_load(file.read_text())
    found = problems(job, JOB, "")
    if found:
        return found
    replicas = job["spec"]["pytorchReplicaSpecs"]
    if replicas["Master"]["replicas"] != 1:
        found.append("there is more than one master")
    dockerfile = (ROOT / "packaging/docker/Dockerfile.torch").read_text()
    for role in replicas.values():
        pod = role["template"]["spec"]
        declared = {one["name"] for one in pod["volumes"]}
        for container in pod["containers"]:
            found += [f"no volume is called {one['name']!r}" for one in container["volumeMounts"] if one["name"] not in declared]
            if f"-t {container['image']} " not in dockerfile:
                found.append(f"no Dockerfile makes the image {container['image']!r}")
            script = pathlib.PurePosixPath(container["command"][1])
            if not re.search(rf"^COPY .*\b{re.escape(script.name)}\b.* {re.escape(str(script.parent))}/$", dockerfile, re.M):
                found.append(f"the image has no {script}")
    return found


def check_dockerfile(file):
    found = []
    ignored = file.with_name(file.name + ".dockerignore").read_text().split()
    for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", file.read_text(), re.M):
        for source in sources.split():
            if f"!{source}" not in ignored:
                found.append(f"the build's context has no {source}")
            if "*" not in source and not (ROOT / source).exists():
                found.append(f"there is no {source}")
    return found


def main():
    checks = {ROOT / "examples/engines/pytorchjob.yaml": check_job, **{ROOT / "packaging/docker" / name: check_dockerfile for name in ("Dockerfile", "Dockerfile.torch")}}
    found = [f"{file.relative_to(ROOT)}: {problem}" for file, check in checks.items() for problem in check(file)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
