#include "losses/loss_cost.h"

#include <algorithm>
#include <charconv>

#include "core/spec.h"
#include "losses/lambda/lambda.h"

namespace podium {
namespace {

// The parameters of a loss that matter here; `otherwise` replaces those that are not given.
class Given {
 public:
  Given(const Spec& spec, std::size_t grades) : spec_(spec), grades_(grades) {}
  std::size_t grades() const noexcept { return grades_; }  // of the list
  bool says(std::string_view name, std::string_view value) const {
    return std::any_of(spec_.given.begin(), spec_.given.end(),
                       [&](const auto& one) { return one.first == name && one.second == value; });
  }
  double operator()(std::string_view name, double otherwise) const {
    for (const auto& [key, text] : spec_.given)
      if (key == name) {
        double value = otherwise;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
      }
    return otherwise;
  }

 private:
  const Spec& spec_;
  std::size_t grades_;
};

ListCost one_pass(double n, const Given&) {
  return {1e-7 * n, 50 * n};
}
// Pair by pair up to 512 documents, which is not slower.
ListCost sums_of_pairs(double n, const Given&) {
  return {5e-7 * n, 500 * n};
}
// For documents with few distinct gains.
ListCost smooth(double n, const Given& given) {
  const double k = given("k", 0), ranks = k > 0 ? std::min(n, k) : n;
  return {n * std::min(2e-6, 1e-7 + 1e-8 * ranks), 500 * n};
}
ListCost softrank(double n, const Given& given) {
  const double k = given("k", 0);
  if (k == 0 || k >= n) return {6e-6 * n, 600 * n};
  return {n * std::min(n, k + 100) * (5e-8 + 3e-9 * k), 8 * n * (k + 1)};
}

// For two grades a dynamic programme over the ranks that count, for more an assignment of documents
// to them.
ListCost dorm(double n, const Given& given) {
  const double k = given("k", 10), cut = given("cut", 30);
  const double ranks = std::min(n, k > 0 && cut > 0 ? std::max(k, cut) : n);
  if (given.grades() <= 2 || given.says("labels", "binary"))
    return {1e-7 * n + 5e-9 * ranks * ranks, 9 * ranks * ranks};
  return {1e-7 * n + 5e-9 * ranks * ranks * n, 8 * ranks * n};
}

// A pass over the list for each of the first ranks; the time for the weight of a pair is separate.
ListCost lambda(double n, const Given& given, double seconds_per_pair) {
  const double k = given("k", 0), truncation = given("truncation", 30);
  double ranks = n;
  if (k > 0) ranks = std::min(ranks, k);
  if (truncation > 0) ranks = std::min(ranks, truncation);
  return {1e-7 * n + ranks * (n - 0.5 * ranks) * seconds_per_pair, 100 * n};
}
ListCost lambda_by_closed_form(double n, const Given& given) {
  return lambda(n, given, 1e-9);
}
ListCost lambda_by_trees(double n, const Given& given) {
  return lambda(n, given, 6e-9);
}
ListCost lambda_by_evaluation(double n, const Given& given) {
  return lambda(n, given, 4e-9 * n);
}

struct Row {
  std::string_view name;
  ListCost (*cost)(double documents, const Given& given);
};
constexpr Row kRows[] = {
    {"logistic-pairs", sums_of_pairs},
    {"exponential-pairs", sums_of_pairs},
    {"fidelity-pairs", sums_of_pairs},
    {"hinge-pairs", sums_of_pairs},
    {"squared-hinge-pairs", sums_of_pairs},
    {"margin-pairs", sums_of_pairs},
    {"gbrank", sums_of_pairs},
    {"approx-ndcg", sums_of_pairs},
    {"smooth", smooth},
    {"softrank", softrank},
    {"dorm", dorm},
    {"lambdaloss", lambda_by_closed_form},
    {"lambda-tau", lambda_by_trees},
    {"lambda-pairacc", lambda_by_trees},
    {"lambda-infap", lambda_by_evaluation},
    {"lambda-iprec", lambda_by_evaluation},
    {"lambda-iprec11", lambda_by_evaluation},
    {"lambda-meanndcg", lambda_by_evaluation},
};

ListCost cost_of_one(std::string_view text, double documents, std::size_t grades) {
  const Spec spec = parse_spec(text, "loss");
  const Given given(spec, grades);
  for (const Row& row : kRows)
    if (row.name == spec.name) return row.cost(documents, given);
  return spec.name.starts_with(kLambdaPrefix) ? lambda_by_closed_form(documents, given)
                                              : one_pass(documents, given);
}

// For a loss by its name: sums, maxima, weights.
ListCost cost_of(std::string_view text, double documents, std::size_t grades) {
  const auto parts = split_outside_parentheses(text, '+');
  if (parts.size() > 1) {
    ListCost all;
    for (const std::string_view part : parts) {
      const ListCost its = cost_of(part, documents, grades);
      all = {all.seconds + its.seconds, std::max(all.bytes, its.bytes)};
    }
    return all;
  }
  if (const std::size_t star = text.find('*'); star < text.find('('))
    return cost_of(text.substr(star + 1), documents, grades);
  if (!text.starts_with("max(")) return cost_of_one(text, documents, grades);
  ListCost all;
  for (const std::string_view part :
       split_outside_parentheses(text.substr(4, text.size() - 5), ',')) {
    const ListCost its = cost_of(part, documents, grades);
    all = {all.seconds + its.seconds, std::max(all.bytes, its.bytes)};
  }
  return all;
}

}  // namespace

ListCost list_cost(const Loss& loss, std::size_t documents, std::size_t grades) {
  return cost_of(loss.name(), static_cast<double>(documents), grades);
}

}  // namespace podium
