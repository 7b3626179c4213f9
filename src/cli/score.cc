// podium score: one score per line in the order of the input rows, a table with ids, or a TREC run;
// or, for a forest, the leaves that each row reaches.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/scoring_device.h"
#include "core/output_file.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

struct ScoreArguments {
  std::string model, data, output = "-", format = "scores", init;
  bool leaves = false;
  DataOptions reading;
};

// The columns of a run are separated by blanks, so ids must not contain any.
void require_word(std::string_view id, std::string_view what) {
  const bool is_word = std::all_of(id.begin(), id.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7F;
  });
  if (!is_word)
    throw Error(ErrorCode::data,
                fmt::format("{} '{}' has white space or control characters, which a TREC run "
                            "cannot hold",
                            what, id));
}

// `qid Q0 docid rank score name`, best first; documents without an id are named qid-row.
void write_run(const Dataset& data, std::span<const double> scores, const std::string& name,
               const std::string& path) {
  OutputFile file(path);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    require_word(data.qid(q), "qid");
    std::vector<std::size_t> order(data.end(q) - data.begin(q));
    std::iota(order.begin(), order.end(), data.begin(q));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const std::size_t i = order[rank];
      const std::string docid = data.has_docids() && !data.docid(i).empty()
                                    ? std::string(data.docid(i))
                                    : fmt::format("{}-{}", data.qid(q), data.input_row(i) + 1);
      require_word(docid, "document id");
      file.write(fmt::format("{} Q0 {} {} {} {}\n", data.qid(q), docid, rank + 1, scores[i], name));
    }
  }
  file.commit();
}

// Documents with their ids, as a comparison takes scores from elsewhere (outside_scores.h).
void write_table(const Dataset& data, std::span<const double> scores, const std::string& path) {
  const auto require_cell = [](std::string_view id, std::string_view what) {
    if (id.find_first_of("\t\r\n") != id.npos)
      throw Error(
          ErrorCode::data,
          fmt::format("{} '{}' has tabs or line breaks, which a table cannot hold", what, id));
  };
  OutputFile file(path);
  file.write(data.has_docids() ? "qid\tdocid\tscore\n" : "qid\tscore\n");
  for (std::size_t q = 0; q < data.queries(); ++q) {
    require_cell(data.qid(q), "qid");
    for (std::size_t i = data.begin(q); i < data.end(q); ++i) {
      if (data.has_docids()) require_cell(data.docid(i), "document id");
      file.write(data.has_docids()
                     ? fmt::format("{}\t{}\t{}\n", data.qid(q), data.docid(i), scores[i])
                     : fmt::format("{}\t{}\n", data.qid(q), scores[i]));
    }
  }
  file.commit();
}

// NaN and infinite scores cannot be ranked, and other tools do not read them.
void check_finite(std::span<const double> scores, const Dataset& data,
                  const ScoreArguments& arguments, ThreadPool& pool) {
  parallel_for(pool, scores.size(), 65536, [&](std::size_t begin, std::size_t end) {
    const auto last = scores.begin() + static_cast<std::ptrdiff_t>(end);
    const auto wrong = std::find_if(scores.begin() + static_cast<std::ptrdiff_t>(begin), last,
                                    [](double x) { return !std::isfinite(x); });
    if (wrong != last)
      throw Error(
          ErrorCode::data,
          fmt::format("the model {} gives row {} the score {}: its weights times the "
                      "feature values overflow",
                      arguments.model,
                      data.input_row(static_cast<std::size_t>(wrong - scores.begin())) + 1, *wrong),
          {arguments.data});
  });
}

// One line per row of the input, one leaf per tree, separated by tabs.
void write_leaves(const SavedModel& model, const Dataset& data, const ScoreArguments& arguments,
                  Context& context) {
  const Forest& forest = require_forest(
      model.model,
      Error(ErrorCode::usage, fmt::format("--leaves needs a model with trees, but {} was "
                                          "trained by {}",
                                          arguments.model, model.learner)));
  const std::size_t trees = forest.trees.size();
  const std::vector<std::uint32_t> leaves =
      leaf_indices(forest, prepare_inputs(model, data, context), context.pool);
  std::vector<std::size_t> order(data.documents());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return data.input_row(a) < data.input_row(b);
  });
  OutputFile file(arguments.output);
  for (const std::size_t i : order)
    file.write(fmt::format("{}\n", fmt::join(std::span(leaves).subspan(i * trees, trees), "\t")));
  file.commit();
}

void report(const Dataset& data, const ScoreArguments& arguments, Frame& frame) {
  if (!frame.json()) return;
  frame.print_report({{"file", arguments.output},
                      {"model", arguments.model},
                      {"queries", data.queries()},
                      {"documents", data.documents()}});
}

}  // namespace

std::function<void()> declare_score(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<ScoreArguments>();
  command.add_option("--model", arguments->model, "a model file")->required()->type_name("FILE");
  command.add_option("--data", arguments->data, "the documents to score")
      ->required()
      ->type_name("FILE");
  command.add_option("-o,--output", arguments->output, "output file (default: standard output)")
      ->type_name("FILE");
  command
      .add_option("--init", arguments->init,
                  "scores to add, one per line, for a model that was trained on top of scores")
      ->type_name("FILE");
  CLI::Option* const format =
      command
          .add_option(
              "--format", arguments->format,
              "scores: one per line, in input order; table: with the columns qid and docid, as "
              "compare --scores reads it; run: a TREC run (default scores)")
          ->check(one_of({"scores", "table", "run"}));
  command
      .add_flag("--leaves", arguments->leaves,
                "write the leaf of each row in every tree, separated by tabs, instead of scores")
      ->excludes(format);
  arguments->reading.add(command);
  frame.add_profile_option(command);
  frame.add_device_option(command);
  return [arguments, &frame] {
    require_free_stdout(arguments->output, frame);
    Context& context = frame.context();
    const SavedModel model = load_model(arguments->model);
    const Dataset data = arguments->reading.read_for({&model, 1}, arguments->data, context);
    if (arguments->leaves) {
      write_leaves(model, data, *arguments, context);
      report(data, *arguments, frame);
      return;
    }
    if (model.training.on_top_of_scores && arguments->init.empty())
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "{} was trained on top of scores (--init): give the scores for this data with --init",
              arguments->model));
    context.observer.phase("scoring");
    note_scoring_device(model, arguments->model, context);
    std::vector<double> scores = score(model, data, context);
    if (!arguments->init.empty()) {
      const auto offset = read_scores(arguments->init, data);
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += offset[i];
    }
    check_finite(scores, data, *arguments, context.pool);
    context.observer.phase("writing " + arguments->output);
    if (arguments->format == "run")
      write_run(data, scores, stem(arguments->model), arguments->output);
    else if (arguments->format == "table")
      write_table(data, scores, arguments->output);
    else
      write_scores(scores, data, arguments->output, context.pool);
    report(data, *arguments, frame);
  };
}

}  // namespace podium::cli
