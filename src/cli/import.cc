// podium import: converts another tool's model to a Podium model.
#include <fmt/format.h>

#include "cli/command.h"
#include "core/unpack.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium::cli {
namespace {

struct ImportArguments {
  std::string file, format, output;
  ImportOptions options;
};

void run_import(const ImportArguments& arguments, Frame& frame) {
  require_free_stdout(arguments.output, frame);
  const ImportedModel imported =
      import_model(read_file(arguments.file), arguments.file, arguments.format, arguments.options);
  for (const std::string& note : imported.notes) frame.context().observer.note(note);
  save_model(imported.model, arguments.output);
  if (!frame.json()) return;
  const auto trees = tree_count(imported.model.model);
  print_json({{"file", arguments.output},
              {"from", arguments.file},
              {"type", kind_name(imported.model.model)},
              {"features", imported.model.features.size()},
              {"trees", trees ? Json(*trees) : Json()},
              {"notes", imported.notes}});
}

}  // namespace

std::function<void()> declare_import(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<ImportArguments>();
  command.add_option("file", arguments->file, "model file of another tool")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--from", arguments->format,
                  fmt::format("its format: {}", fmt::join(import_formats(), ", ")))
      ->required()
      ->check(one_of(import_formats()));
  command.add_option("-o,--output", arguments->output, "file to write the Podium model to")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--first-feature", arguments->options.first_feature,
          "number of the first column of models that count them from 0 (LightGBM's Column_0, "
          "XGBoost's f0): 1, or 0 for a model that the tool trained on LETOR text (default "
          "1)")
      ->check(CLI::IsMember({0, 1}));
  command
      .add_option(
          "--target", arguments->options.target,
          "search engine and version that scores the model (opensearch:3.3, "
          "elasticsearch:9), which decide where missing values go (default: the branch that "
          "the file names)")
      ->type_name("ENGINE");
  return [arguments, &frame] { run_import(*arguments, frame); };
}

}  // namespace podium::cli
