// podium fuse: combines several TREC runs into one, without learning.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/run_files.h"
#include "core/counted.h"
#include "podium/error.h"
#include "podium/rank_fusion.h"

namespace podium::cli {
namespace {

constexpr const char* kMethods =
    "A document's score is the sum, over the runs that have the topic, of\n"
    "  combsum   its scores, rescaled to [0, 1] in each list (--normalize minmax: lowest score 0,\n"
    "            highest 1; all 1 if a list's scores are equal); 0 if it is not in the list\n"
    "  combmnz   as combsum, and the sum is multiplied by the number of lists with the document\n"
    "  rrf       1 / (k + rank), reciprocal-rank fusion; 0 if it is not in the list\n"
    "  borda     points: n for the first of a list, n - 1 for the second, …, where n is the "
    "number\n"
    "            of different documents in all lists of the topic; documents that are not in a\n"
    "            list share its remaining points equally\n"
    "Documents of a run are ranked by score, ties by descending document id, as trec_eval does;\n"
    "ranks in the files are ignored. The output has every document of the lists, topics in order\n"
    "of their ids, and the tag podium-METHOD.";

struct FuseArguments {
  RunFiles runs;
  std::string output = "-";
  FieldOptions fields;
};

// The name in the option.
std::string method_name(const FusionOptions& options) {
  return to_text(fusion_option_table().settings(options)["method"]);
}

FusionOptions options_of(const FuseArguments& arguments) {
  const auto& table = fusion_option_table();
  const Settings settings(table.fields(), arguments.fields.given());
  const FusionOptions options = table.read(settings);
  const bool by_score =
      options.method == FusionMethod::combsum || options.method == FusionMethod::combmnz;
  if (settings.given("normalize") && !by_score)
    throw Error(
        ErrorCode::usage,
        fmt::format("--normalize applies to combsum and combmnz, not to {}", method_name(options)));
  if (settings.given("k") && options.method != FusionMethod::rrf)
    throw Error(ErrorCode::usage,
                fmt::format("--k applies to rrf, not to {}", method_name(options)));
  return options;
}

void report(const FuseArguments& arguments, const FusionOptions& options,
            const std::vector<FusedTopic>& fused, const Frame& frame) {
  if (arguments.output == "-") return;  // standard output has the run
  std::size_t documents = 0;
  for (const FusedTopic& topic : fused) documents += topic.documents.size();
  if (!frame.json())
    return print_written(
        fmt::format("{}: {} of {}, {}, {}\n", arguments.output, method_name(options),
                    counted(arguments.runs.paths().size(), "run"), counted(fused.size(), "topic"),
                    counted(documents, "document")),
        frame);
  Json json = {{"file", arguments.output}, {"method", method_name(options)}};
  if (options.method == FusionMethod::rrf)
    json["k"] = options.k;
  else if (options.method != FusionMethod::borda)
    json["normalize"] = to_text(fusion_option_table().settings(options)["normalize"]);
  json["depth"] = options.depth;
  json["runs"] = arguments.runs.paths();
  json["topics"] = fused.size();
  json["documents"] = documents;
  print_json(json);
}

}  // namespace

std::function<void()> declare_fuse(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<FuseArguments>();
  command.footer(kMethods);
  arguments->runs.add(command, "the TREC runs to combine")->required();
  command.add_option("-o,--output", arguments->output, "output file (default: standard output)")
      ->type_name("FILE");
  arguments->fields.add(command, fusion_option_table().fields(), "Fusion");
  return [arguments, &frame] {
    require_free_stdout(arguments->output, frame);
    const FusionOptions options = options_of(*arguments);
    Context& context = frame.context();
    const std::vector<TrecFile> runs = arguments->runs.read(context);
    const std::vector<FusedTopic> fused = fuse(runs, options, context);
    write_run(fused, "podium-" + method_name(options), arguments->output);
    report(*arguments, options, fused, frame);
  };
}

}  // namespace podium::cli
