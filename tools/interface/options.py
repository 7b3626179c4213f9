"""Properties of options that all writers need."""


def is_positional(option):
    return not option["names"][0].startswith("-")


def is_flag(option):
    return "value" not in option


def has_learner(command):
    """Whether the command's options depend on the learner that is named first."""
    return any(option["names"] == ["LEARNER"] for option in command["options"])
