// podium explain --line FEATURE: the measure on data as an exact function of one weight of a linear
// model: constant between jumps, where two documents change places [Tan13].
#include "cli/explain_line.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/inspect.h"
#include "core/output_file.h"
#include "line_search/exact_line_search.h"
#include "models/file/json_text.h"
#include "models/linear/linear.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

constexpr std::size_t kChartColumns = 60;
constexpr std::size_t kTableRows = 5;  // on either side of the weight

// The measure along one weight.
struct WeightLine {
  std::string feature, measure;
  double weight = 0;
  double value = 0;  // at the weight
  LineSearchResult best = {};
  std::vector<LinePiece> pieces = {};

  const LinePiece* piece_at(double alpha) const {
    const auto after = std::upper_bound(pieces.begin(), pieces.end(), alpha,
                                        [](double x, const LinePiece& p) { return x < p.low; });
    return after == pieces.begin() ? nullptr : &*(after - 1);
  }
};

std::size_t find_input(const std::vector<std::string>& names, const std::string& wanted) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    throw Error(ErrorCode::usage, fmt::format("--line {}: the model has no such feature{}", wanted,
                                              suggestion(wanted, names)));
  return static_cast<std::size_t>(found - names.begin());
}

WeightLine search_line(const LineArguments& arguments, const DataOptions& reading,
                       Context& context) {
  const SavedModel saved = load_model(arguments.model);
  const Linear& linear = require_linear(
      saved.model,
      Error(ErrorCode::data, fmt::format("--line needs a linear model, but {} was trained by {}: "
                                         "its scores are not linear in a weight",
                                         arguments.model, saved.learner)));
  const std::size_t feature = find_input(input_names(saved), arguments.line);
  const Convention& convention = find_convention(arguments.convention);
  const MeasurePtr measure = parse_measure(arguments.measure, convention);
  if (!(arguments.low < arguments.high))
    throw Error(ErrorCode::usage,
                fmt::format("--from {} is not below --to {}", arguments.low, arguments.high));
  Dataset read = reading.read_for(std::span(&saved, 1), arguments.data, context);
  if (!arguments.query.empty()) {
    const std::size_t query[] = {find_query(read, arguments.query, arguments.data)};
    read = select_queries(read, query);
  }
  const Dataset data = prepare_inputs(saved, read, context);
  context.observer.phase("searching the line");

  WeightLine line{arguments.line, measure_label(*measure, convention), linear.weights[feature]};
  Linear others = linear;
  others.weights[feature] = 0;
  const std::vector<double> base = score(others, data, context.pool);
  const std::vector<double> direction = feature_column(data, feature, context.pool);
  const SearchLine along{base, direction, arguments.low, arguments.high, line.weight};
  const ExactLineSearch search(data, measure, convention, context);
  line.best = search.search(along, context);
  line.pieces = search.pieces(along, context);
  line.value = evaluate(measure, convention, data, score(linear, data, context.pool), context);
  return line;
}

Json line_json(const WeightLine& line, const LineArguments& arguments) {
  Json pieces = Json::array();
  for (const LinePiece& piece : line.pieces)
    pieces.push_back({{"from", number_or_null(piece.low)},
                      {"to", number_or_null(piece.high)},
                      {"value", number_or_null(piece.value)}});
  return {{"kind", "line"},
          {"model", arguments.model},
          {"data", arguments.data},
          {"feature", line.feature},
          {"measure", line.measure},
          {"convention", arguments.convention},
          {"weight", line.weight},
          {"value", number_or_null(line.value)},
          {"best",
           {{"from", number_or_null(line.best.best.low)},
            {"to", number_or_null(line.best.best.high)},
            {"point", line.best.middle},
            {"value", number_or_null(line.best.best.value)},
            {"holds_weight", line.best.holds_current}}},
          {"jumps", line.best.jumps},
          {"pieces", std::move(pieces)}};
}

// A row of blocks (higher is better) over the part of the line with most jumps.
std::string chart(const WeightLine& line) {
  static constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (line.pieces.size() < 2) return "";
  const double centre = line.weight, other = line.best.middle;
  const double reach = std::max({std::abs(other - centre) * 1.25, std::abs(centre) * 0.5, 1e-12});
  const double first = std::max(line.pieces.front().high, centre - 2 * reach);
  const double last = std::min(line.pieces.back().low, centre + 2 * reach);
  if (!(first < last)) return "";
  std::vector<double> values;
  for (std::size_t k = 0; k < kChartColumns; ++k) {
    const double share = (static_cast<double>(k) + 0.5) / kChartColumns;
    const LinePiece* piece = line.piece_at(first + (last - first) * share);
    values.push_back(piece ? piece->value : line.value);
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::string blocks;
  for (const double value : values)
    blocks += kBlocks[*high > *low ? static_cast<int>(7.999 * (value - *low) / (*high - *low)) : 0];
  return fmt::format("{:.6g} {} {:.6g}\n  ({:.6f} to {:.6f})\n", first, blocks, last, *low, *high);
}

std::string line_text(const WeightLine& line, const LineArguments& arguments) {
  std::string text = fmt::format(
      "{} of {} on {} along the weight of feature "
      "{}\nweight\t{:.8g}\t{:.6f}\nbest\t{:.8g}\t{:.6f}\tfrom {:.8g} to {:.8g}{}\nbreakpoints\t{} "
      "of single queries, {} pieces\n",
      line.measure, arguments.model, arguments.data, line.feature, line.weight, line.value,
      line.best.middle, line.best.best.value, line.best.best.low, line.best.best.high,
      line.best.holds_current ? ", where the weight is" : "", line.best.jumps, line.pieces.size());
  text += chart(line);
  const LinePiece* here = line.piece_at(line.weight);
  if (!here) return text;
  const auto at = static_cast<std::size_t>(here - line.pieces.data());
  const std::size_t begin = at > kTableRows ? at - kTableRows : 0;
  const std::size_t end = std::min(line.pieces.size(), at + kTableRows + 1);
  text += fmt::format("{:>16} {:>16} {:>10}\n", "from", "to", "value");
  for (std::size_t k = begin; k < end; ++k)
    text += fmt::format("{:>16.8g} {:>16.8g} {:>10.6f}{}\n", line.pieces[k].low,
                        line.pieces[k].high, line.pieces[k].value, k == at ? " *" : "");
  return text;
}

}  // namespace

void explain_line(const LineArguments& arguments, const DataOptions& reading, Frame& frame) {
  require_free_stdout(arguments.output, frame);
  const WeightLine line = search_line(arguments, reading, frame.context());
  if (!arguments.output.empty()) {
    OutputFile file(arguments.output);
    file.write(podium::to_text(with_schema(line_json(line, arguments))) + "\n");
    file.commit();
  }
  if (frame.json())
    print_json(line_json(line, arguments));
  else if (arguments.output != "-")
    print(line_text(line, arguments));
}

}  // namespace podium::cli
