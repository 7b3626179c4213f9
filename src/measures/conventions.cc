// The table of conventions: how other tools compute the values they print.
// docs/reference/conventions.md explains every column.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "measures/choices.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

// "relevant if label > x", as the next larger float, since labels are floats.
double above_grade(float x) {
  return std::nextafter(x, std::numeric_limits<float>::infinity());
}

std::vector<Convention> make_conventions() {
  Convention podium;

  Convention letor{.name = "letor", .tool = "LETOR 4.0's Eval-Score script"};
  letor.discount = RankDiscount::letor;
  letor.ties = Ties::stable;
  letor.short_lists = ShortLists::zero;
  letor.decimals = 4;

  Convention mslr = letor;
  mslr.name = "mslr";
  mslr.tool = "MSLR-WEB's eval-score script";
  mslr.relevant_from = 2;

  Convention lightgbm{.name = "lightgbm", .tool = "LightGBM"};
  lightgbm.ties = Ties::stable;
  lightgbm.empty = EmptyQuery::one;
  lightgbm.relevant_from = above_grade(0.5F);
  lightgbm.ap_denominator = ApDenominator::cut_off;

  Convention xgboost{.name = "xgboost", .tool = "XGBoost"};
  xgboost.ties = Ties::stable;
  xgboost.empty = EmptyQuery::one;
  xgboost.ap_denominator = ApDenominator::cut_off;

  Convention trec{.name = "trec", .tool = "trec_eval"};
  trec.gain = GradeGain::linear;
  trec.ties = Ties::docid;

  Convention ranklib{.name = "ranklib", .tool = "RankLib"};
  ranklib.ties = Ties::stable;
  ranklib.relevant_from = above_grade(0);

  Convention sklearn{.name = "sklearn", .tool = "scikit-learn's dcg_score and ndcg_score"};
  sklearn.gain = GradeGain::linear;

  return {podium, letor, mslr, lightgbm, xgboost, trec, ranklib, sklearn};
}

std::string_view tie_text(Ties ties) {
  switch (ties) {
    case Ties::expected:
      return "expected value";
    case Ties::stable:
      return "input order";
    case Ties::docid:
      return "document id descending";
  }
  return {};
}

std::string_view empty_text(EmptyQuery empty) {
  switch (empty) {
    case EmptyQuery::zero:
      return "0";
    case EmptyQuery::one:
      return "1";
    case EmptyQuery::skip:
      return "skipped";
  }
  return {};
}

// ">= 1", or "> 0.5" if that is rounder.
std::string relevance_text(double from) {
  const auto exact = static_cast<float>(from);
  const std::string at = fmt::format("{}", from);
  const std::string below =
      fmt::format("{}", std::nextafter(exact, -std::numeric_limits<float>::infinity()));
  const bool strict = static_cast<double>(exact) == from && below.size() < at.size();
  return strict ? fmt::format("> {}", below) : fmt::format(">= {}", at);
}

}  // namespace

std::string Convention::text() const {
  std::string line =
      fmt::format("{}: gain {}, discount {}, ties {}, undefined query {}, relevant {}", name,
                  choice_name(gain_choices(), gain), choice_name(discount_choices(), discount),
                  tie_text(ties), empty_text(empty), relevance_text(relevant_from));
  if (ap_denominator != ApDenominator::relevant)
    line += ", AP@k over " + choice_name(ap_denominator_choices(), ap_denominator);
  if (short_lists == ShortLists::zero) line += ", nDCG@k 0 for lists shorter than k";
  return line;
}

const std::vector<Convention>& conventions() {
  static const std::vector<Convention> table = make_conventions();
  return table;
}

const Convention& find_convention(std::string_view name) {
  std::vector<std::string> names;
  for (const Convention& convention : conventions()) {
    if (convention.name == name) return convention;
    names.push_back(convention.name);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown convention '{}'{} (there are {})", name,
                                            suggestion(name, names), fmt::join(names, ", ")));
}

}  // namespace podium
