"""Completion for zsh, by _arguments."""
from .options import has_learner, is_flag, is_positional, offered_words, takes_list

HEAD = """#compdef podium
# Completion of podium for zsh. Written by tools/write_interface.py.
"""

BODY = r"""
_podium() {
  local curcontext=$curcontext state line word
  local -a specs
  _arguments -C '(- *)--help[print help]' '(- *)--version[print the version]' '1:command:_podium_commands' '*::argument:->command' && return
  [[ $state == command ]] || return
  local command=$words[1]
  (( $+functions[_podium_specs_$command] )) || return
  _podium_specs_$command
  if (( $_podium_with_learner[(Ie)$command] )); then
    for word in ${words[2,CURRENT-1]}; do
      (( $+functions[_podium_specs_of_$word] )) && _podium_specs_of_$word && break
    done
  fi
  _arguments -s $specs
}

_podium "$@"
"""


def escaped(text):
    """Text for a quoted _arguments specification."""
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text.replace("'", "'\\''")


def action(option, interface):
    if option.get("offer") == "folder":
        return "_files -/"
    if option.get("offer") == "file":
        return "_files"
    words = offered_words(option, interface)
    if not words:
        return ""
    return f"_values -s , name {' '.join(words)}" if takes_list(option) else f"({' '.join(words)})"


def specs(option, interface):
    """The specifications of one option: one per name."""
    message = "" if is_flag(option) else f":{escaped(option['value'] or 'value')}:{action(option, interface)}"
    if is_positional(option):
        count = "*" if option["repeats"] else "1"
        return [f"'{count}:{escaped(option['names'][0])}:{action(option, interface)}'"]
    several = "*" if option["repeats"] else ""
    equals = {True: "", False: "="}[is_flag(option)]
    return [f"'{several}{name}{equals if name.startswith('--') or not equals else '+'}[{escaped(option['help'])}]{message}'"
            for name in option["names"]]


def function(name, options, interface):
    lines = "".join(f"    {spec}\n" for option in options for spec in specs(option, interface))
    return f"\n{name}() {{\n  specs+=(\n{lines}  )\n}}\n"


def completion(interface):
    commands = interface["commands"]
    rows = "".join(f"    '{escaped(c['name'])}:{escaped(c['summary'])}'\n" for c in commands)
    text = HEAD + f"\n_podium_commands() {{\n  local -a commands=(\n{rows}  )\n  _describe command commands\n}}\n"
    text += f"\ntypeset -ga _podium_with_learner=({' '.join(c['name'] for c in commands if has_learner(c))})\n"
    for command in commands:
        text += function(f"_podium_specs_{command['name']}", command["options"], interface)
    for learner in interface["learners"]:
        text += function(f"_podium_specs_of_{learner['name']}", learner["options"], interface)
    return text + BODY
