// podium explain: why the documents of a query have their scores, feature by feature; why one is
// above another (--pair); or the measure as a function of one weight (--line).
#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "cli/data_options.h"
#include "cli/explain_documents.h"
#include "cli/explain_line.h"
#include "core/output_file.h"
#include "models/file/json_text.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

struct ExplainArguments {
  LineArguments line;  // --model, --data, --query and -o are shared
  std::string pair;
  std::size_t shown = 10;
  std::size_t documents = 0;  // 0: all
  DataOptions reading;
};

ExplainedQuery explain_query(const ExplainArguments& arguments, Context& context) {
  const SavedModel saved = load_model(arguments.line.model);
  const Dataset all = arguments.reading.read_for({&saved, 1}, arguments.line.data, context);
  const std::size_t query[] = {find_query(all, arguments.line.query, arguments.line.data)};
  const Dataset data = select_queries(all, query);
  std::vector<Explanation> why = explain(saved, data, context);
  Transform selection;
  selection.features = saved.features;
  const Dataset raw = apply(selection, data, context);

  ExplainedQuery out{arguments.line.model,
                     saved.learner,
                     explanation_method(saved.model),
                     arguments.line.query,
                     saved.features,
                     raw.schema(),
                     data.documents(),
                     {},
                     {}};
  std::vector<std::size_t> order(data.documents());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return why[a].score > why[b].score; });
  if (arguments.documents > 0) order.resize(std::min(order.size(), arguments.documents));
  for (const std::size_t i : order) {
    ExplainedDocument document;
    document.place = i + 1;
    document.id = data.has_docids() && !data.docid(i).empty() ? std::string(data.docid(i))
                                                              : std::to_string(i + 1);
    document.label = data.labels()[i];
    document.values.resize(saved.features.size());
    raw.rows(i, i + 1).copy(0, document.values);
    document.explanation = std::move(why[i]);
    out.documents.push_back(std::move(document));
  }
  return out;
}

// Finds a document by its id, or by its position in the query.
std::size_t find_document(const ExplainedQuery& query, const std::string& wanted) {
  const auto& documents = query.documents;
  auto found = std::find_if(documents.begin(), documents.end(),
                            [&](const ExplainedDocument& d) { return d.id == wanted; });
  if (found == documents.end())
    found = std::find_if(documents.begin(), documents.end(), [&](const ExplainedDocument& d) {
      return std::to_string(d.place) == wanted;
    });
  if (found == documents.end())
    throw Error(
        ErrorCode::usage,
        fmt::format("--pair: query {} has no document '{}' (use ids, or positions from 1 to {})",
                    query.query, wanted, documents.size()));
  return static_cast<std::size_t>(found - documents.begin());
}

void choose_pair(const std::string& pair, ExplainedQuery& query) {
  const std::size_t comma = pair.find(',');
  if (comma == std::string::npos || pair.find(',', comma + 1) != std::string::npos)
    throw Error(ErrorCode::usage, "--pair needs two documents: --pair A,B");
  query.pair = {find_document(query, pair.substr(0, comma)),
                find_document(query, pair.substr(comma + 1))};
}

void explain_documents(const ExplainArguments& arguments, Frame& frame) {
  const std::string& output = arguments.line.output;
  require_free_stdout(output, frame);
  ExplainedQuery query = explain_query(arguments, frame.context());
  if (!arguments.pair.empty()) choose_pair(arguments.pair, query);
  if (output.ends_with(".html"))
    write_file(output, to_page(query));
  else if (output.ends_with(".json"))
    write_file(output, podium::to_text(with_schema(explained_json(query))) + "\n");
  else if (!output.empty())
    write_file(output, explained_text(query, arguments.shown));
  if (frame.json())
    print_json(explained_json(query));
  else if (output.empty())
    print(explained_text(query, arguments.shown));
}

void declare_line(CLI::App& command, LineArguments& line) {
  const std::string group = "Along one weight";
  CLI::Option* const along =
      command
          .add_option("--line", line.line,
                      "show the measure as a function of this feature's weight (linear models)")
          ->type_name("FEATURE")
          ->group(group);
  for (CLI::Option* const option :
       {command.add_option("--measure", line.measure, "measure to show (default nDCG@10)"),
        command.add_option("--convention", line.convention,
                           "convention for computing the measure (default podium)"),
        command.add_option("--from", line.low, "lowest weight to consider"),
        command.add_option("--to", line.high, "highest weight to consider")})
    option->needs(along)->group(group);
  for (const char* documents : {"--pair", "--top", "--documents"})
    along->excludes(command.get_option(documents));
}

}  // namespace

std::size_t find_query(const Dataset& data, const std::string& wanted, const std::string& file) {
  std::vector<std::string> known;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (data.qid(q) == wanted) return q;
    known.emplace_back(data.qid(q));
  }
  throw Error(ErrorCode::usage, fmt::format("--query {}: {} has no such query{}", wanted, file,
                                            suggestion(wanted, known)));
}

std::function<void()> declare_explain(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<ExplainArguments>();
  command.add_option("--model", arguments->line.model, "a model file")
      ->required()
      ->type_name("FILE");
  command.add_option("--data", arguments->line.data, "documents (with labels, for --line)")
      ->required()
      ->type_name("FILE");
  command.add_option("--query", arguments->line.query, "query whose documents to explain")
      ->type_name("QID");
  command
      .add_option("--pair", arguments->pair,
                  "explain why one document of the query ranks above another: two ids, or "
                  "positions in the query")
      ->type_name("A,B");
  command
      .add_option("--top", arguments->shown,
                  "features to show per document in text output (default 10)")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--documents", arguments->documents,
                  "explain only the N documents with the highest scores (default: all)")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N")
      ->excludes(command.get_option("--pair"));
  command
      .add_option(
          "-o,--output", arguments->line.output,
          "output file: a page (.html), JSON (.json) or text; with --line: all pieces, as JSON")
      ->type_name("FILE");
  declare_line(command, arguments->line);
  arguments->reading.add(command);
  return [arguments, &frame] {
    if (!arguments->line.line.empty()) {
      explain_line(arguments->line, arguments->reading, frame);
      return;
    }
    if (arguments->line.query.empty())
      throw Error(ErrorCode::usage,
                  "explain needs --query QID (why these scores) or --line FEATURE (the measure "
                  "along a weight)");
    explain_documents(*arguments, frame);
  };
}

}  // namespace podium::cli
