#include "podium/judgement.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "clicks/shown_documents.h"
#include "core/text_scan.h"
#include "data/select_documents.h"
#include "podium/error.h"

namespace podium {

std::vector<Judgement> judge(const ClickLog& log, const ClickModel& model) {
  constexpr double kZ2 = 3.841458820694124;  // 1.96²
  std::vector<Judgement> judged;
  for (std::size_t d = 0; d < log.documents(); ++d) {
    Judgement one;
    one.relevance = std::clamp(model.relevance(d), 0.0, 1.0);
    one.exposure = model.exposure[d];
    const double n = std::max(one.exposure, 1e-9), p = one.relevance;
    const double middle = (p + kZ2 / (2 * n)) / (1 + kZ2 / n);
    const double half = std::sqrt(kZ2 * (p * (1 - p) / n + kZ2 / (4 * n * n))) / (1 + kZ2 / n);
    one.low = std::max(0.0, middle - half);
    one.high = std::min(1.0, middle + half);
    judged.push_back(one);
  }
  return judged;
}

std::vector<double> parse_thresholds(std::string_view text) {
  std::vector<double> thresholds;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    double value = 0;
    if (!parse_double(text.substr(0, end), value) || !(value > 0 && value < 1) ||
        (!thresholds.empty() && value <= thresholds.back()))
      throw Error(ErrorCode::usage,
                  "‹thresholds› must be ascending numbers between 0 and 1, such as "
                  "0.2,0.5");
    thresholds.push_back(value);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return thresholds;
}

double grade_of(double relevance, const std::vector<double>& thresholds) {
  return static_cast<double>(std::upper_bound(thresholds.begin(), thresholds.end(), relevance) -
                             thresholds.begin());
}

Dataset shown_documents(const Dataset& data, const ClickLog& log, std::span<const double> labels,
                        std::span<const double> weights) {
  std::vector<char> keep(data.documents(), 0);
  std::vector<float> all_labels(data.documents(), 0), all_weights;
  if (!weights.empty()) all_weights.assign(data.documents(), 0);
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) ids.push_back(log_docid(data, q, d));
  for (std::size_t d = 0; d < log.documents(); ++d) {
    keep[log.row[d]] = 1;
    all_labels[log.row[d]] = static_cast<float>(labels[d]);
    if (!weights.empty()) all_weights[log.row[d]] = static_cast<float>(weights[d]);
  }
  DatasetParts parts = data.parts();
  parts.labels = std::move(all_labels);
  parts.docids = make_strings(ids);
  parts.document_weights = std::move(all_weights);
  parts.positions = {};
  return select_documents(Dataset(std::move(parts)), keep);
}

std::vector<std::uint32_t> numbers_among_shown(const ClickLog& log) {
  std::vector<std::uint32_t> order(log.documents()), number(log.documents());
  for (std::uint32_t d = 0; d < order.size(); ++d) order[d] = d;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return log.row[a] < log.row[b]; });
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  return number;
}

Dataset judged_data(const Dataset& data, const ClickLog& log, const std::vector<Judgement>& judged,
                    const std::vector<double>& thresholds) {
  std::vector<double> labels, weights;
  for (const Judgement& one : judged) {
    labels.push_back(thresholds.empty() ? one.relevance : grade_of(one.relevance, thresholds));
    weights.push_back(one.weight());
  }
  return shown_documents(data, log, labels, weights);
}

}  // namespace podium
