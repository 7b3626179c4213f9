// podium prepare: data preparation as in the papers, splits, and conversion between formats.
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/label_buckets.h"
#include "cli/run_source.h"
#include "cli/via_python.h"
#include "core/output_file.h"
#include "core/unpack.h"
#include "data/formats/data_format.h"
#include "data/formats/infer_schema.h"
#include "podium/error.h"
#include "podium/split.h"
#include "podium/transform.h"

namespace podium::cli {
namespace {

constexpr const char* kOrder =
    "Steps run in this order, each only if requested:\n"
    "  1. --relevant-from       labels become 0 and 1\n"
    "  2. --features            features are selected\n"
    "  3. --log1p\n"
    "  4. --normalize           within each query, over all its documents\n"
    "  5. --drop-zero-vectors\n"
    "  6. --drop-conflicts      on the features as they are now\n"
    "  7. --split               queries are assigned to train, vali and test\n"
    "  8. --bucket-labels       labels become grades (with --split: edges come from train)\n"
    "  9. --bins, --bin-rule    thresholds come from the data (with --split: from train)\n"
    "With --runs the data is first built from TREC runs.\n"
    "--transform repeats steps 2, 3, 4, 8 and 9 from a file that --save-transform wrote for other "
    "data.\n"
    "The suffix of a file chooses its format: .txt (LETOR), .csv, .tsv, each also .gz or .zst, "
    ".podium.";

struct PrepareArguments {
  std::string input, output, via, split, ending, load, save;
  double drop_conflicts = 0, relevant_from = 0;
  bool drop_zero_vectors = false, infer_schema = false;
  CLI::Option* conflicts_given = nullptr;
  CLI::Option* relevant_given = nullptr;
  FieldOptions transform;
  DataOptions reading;
  LabelBuckets buckets;
  RunSource runs;
};

struct Part {
  std::string path;
  Dataset data;
};

// The suffix of the files of a split: as requested, or that of the input. Features from runs and
// tables have names, which CSV preserves.
std::string split_ending(const PrepareArguments& arguments) {
  if (!arguments.ending.empty()) return arguments.ending;
  if (arguments.runs.given() || !arguments.via.empty()) return "csv";
  const std::string& name = arguments.input;
  const std::string_view usual = format_to_write(name).suffixes[0];
  const std::string packing = name.substr(without_packing(name).size());
  return std::string(usual.substr(1)) + (can_be_packed(packing_of(name)) ? packing : "");
}

std::vector<Part> split(const PrepareArguments& arguments, const Dataset& data, Context& context) {
  if (arguments.split.empty()) return {{arguments.output, data}};
  const auto shares = parse_shares(arguments.split);
  if (shares.size() != 2 && shares.size() != 3)
    throw Error(ErrorCode::usage, fmt::format("--split {}: give two shares (train, test) or three "
                                              "(train, vali, test)",
                                              arguments.split));
  const std::vector<std::string> names = shares.size() == 2
                                             ? std::vector<std::string>{"train", "test"}
                                             : std::vector<std::string>{"train", "vali", "test"};
  const auto queries = split_queries(data, shares, context.seed);
  std::vector<Part> parts;
  for (std::size_t p = 0; p < names.size(); ++p)
    parts.push_back(
        {std::filesystem::path(arguments.output) / (names[p] + "." + split_ending(arguments)),
         select_queries(data, queries[p])});
  return parts;
}

// Steps 2 to 4, fitted or loaded; thresholds only if loaded.
Transform scaling(const PrepareArguments& arguments, const Dataset& data, Context& context) {
  if (!arguments.load.empty()) return load_transform(arguments.load);
  const auto& table = transform_option_table();
  const Settings settings(table.fields(), arguments.transform.given());
  TransformOptions options = table.read(settings);
  if (settings.given("bin-rule") && options.bins == 0)
    throw Error(ErrorCode::usage, "--bin-rule needs --bins");
  options.bins = 0;
  return fit_transform(options, data, context);
}

// Step 8 on every part; completes `transform` with the edges.
void grade_labels(const PrepareArguments& arguments, std::vector<Part>& parts, Transform& transform,
                  Context& context) {
  const LabelBuckets& wanted = arguments.buckets;
  if (!wanted.edges.empty())
    transform.label_edges = wanted.edges;
  else if (wanted.count > 0)
    transform.label_edges = fit_label_edges(parts.front().data, wanted.count);
  else if (transform.label_edges.empty())
    return;
  for (Part& part : parts) part.data = bucket_labels(part.data, transform.label_edges);
  if (transform.label_edges.size() > 1 && wanted.count > 0 && arguments.save.empty())
    context.observer.note(
        fmt::format("for the same grades of later data use --bucket-labels {}, or --save-transform",
                    fmt::join(transform.label_edges, ",")));
}

// Step 9 on every part; completes `transform` with the thresholds.
void bin(const PrepareArguments& arguments, std::vector<Part>& parts, Transform& transform,
         Context& context) {
  if (arguments.load.empty()) {
    const auto& table = transform_option_table();
    const TransformOptions options =
        table.read(Settings(table.fields(), arguments.transform.given()));
    if (options.bins == 0) return;
    const Dataset& train = parts.front().data;
    transform.thresholds = fit_thresholds(options, train, context);
    transform.features = train.feature_names();
  }
  if (transform.thresholds.empty()) return;
  Transform cuts;
  cuts.thresholds = transform.thresholds;
  for (Part& part : parts) part.data = apply(cuts, part.data, context);
}

Dataset clean(const PrepareArguments& arguments, Dataset data, Context& context) {
  if (arguments.drop_zero_vectors) data = drop_zero_vectors(data, context);
  if (arguments.conflicts_given->count() > 0)
    data = drop_conflicts(data, arguments.drop_conflicts, context);
  return data;
}

// `joined`: what the data was made from, when that is runs.
void report(const std::vector<Part>& parts, const std::optional<Json>& joined,
            const Transform& transform, Frame& frame) {
  Json files = Json::array();
  std::string text;
  for (const Part& part : parts) {
    if (part.path == "-") return;  // standard output has the data
    files.push_back({{"file", part.path},
                     {"queries", part.data.queries()},
                     {"documents", part.data.documents()},
                     {"features", part.data.features()}});
    text += fmt::format("{}: {}\n", part.path, size_text(part.data));
  }
  if (!frame.json()) return print_written(text, frame);
  Json json = {{"files", files}};
  if (joined) json["runs"] = *joined;
  if (!transform.label_edges.empty()) json["label_edges"] = transform.label_edges;
  frame.print_report(std::move(json));
}

// Requires exactly one kind of input, and only options that apply to it.
void check_input(const PrepareArguments& arguments) {
  const auto usage = [](const std::string& message) { throw Error(ErrorCode::usage, message); };
  arguments.runs.check();
  if (arguments.runs.given() && !arguments.input.empty())
    usage(fmt::format("{} and --runs are both input: give one of them", arguments.input));
  if (!arguments.runs.given() && arguments.input.empty())
    usage("nothing to prepare: give a data file, or TREC runs with --runs");
  const Assignments reading = arguments.reading.given();
  if (arguments.runs.given() && !reading.empty())
    usage(fmt::format("--{} applies to data files, not to runs", reading[0].first));
  if (arguments.via.empty()) return;
  if (arguments.runs.given() || arguments.input == "-")
    usage("--via reads a data file, not runs or standard input");
  if (arguments.infer_schema) usage("--infer-schema is for CSV and TSV, not for --via");
  for (const auto& [name, value] : reading)
    if (name == "separator" || name == "no-header" || name == "data-format")
      usage(fmt::format("--{} is for text, not for --via", name));
}

Dataset read_input(const PrepareArguments& arguments, Context& context) {
  if (arguments.via.empty()) return arguments.reading.read(arguments.input, context);
  return read_via_python(arguments.input, arguments.reading.options(), context);
}

void run_prepare(const PrepareArguments& arguments, Frame& frame) {
  Context& context = frame.context();
  Dataset data;
  std::optional<Json> joined;
  if (arguments.runs.given()) {
    RunFeatures features = arguments.runs.read(context);
    data = std::move(features.data);
    joined = to_json(features);
  } else {
    data = read_input(arguments, context);
  }
  if (arguments.relevant_given->count() > 0) data = binarize_labels(data, arguments.relevant_from);
  Transform transform = scaling(arguments, data, context);
  Transform before_binning = transform;
  before_binning.thresholds.clear();
  context.observer.phase("preparing");
  data = clean(arguments, apply(before_binning, data, context), context);
  std::vector<Part> parts = split(arguments, data, context);
  data = {};
  grade_labels(arguments, parts, transform, context);
  bin(arguments, parts, transform, context);
  if (!arguments.split.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(arguments.output, failed);
    if (failed)
      throw Error(ErrorCode::file, "cannot make the folder: " + failed.message(),
                  {arguments.output});
  }
  for (const Part& part : parts) {
    context.observer.phase("writing " + part.path);
    write_dataset(part.data, part.path, context);
  }
  if (!arguments.save.empty()) save_transform(transform, arguments.save);
  report(parts, joined, transform, frame);
}

// Proposes a schema instead of preparing data.
void run_inference(const PrepareArguments& arguments, Frame& frame) {
  const auto types = infer_schema(arguments.input, arguments.reading.options(), frame.context());
  OutputFile file(arguments.output);
  file.write(schema_file(types));
  file.commit();
  if (frame.json()) {
    Json columns = Json::array();
    for (const ProposedType& type : types)
      columns.push_back({{"column", type.column}, {"type", to_text(type.type)}, {"why", type.why}});
    frame.print_report({{"file", arguments.output}, {"columns", columns}});
    return;
  }
  if (arguments.output == "-") return;
  std::string text;
  for (const ProposedType& type : types)
    text += fmt::format("{}\t{}\t{}\n", type.column, to_text(type.type), type.why);
  print(text);
}

void check_inference(const PrepareArguments& arguments) {
  if (arguments.runs.given() || !arguments.split.empty() || !arguments.load.empty() ||
      !arguments.save.empty() || !arguments.transform.given().empty())
    throw Error(ErrorCode::usage,
                "--infer-schema only proposes a schema: give a CSV file, -o FILE and options that "
                "say how to read it");
}

void check_ending(const std::string& ending) {
  const std::string kind = ending.substr(0, ending.find('.'));
  const std::string packing = ending.substr(kind.size());
  const bool packed = packing == ".gz" || packing == ".zst";
  std::vector<std::string> known;
  for (const DataFormat* format : data_formats()) {
    known.emplace_back(format->suffixes[0].substr(1));
    const bool fits = packed ? format->access == DataFormat::Access::read_once : packing.empty();
    if (kind == known.back() && fits) return;
  }
  throw Error(ErrorCode::usage,
              fmt::format("--format {}: not a suffix like {} or {}.gz{}", ending,
                          fmt::join(known, ", "), known[0], suggestion(ending, known)));
}

}  // namespace

std::function<void()> declare_prepare(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<PrepareArguments>();
  command.footer(kOrder);
  command.add_option("IN", arguments->input, "a data file; or --runs, see below")
      ->type_name("FILE");
  command.add_option("-o,--output", arguments->output, "output file; with --split a folder")
      ->required()
      ->type_name("OUT");
  command
      .add_option("--via", arguments->via,
                  "python: a Parquet, Feather or Arrow IPC file, read by pyarrow of python3 (or of "
                  "the interpreter in PODIUM_PYTHON); its columns are treated like those of CSV")
      ->check(CLI::IsMember({"python"}))
      ->type_name("READER");
  arguments->runs.add(command);
  arguments->transform.add(command, transform_option_table().fields(), "Features");
  auto* load = command
                   .add_option("--transform", arguments->load,
                               "apply a transform that was saved for other data")
                   ->type_name("FILE")
                   ->group("Features");
  command
      .add_option("--save-transform", arguments->save,
                  "save the feature transform, for --transform")
      ->type_name("FILE")
      ->group("Features");
  for (const Field& field : transform_option_table().fields())
    load->excludes(command.get_option("--" + field.name));
  command
      .add_flag("--drop-zero-vectors", arguments->drop_zero_vectors,
                "drop documents whose features are all 0")
      ->group("Documents");
  arguments->conflicts_given =
      command
          .add_option("--drop-conflicts", arguments->drop_conflicts,
                      "drop documents of one query that have different labels although the cosine "
                      "of their features is at least this (0.99 is usual)")
          ->check(CLI::Range(0.0, 1.0))
          ->type_name("X")
          ->group("Documents");
  arguments->relevant_given = command
                                  .add_option("--relevant-from", arguments->relevant_from,
                                              "set labels to 1 from this grade on, else to 0")
                                  ->type_name("G")
                                  ->group("Documents");
  arguments->buckets.add(command, "Documents");
  for (CLI::Option* const other : {load, arguments->relevant_given})
    command.get_option("--bucket-labels")->excludes(other);
  auto* split =
      command
          .add_option("--split", arguments->split,
                      "shares of the queries for train,vali,test (60,20,20) or "
                      "train,test (80,20), balanced by best grade; files in the folder -o")
          ->type_name("SHARES")
          ->group("Splitting");
  command
      .add_option("--format", arguments->ending,
                  "suffix, and so format, of the files that --split writes: txt, csv.gz, podium, … "
                  "(default: the input's; csv for --runs)")
      ->type_name("ENDING")
      ->needs(split)
      ->group("Splitting");
  command
      .add_flag(
          "--infer-schema", arguments->infer_schema,
          "do not prepare anything: propose a type for each column of a CSV file, say why, and "
          "write the file for --schema to -o")
      ->group("Features");
  arguments->reading.add(command);
  frame.add_profile_option(command);
  return [arguments, &frame] {
    check_input(*arguments);
    if (arguments->infer_schema) {
      check_inference(*arguments);
      require_free_stdout(arguments->output, frame);
      return run_inference(*arguments, frame);
    }
    if (!arguments->ending.empty()) check_ending(arguments->ending);
    require_free_stdout(arguments->output, frame);
    for (const auto& [name, value] : arguments->transform.given())
      if (name == "features") arguments->reading.need_only(value);
    run_prepare(*arguments, frame);
  };
}

}  // namespace podium::cli
