"""Completion for fish."""
from .options import has_learner, is_flag, is_positional, offered_words, takes_list

HEAD = """# Completion of podium for fish. Written by tools/write_interface.py.

# The names in the list behind the last comma of the current word.
function __podium_list
    set -l token (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l before (string match -r -- '^.*,' $token)
    for name in $argv
        echo $before$name
    end
end

complete -c podium -f
complete -c podium -n __fish_use_subcommand -l help -d 'print help'
complete -c podium -n __fish_use_subcommand -l version -d 'print the version'
"""


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def value(option, interface):
    """What follows the option."""
    if is_flag(option):
        return ""
    if option.get("offer") == "folder":
        return " -x -a '(__fish_complete_directories)'"
    if option.get("offer") == "file":
        return " -r -F"
    words = " ".join(offered_words(option, interface))
    if not words:
        return " -x"
    return f" -x -a '(__podium_list {words})'" if takes_list(option) else f" -x -a {quoted(words)}"


def line(condition, option, interface):
    start = f"complete -c podium -n {quoted(condition)}"
    if is_positional(option):
        offer = value(option, interface).replace(" -r", "").replace(" -x", "")
        return f"{start}{offer}\n" if offer else ""
    names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option["names"])
    return f"{start}{names}{value(option, interface)} -d {quoted(option['help'])}\n"


def completion(interface):
    text = HEAD
    for command in interface["commands"]:
        text += f"complete -c podium -n __fish_use_subcommand -a {command['name']} -d {quoted(command['summary'])}\n"
    for command in interface["commands"]:
        for option in command["options"]:
            text += line(f"__fish_seen_subcommand_from {command['name']}", option, interface)
    with_learner = " ".join(command["name"] for command in interface["commands"] if has_learner(command))
    for learner in interface["learners"]:
        condition = f"__fish_seen_subcommand_from {with_learner}; and __fish_seen_subcommand_from {learner['name']}"
        for option in learner["options"]:
            text += line(condition, option, interface)
    return text
