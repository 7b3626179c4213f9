"""Completion for bash. Works with and without the package bash-completion."""
from .options import has_learner, is_positional, offered_words, takes_list

HEAD = r"""# Completion of podium for bash. Written by tools/write_interface.py.
"""

BODY = r"""
# Offers the words, or what the kind in $1 stands for, that begin with $2.
_podium_offer() {
  local kind=$1 begun=$2 before="" IFS=$' \t\n'
  case $kind in
    file|folder)
      compopt -o filenames 2>/dev/null
      [[ $kind == file ]] && kind=-f || kind=-d
      mapfile -t COMPREPLY < <(compgen "$kind" -- "$begun") ;;
    list:*)  # behind the last comma
      [[ $begun == *,* ]] && before=${begun%,*}, && begun=${begun##*,}
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -P "$before" -W "${kind#list:}" -- "$begun")) ;;
    words:*) COMPREPLY=($(compgen -W "${kind#words:}" -- "$begun")) ;;
  esac
}

# The learner among the words, for commands whose options depend on it.
_podium_learner() {
  local word
  for word in "$@"; do
    _podium_learner_options "$word" && REPLY=$word && return
  done
  return 1
}

_podium() {
  # Words as podium sees them: bash also cuts at = and :, and readline replaces what stands behind these.
  local line=${COMP_LINE:0:COMP_POINT} words REPLY options="" learner="" IFS=$' \t\n'
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local last=$((${#words[@]} - 1)) current=${words[-1]} previous="" command=${words[1]-}
  COMPREPLY=()
  if ((last < 2)); then
    COMPREPLY=($(compgen -W "$_podium_commands --help --version" -- "$current"))
    return
  fi
  _podium_options "$command" && options=$REPLY
  if _podium_has_learner "$command" && _podium_learner "${words[@]:2:last-2}"; then
    learner=$REPLY
    _podium_learner_options "$learner" && options+=" $REPLY"
  fi
  previous=${words[last-1]}
  if [[ $current == --*=* ]]; then
    previous=${current%%=*} current=${current#*=}
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  REPLY=""
  if [[ $previous == -* ]] && { _podium_value "$command $previous" || _podium_value "$learner $previous"; }; then
    :
  elif [[ -n $learner ]] || ! _podium_value "$command"; then
    return
  fi
  _podium_offer "$REPLY" "$current"
  # readline replaces only what stands behind the last = or : of the word; a @ belongs to what it replaces.
  local kept=${current%"${current##*[=:]}"}
  [[ $current == *@* ]] && kept=${current%@*}
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -F _podium podium
"""


def quoted(words):
    return '"' + " ".join(words) + '"'


def option_names(options):
    return [name for option in options if not is_positional(option) for name in option["names"] if name.startswith("--") or len(name) == 2]


def kind(option, interface):
    """What _podium_offer is told for the option's value."""
    if option.get("offer") in ("file", "folder"):
        return option["offer"]
    words = offered_words(option, interface)
    return ("list:" if takes_list(option) else "words:") + " ".join(words) if words else "none"


def function(name, rows):
    """A shell function that answers in REPLY: rows of patterns and text."""
    cases = "".join(f"    {pattern}) REPLY={text} ;;\n" for pattern, text in rows)
    return f"\n{name}() {{\n  case $1 in\n{cases}    *) return 1 ;;\n  esac\n}}\n"


def value_rows(interface):
    """Patterns `command --option`, `learner --option` and, for positional arguments, `command`."""
    patterns = {}
    for owner in [*interface["commands"], *interface["learners"]]:
        for option in owner["options"]:
            if "value" not in option:
                continue
            keys = [f"'{owner['name']}'"] if is_positional(option) else [f"'{owner['name']} {name}'" for name in option["names"]]
            patterns.setdefault(kind(option, interface), []).extend(keys)
    return [("|".join(dict.fromkeys(keys)), f"'{text}'") for text, keys in patterns.items()]


def completion(interface):
    commands, learners = interface["commands"], interface["learners"]
    text = HEAD + f"_podium_commands={quoted(command['name'] for command in commands)}\n"
    text += function("_podium_options", [(c["name"], quoted(option_names(c["options"]))) for c in commands])
    text += function("_podium_learner_options", [(row["name"], quoted(option_names(row["options"]))) for row in learners])
    text += function("_podium_has_learner", [("|".join(c["name"] for c in commands if has_learner(c)), "yes")])
    text += function("_podium_value", value_rows(interface))
    return text + BODY
