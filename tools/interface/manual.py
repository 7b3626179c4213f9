"""Man pages: podium(1), and one per command."""
from .options import has_learner, is_flag, is_positional

EXIT_STATUS = [("0", "The work is done."), ("1", "It failed; one line on standard error says why."), ("2", "The command line is wrong."),
               ("128 + N", "Signal N ended the work early; what there was of it has been kept.")]
ENVIRONMENT = [("PODIUM_SIMD", "Takes narrower vectors than the machine has: baseline, avx2 or avx512. Results do not change."),
               ("PODIUM_TOKEN", "The bearer token that podium serve asks for.")]


def roff(text):
    """Text with groff's control characters escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def bold(text):
    return f"\\fB{roff(text)}\\fR"


def italic(text):
    return f"\\fI{roff(text)}\\fR"


def header(name, interface):
    return f'.TH {name.upper()} 1 "" "Podium {interface["version"]}" "Podium manual"\n'


def definitions(pairs):
    return "".join(f".TP\n{term}\n{text}\n" for term, text in pairs)


def option_term(option):
    term = ", ".join((italic if is_positional(option) else bold)(name) for name in option["names"])
    return term if is_flag(option) or is_positional(option) else f"{term} {italic(option['value'])}"


def option_text(option):
    text = roff(option["help"])
    if any(choice not in option["help"] for choice in option.get("choices", [])) and not option["value"].startswith("{"):
        text += " (" + ", ".join(roff(choice) for choice in option["choices"]) + ")"
    notes = [note for note, holds in (("required", option["required"]), ("may be repeated", option["repeats"])) if holds]
    return text + (f" [{', '.join(notes)}]" if notes else "")


def option_sections(options):
    """A section for the options without a group, then one per group, in the order of the help."""
    groups = {}
    for option in options:
        groups.setdefault(option["group"], []).append(option)
    order = sorted(groups, key=lambda group: (group != "Options", group == "General"))
    return "".join(f".SH {roff(group.upper())}\n" + definitions((option_term(o), option_text(o)) for o in groups[group])
                   for group in order)


def synopsis(command):
    words = [bold(f"podium {command['name']}")]
    for option in command["options"]:
        word = option_term(option)
        if is_positional(option):
            word += "..." if option["repeats"] else ""
            words.append(word if option["required"] else f"[{word}]")
        elif option["required"]:
            words.append(word)
    return " ".join([*words, f"[{italic('options')}]"])


def closing(names, environment):
    text = ".SH EXIT STATUS\n" + definitions((roff(code), roff(meaning)) for code, meaning in EXIT_STATUS)
    if environment:
        text += ".SH ENVIRONMENT\n" + definitions((bold(name), roff(meaning)) for name, meaning in environment)
    return text + ".SH SEE ALSO\n" + ",\n".join(f"{bold(name)}(1)" for name in names) + "\n"


def command_page(command, interface):
    text = header(f"podium-{command['name']}", interface)
    text += f".SH NAME\npodium\\-{roff(command['name'])} \\- {roff(command['summary'])}\n"
    text += f".SH SYNOPSIS\n{synopsis(command)}\n"
    if command["footer"]:
        text += f".SH DESCRIPTION\n.nf\n{roff(command['footer'])}\n.fi\n"
    text += option_sections(command["options"])
    if has_learner(command):
        text += ".SH LEARNERS\n" + definitions((bold(row["name"]), roff(row["summary"])) for row in interface["learners"])
    return text + closing(["podium"], ENVIRONMENT[:1])


def overview(interface):
    text = header("podium", interface)
    text += ".SH NAME\npodium \\- train, evaluate, compare and ship ranking models\n"
    text += f".SH SYNOPSIS\n{bold('podium')} {italic('command')} [{italic('options')}]\n.br\n{bold('podium')} {bold('--version')}\n"
    text += ".SH COMMANDS\n" + definitions((f"{bold('podium-' + c['name'])}(1)", roff(c["summary"])) for c in interface["commands"])
    return text + closing([f"podium-{command['name']}" for command in interface["commands"]], ENVIRONMENT)


def pages(interface):
    """Page names and texts."""
    return {"podium": overview(interface),
            **{f"podium-{command['name']}": command_page(command, interface) for command in interface["commands"]}}
