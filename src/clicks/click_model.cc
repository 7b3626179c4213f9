#include "podium/click_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "core/math_functions.h"
#include "core/text_scan.h"
#include "podium/error.h"

namespace podium {
namespace {

BetaPrior parse_prior(const std::string& text) {
  const std::size_t comma = text.find(',');
  BetaPrior prior;
  if (comma == text.npos || !parse_double(std::string_view(text).substr(0, comma), prior.alpha) ||
      !parse_double(std::string_view(text).substr(comma + 1), prior.beta) ||
      !(prior.alpha >= 1 && prior.beta >= 1 && prior.alpha < 1e9 && prior.beta < 1e9))
    throw Error(
        ErrorCode::usage,
        fmt::format("‹prior›: '{}' is not two numbers of at least 1, such as 1.1,1.1", text));
  return prior;
}

// η of "1/p^eta", with a number in place of eta.
double parse_assumption(const std::string& text) {
  constexpr std::string_view kBegin = "1/p^";
  double eta = 0;
  if (!text.starts_with(kBegin) ||
      !parse_double(std::string_view(text).substr(kBegin.size()), eta) || !(eta >= 0 && eta <= 10))
    throw Error(
        ErrorCode::usage,
        fmt::format("‹assume›: '{}' is not 1/p^X with X from 0 to 10, such as 1/p^1", text));
  return eta;
}

// The first position of each component, at 1 or as assumed.
Anchors choose_anchors(const ClickLog& log, const ClickFitOptions& options, ClickModel& model) {
  const Connectivity graph = connectivity(log);
  model.components = graph.components;
  model.assumed = graph.components > 1;
  if (model.assumed && options.assume.empty())
    throw Error(
        ErrorCode::data,
        fmt::format("the log does not determine the propensities: no clicked document connects the "
                    "positions {}. Show documents at several positions (swaps), leave out late "
                    "positions with ‹max-position›, or assume a shape with ‹assume 1/p^1›",
                    component_text(graph)));
  const double eta = options.assume.empty() ? 0 : parse_assumption(options.assume);
  Anchors anchors{std::vector<char>(log.positions, 0), std::vector<double>(log.positions, 1.0)};
  std::vector<char> anchored(graph.components, 0);
  for (std::size_t p = 0; p < log.positions; ++p) {
    const bool never = graph.component[p] == Connectivity::kNever;
    if (!never && anchored[graph.component[p]]) continue;
    if (!never) anchored[graph.component[p]] = 1;
    anchors.fixed[p] = 1;
    anchors.values[p] = math::pow(static_cast<double>(p + 1), -eta);
  }
  return anchors;
}

}  // namespace

std::string component_text(const Connectivity& graph) {
  std::string text;
  constexpr std::size_t kShown = 6;
  for (std::size_t c = 0; c < std::min(graph.components, kShown); ++c) {
    std::string members;
    for (std::size_t p = 0; p < graph.component.size(); ++p)
      if (graph.component[p] == c)
        members += fmt::format("{}{}", members.empty() ? "" : " ", p + 1);
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", members);
  }
  return graph.components > kShown ? text + ", …" : text;
}

const Choices<ClickModelKind>& click_model_kinds() {
  using Kind = ClickModelKind;
  static const Choices<Kind> kinds = {
      {"pbm", Kind::pbm},
      {"trust", Kind::trust},
      {"cascade", Kind::cascade},
      {"dcm", Kind::dcm},
      {"sdbn", Kind::sdbn},
      {"dbn", Kind::dbn},
      {"ubm", Kind::ubm},
      {"ctr-rank", Kind::ctr_rank},
      {"ctr-doc", Kind::ctr_doc},
      {"harvest", Kind::harvest},
      {"regression-em", Kind::regression_em},
  };
  return kinds;
}

bool needs_sessions(ClickModelKind kind) {
  switch (kind) {
    case ClickModelKind::cascade:
    case ClickModelKind::dcm:
    case ClickModelKind::sdbn:
    case ClickModelKind::dbn:
    case ClickModelKind::ubm:
      return true;
    default:
      return false;
  }
}

bool needs_features(ClickModelKind kind) {
  return kind == ClickModelKind::regression_em;
}

const OptionTable<ClickFitOptions>& click_fit_option_table() {
  static const auto options =
      OptionTable<ClickFitOptions>()
          .add("model", &ClickFitOptions::model, "click model to fit", click_model_kinds())
          .add("prior", &ClickFitOptions::prior,
               "Beta prior of every probability, as two pseudo-counts of at least 1")
          .add("iterations", &ClickFitOptions::iterations, "maximum steps of EM", at_least(3))
          .add("tolerance", &ClickFitOptions::tolerance,
               "stop when the objective changes by less than this part of itself", above(0))
          .add("assume", &ClickFitOptions::assume,
               "shape of the propensities, as 1/p^1, that puts positions together which the log "
               "does not connect")
          .add("relevance-learner", &ClickFitOptions::relevance_learner,
               "regression-em: learner of the relevance, with its options")
          .add("refits", &ClickFitOptions::refits,
               "regression-em: maximum number of times that the learner is fitted", at_least(3))
          .add("refit-tolerance", &ClickFitOptions::refit_tolerance,
               "regression-em: stop when three refits change the objective by less than this part "
               "of itself",
               above(0));
  return options;
}

double ClickModel::relevance(std::size_t document) const {
  return satisfaction.empty() ? attraction[document]
                              : attraction[document] * satisfaction[document];
}

ClickModel fit_click_model(const ClickLog& log, const ClickFitOptions& options, Context& context,
                           const std::vector<double>* given, const Dataset* data) {
  if (needs_features(options.model) && (!data || log.row.empty()))
    throw Error(ErrorCode::usage,
                "‹model regression-em› needs ‹data›: it learns relevance from the documents' "
                "features");
  context.observer.phase("fitting the click model");
  ClickModel model;
  model.kind = options.model;
  const ClickFitting fitting{log, options, parse_prior(options.prior), context.pool};
  const auto positions = log.positions;
  if (needs_features(options.model)) {
    if (given) require_positions({"", *given, {}, {}}, log);
    fit_regression(fitting, *data, given, context, model);
  } else if (given) {
    std::vector<double> theta = *given;
    require_positions({"", theta, {}, {}}, log);
    theta.resize(positions);
    model.kind = ClickModelKind::pbm;
    fit_relevance(fitting, theta, model);
  } else {
    switch (options.model) {
      case ClickModelKind::pbm:
        fit_pbm(fitting, choose_anchors(log, options, model), model);
        break;
      case ClickModelKind::harvest:
        fit_harvest(fitting, choose_anchors(log, options, model), model);
        break;
      case ClickModelKind::trust:
        choose_anchors(log, options, model);
        fit_trust(fitting, model);
        break;
      case ClickModelKind::ubm:
        fit_ubm(fitting, model);
        break;
      case ClickModelKind::ctr_rank:
      case ClickModelKind::ctr_doc:
        fit_rates(fitting, model);
        break;
      default:
        fit_chain(fitting, model);
    }
    if (model.components == 0) model.components = connectivity(log).components;
  }
  evaluate_click_model(log, model);
  return model;
}

}  // namespace podium
