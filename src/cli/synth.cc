// podium synth: generates data with known structure.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "podium/data_io.h"
#include "podium/synthetic.h"

namespace podium::cli {
namespace {

Json feature_json(const SyntheticFeature& feature, std::size_t number) {
  Json json = {{"feature", std::to_string(number)}, {"kind", to_text(feature.kind)}};
  if (feature.trait >= 0) json["trait"] = feature.trait;
  if (feature.trait >= 0) json["noise"] = feature.noise;
  if (feature.original >= 0) json["same_as"] = std::to_string(feature.original + 1);
  return json;
}

void report(const Dataset& data, const SyntheticOptions& options, const std::string& path,
            const Frame& frame) {
  if (path == "-") return;  // standard output has the data
  if (!frame.json()) {
    const std::string text = fmt::format("{}: {}\n", path, size_text(data));
    return print_written(text, frame);
  }
  Json json = {{"file", path},
               {"queries", data.queries()},
               {"documents", data.documents()},
               {"preset", to_text(options.preset)},
               {"seed", frame.seed()}};
  Json& features = json["features"] = Json::array();
  for (const SyntheticFeature& feature : synthetic_features(options))
    features.push_back(feature_json(feature, features.size() + 1));
  if (options.preset == SyntheticPreset::shop)
    for (std::size_t f = 0; f < data.features(); ++f)
      features.push_back(
          {{"feature", data.feature_names()[f]}, {"kind", to_text(data.schema().type(f))}});
  print_json(json);
}

}  // namespace

std::function<void()> declare_synth(CLI::App& command, Frame& frame) {
  auto fields = std::make_shared<FieldOptions>();
  auto output = std::make_shared<std::string>();
  fields->add(command, synthetic_option_table().fields(), "Data");
  command
      .add_option("-o,--output", *output,
                  "output file; the suffix .csv, .tsv or .podium chooses the format, otherwise "
                  "LETOR text; - is stdout")
      ->required()
      ->type_name("FILE");
  command.footer(
      "The same options give the same bytes on every machine. Two seeds give two samples of one\n"
      "population: use one for training and another for testing.");
  return [fields, output, &frame] {
    require_free_stdout(*output, frame);
    const auto& table = synthetic_option_table();
    const SyntheticOptions options = table.read(Settings(table.fields(), fields->given()));
    Context& context = frame.context();
    context.observer.phase("generating synthetic data");
    const Dataset data = make_synthetic(options, context);
    write_dataset(data, *output, context);
    report(data, options, *output, frame);
  };
}

}  // namespace podium::cli
