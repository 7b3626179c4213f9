"""Properties of options that all writers need."""


def is_positional(option):
    return not option["names"][0].startswith("-")


def is_flag(option):
    return "value" not in option


def takes_list(option):
    """Whether names may follow each other behind commas."""
    return option.get("offer") in ("learner", "measure") and option["names"][-1] != "LEARNER" and option["names"][-1] != "NAME"


def offered_words(option, interface):
    """The names a shell can offer for the option's value; empty where there are none, or files."""
    return option.get("choices") or interface["names"].get(option.get("offer"), [])


def has_learner(command):
    """Whether the command's options depend on the learner that is named first."""
    return any(option["names"] == ["LEARNER"] for option in command["options"])
