#include "cli/explain_documents.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"

namespace podium::cli {
namespace {

constexpr double kNegligible = 1e-9;  // relative to the score's parts: not worth a line

// Features by the magnitude of their number, largest first.
std::vector<std::size_t> by_size(const std::vector<double>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(numbers[a]) > std::abs(numbers[b]);
  });
  return order;
}

// The value of a category; nullopt for a number, and for a missing value.
std::optional<std::string> category_of(const ExplainedQuery& query, std::size_t feature, float x) {
  const Strings* const values = query.schema.values(feature);
  const auto code = values ? code_of(x, values->size()) : std::nullopt;
  if (!code) return {};
  return std::string((*values)[*code]);
}

std::string value_text(const ExplainedQuery& query, std::size_t feature, float x) {
  if (const auto category = category_of(query, feature, x)) return *category;
  return std::isnan(x) ? std::string("missing") : fmt::format("{}", x);
}

// null for NaN, which JSON lacks.
Json feature_value_json(const ExplainedQuery& query, std::size_t feature, float x) {
  if (const auto category = category_of(query, feature, x)) return *category;
  return std::isnan(x) ? Json() : Json(x);
}

std::vector<double> difference(const ExplainedDocument& a, const ExplainedDocument& b) {
  std::vector<double> out(a.explanation.contributions.size());
  for (std::size_t f = 0; f < out.size(); ++f)
    out[f] = a.explanation.contributions[f] - b.explanation.contributions[f];
  return out;
}

std::string document_text(const ExplainedQuery& query, std::size_t rank, std::size_t shown) {
  const ExplainedDocument& document = query.documents[rank];
  const Explanation& why = document.explanation;
  std::string text =
      fmt::format("{}. {}\tscore {:.6f}\tgrade {}\n  {:<24} {:>12} {:>+12.6f}\n", rank + 1,
                  document.id, why.score, document.label, "base", "", why.base);
  const std::vector<std::size_t> order = by_size(why.contributions);
  double others = why.rest;
  std::size_t left = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t f = order[k];
    if (k < shown && why.contributions[f] != 0) {
      text += fmt::format("  {:<24} {:>12} {:>+12.6f}\n", query.features[f],
                          value_text(query, f, document.values[f]), why.contributions[f]);
    } else {
      others += why.contributions[f];
      left += why.contributions[f] != 0;
    }
  }
  if (left > 0 || std::abs(others) > kNegligible * (std::abs(why.score) + std::abs(why.base)))
    text += fmt::format("  {:<24} {:>12} {:>+12.6f}\n", counted(left, "other"), "", others);
  return text;
}

std::string pair_text(const ExplainedQuery& query, std::size_t shown) {
  const ExplainedDocument& a = query.documents[query.pair->first];
  const ExplainedDocument& b = query.documents[query.pair->second];
  const double lead = a.explanation.score - b.explanation.score;
  std::string text =
      fmt::format("{} is {} {}: {:.6f} − {:.6f} = {:+.6f}\n  {:<24} {:>12} {:>12} {:>12}\n", a.id,
                  lead > 0   ? "above"
                  : lead < 0 ? "below"
                             : "level with",
                  b.id, a.explanation.score, b.explanation.score, lead, "", a.id.substr(0, 12),
                  b.id.substr(0, 12), "difference");
  const std::vector<double> numbers = difference(a, b);
  const std::vector<std::size_t> order = by_size(numbers);
  double others = a.explanation.rest - b.explanation.rest;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t f = order[k];
    if (k >= shown || numbers[f] == 0)
      others += numbers[f];
    else
      text += fmt::format("  {:<24} {:>12} {:>12} {:>+12.6f}\n", query.features[f],
                          value_text(query, f, a.values[f]), value_text(query, f, b.values[f]),
                          numbers[f]);
  }
  return text + fmt::format("  {:<24} {:>12} {:>12} {:>+12.6f}\n", "others", "", "", others);
}

Json document_json(const ExplainedQuery& query, const ExplainedDocument& document) {
  Json contributions = Json::object(), values = Json::object();
  for (std::size_t f = 0; f < query.features.size(); ++f) {
    contributions[query.features[f]] = document.explanation.contributions[f];
    values[query.features[f]] = feature_value_json(query, f, document.values[f]);
  }
  return {{"document", document.id},           {"place", document.place},
          {"label", document.label},           {"score", document.explanation.score},
          {"base", document.explanation.base}, {"contributions", std::move(contributions)},
          {"rest", document.explanation.rest}, {"values", std::move(values)}};
}

}  // namespace

std::string explained_text(const ExplainedQuery& query, std::size_t shown) {
  const std::string some = query.documents.size() < query.of
                               ? fmt::format("the first {} of ", query.documents.size())
                               : "";
  std::string text =
      fmt::format("query {}: {}{}, scores of {} ({}) by {}\n", query.query, some,
                  counted(query.of, "document"), query.model, query.learner, query.method);
  if (query.pair) return text + pair_text(query, shown);
  for (std::size_t rank = 0; rank < query.documents.size(); ++rank)
    text += document_text(query, rank, shown);
  return text;
}

Json explained_json(const ExplainedQuery& query) {
  Json json = {{"kind", "documents"},       {"model", query.model}, {"learner", query.learner},
               {"method", query.method},    {"query", query.query}, {"of", query.of},
               {"documents", Json::array()}};
  for (const ExplainedDocument& document : query.documents)
    json["documents"].push_back(document_json(query, document));
  if (!query.pair) return json;
  const ExplainedDocument& a = query.documents[query.pair->first];
  const ExplainedDocument& b = query.documents[query.pair->second];
  Json differences = Json::object();
  const std::vector<double> numbers = difference(a, b);
  for (const std::size_t f : by_size(numbers)) differences[query.features[f]] = numbers[f];
  json["pair"] = {{"first", a.id},
                  {"second", b.id},
                  {"difference", a.explanation.score - b.explanation.score},
                  {"contributions", std::move(differences)},
                  {"rest", a.explanation.rest - b.explanation.rest}};
  return json;
}

}  // namespace podium::cli
