// podium export: converts a model to another system's format. With --verify the file's bytes are
// read back by an interpreter of the format and must rank the data as the model does; otherwise
// nothing is written.
#include "podium/export.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "core/counted.h"
#include "core/output_file.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

struct ExportArguments {
  std::string model, format, output, verify, name, target, missing = "carry";
  bool nonnegative = false;
  DataOptions reading;
};

std::string known_formats() {
  std::string names;
  for (const ExportFormat& format : export_formats())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

ExportOptions options_of(const ExportArguments& arguments) {
  ExportOptions options;
  options.name = !arguments.name.empty()   ? arguments.name
                 : arguments.output == "-" ? stem(arguments.model)
                                           : stem(arguments.output);
  if (arguments.nonnegative) options.scores = ExportOptions::Scores::nonnegative;
  if (arguments.missing == "zero") options.missing = ExportOptions::Missing::zero;
  options.target = arguments.target;
  return options;
}

// A target implies its format.
std::string format_of(const ExportArguments& arguments) {
  if (!arguments.format.empty()) return arguments.format;
  if (arguments.target.empty()) throw Error(ErrorCode::usage, "--to or --target is required");
  return format_of_target(arguments.target);
}

std::string verification_text(const ExportCheck& check) {
  std::string text = fmt::format("verified on {}: largest difference {:.3g} of scores up to {:.6g}",
                                 counted(check.documents, "document"), check.largest_difference,
                                 check.largest_score);
  if (check.decisions > 0)
    text += fmt::format("; {} of {} changed", check.changed_decisions,
                        counted(check.decisions, "decision"));
  return text + fmt::format("; {} of {} in a different order, {} more within rounding\n",
                            check.changed_pairs, counted(check.pairs, "pair"), check.rounded_pairs);
}

Json verification_json(const ExportCheck& check) {
  return {{"documents", check.documents},
          {"largest_score", check.largest_score},
          {"largest_difference", check.largest_difference},
          {"tolerance", check.tolerance},
          {"decisions", check.decisions},
          {"changed_decisions", check.changed_decisions},
          {"pairs", check.pairs},
          {"changed_pairs", check.changed_pairs},
          {"rounded_pairs", check.rounded_pairs}};
}

ExportCheck verify(const ExportArguments& arguments, const SavedModel& model,
                   const ExportedModel& exported, Context& context) {
  const Dataset data = arguments.reading.read_for(std::span(&model, 1), arguments.verify, context);
  context.observer.phase("verifying");
  const ExportCheck check = verify_export(model, exported, data, context);
  if (!check.holds())
    throw Error(ErrorCode::data,
                fmt::format("the {} file would not rank this data as {} does: largest difference "
                            "{:.3g} (allowed {:.3g}), {} and {} changed; nothing "
                            "is written",
                            exported.format, arguments.model, check.largest_difference,
                            check.tolerance, counted(check.changed_decisions, "decision"),
                            counted(check.changed_pairs, "pair")),
                {arguments.verify});
  return check;
}

void run_export(const ExportArguments& arguments, Frame& frame) {
  require_free_stdout(arguments.output, frame);
  const SavedModel model = load_model(arguments.model);
  const ExportedModel exported = export_model(model, format_of(arguments), options_of(arguments));
  Json report = {{"file", arguments.output}, {"format", exported.format},
                 {"model", arguments.model}, {"bytes", exported.content.size()},
                 {"shift", exported.shift},  {"notes", exported.notes}};
  Context& context = frame.context();
  for (const std::string& note : exported.notes) context.observer.note(note);
  std::string text;
  if (!arguments.verify.empty()) {
    const ExportCheck check = verify(arguments, model, exported, context);
    report["verify"] = verification_json(check);
    text = verification_text(check);
  }
  write_file(arguments.output, exported.content);
  if (frame.json())
    print_json(report);
  else if (arguments.output != "-")
    print(text);
}

}  // namespace

std::function<void()> declare_export(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<ExportArguments>();
  command.add_option("--model", arguments->model, "a model file")->required()->type_name("FILE");
  command.add_option("--to", arguments->format, "the format: " + known_formats())
      ->type_name("FORMAT");
  command
      .add_option("--target", arguments->target,
                  "search engine and version that reads the file (opensearch:3.3, elasticsearch:9, "
                  "solr:9), which decide what happens to missing values; implies --to")
      ->type_name("ENGINE");
  command.add_option("-o,--output", arguments->output, "output file")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--verify", arguments->verify,
                  "check the exported file on this data: read back, it must rank as the model does")
      ->type_name("FILE");
  command.add_option("--name", arguments->name,
                     "model name to store, in formats that have one (default: the file's name)");
  command.add_flag("--nonnegative", arguments->nonnegative,
                   "add a constant so that no score is negative, as Lucene requires");
  command
      .add_option("--missing", arguments->missing,
                  "carry keeps the branches of trees for missing values, and refuses models that "
                  "learned them if the format has none; zero treats missing values as 0 (default "
                  "carry)")
      ->check(one_of({"carry", "zero"}));
  arguments->reading.add(command);
  return [arguments, &frame] { run_export(*arguments, frame); };
}

}  // namespace podium::cli
