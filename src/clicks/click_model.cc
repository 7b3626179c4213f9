#include "podium/click_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "clicks/position_graph.h"
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

void require_clicks(const ClickLog& log) {
  double clicks = 0, held = 0;
  for (const ClickCell& cell : log.cells) {
    clicks += cell.clicked;
    held += cell.held_clicked;
  }
  if (clicks > 0) return;
  throw Error(ErrorCode::data, held > 0 ? "all clicks of the log are in sessions that are held out"
                                        : "the log has no clicks: there is nothing to explain");
}

Error undetermined(std::string_view why, const Connectivity& graph, std::string_view also) {
  return Error(ErrorCode::data,
               fmt::format("the log does not determine the propensities: {} the positions {}. Show "
                           "documents at several positions (swaps), leave out late positions with "
                           "‹max-position›{}",
                           why, component_text(graph), also));
}

// Two numbers per position: one document does not connect them, and no shape is assumed of both.
void require_connected_pairs(const ClickLog& log, const ClickFitOptions& options,
                             ClickModel& model) {
  if (!options.assume.empty())
    throw Error(ErrorCode::usage,
                "‹assume› is not for ‹model trust›, which has two numbers per position: assume a "
                "shape with ‹model pbm›");
  const Connectivity graph = paired_connectivity(log);
  model.components = graph.components;
  if (graph.components > 1)
    throw undetermined("no two documents, one of them clicked, connect", graph,
                       ", or fit ‹model pbm›");
}

// Without a document that was shown at two positions γ of dbn is not determined: with any other γ,
// α_d and σ_d at each position can be chosen so that all click vectors keep their probability.
void require_moved_documents(const Connectivity& graph) {
  const auto shown = static_cast<std::size_t>(
      std::count_if(graph.component.begin(), graph.component.end(),
                    [](std::uint32_t c) { return c != Connectivity::kNever; }));
  if (shown > 1 && graph.components == shown)
    throw Error(ErrorCode::data,
                "the log does not determine how many users give up at each position: no clicked "
                "document was shown at two positions. Show documents at several positions (swaps), "
                "or assume that none do with ‹model sdbn›");
}

}  // namespace

// The first position of each component, at 1 or as assumed.
Anchors choose_anchors(const Connectivity& graph, const ClickFitOptions& options,
                       ClickModel& model) {
  const std::size_t positions = graph.component.size();
  model.components = graph.components;
  model.assumed = graph.components > 1;
  if (model.assumed && options.assume.empty())
    throw undetermined("no clicked document connects", graph,
                       ", or assume a shape with ‹assume 1/p^1›");
  const double eta = options.assume.empty() ? 0 : parse_assumption(options.assume);
  Anchors anchors{std::vector<char>(positions, 0), {}};
  std::vector<char> anchored(graph.components, 0);
  for (std::size_t p = 0; p < positions; ++p) {
    anchors.values.push_back(math::pow(static_cast<double>(p + 1), -eta));
    const bool never = graph.component[p] == Connectivity::kNever;
    if (!never && anchored[graph.component[p]]) continue;
    if (!never) anchored[graph.component[p]] = 1;
    anchors.fixed[p] = 1;
  }
  return anchors;
}

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
      {"swap", Kind::harvest},  // other names
      {"ctr", Kind::ctr_rank},
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
  require_clicks(log);
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
    const Connectivity graph = connectivity(log);
    switch (options.model) {
      case ClickModelKind::pbm:
        fit_pbm(fitting, choose_anchors(graph, options, model), model);
        note_sparse(model, context);
        break;
      case ClickModelKind::harvest:
        fit_harvest(fitting, choose_anchors(graph, options, model), model);
        break;
      case ClickModelKind::trust:
        require_connected_pairs(log, options, model);
        fit_trust(fitting, context, model);
        break;
      case ClickModelKind::ubm:
        fit_ubm(fitting, context, model);
        break;
      case ClickModelKind::ctr_rank:
      case ClickModelKind::ctr_doc:
        fit_rates(fitting, model);
        break;
      default:
        if (options.model == ClickModelKind::dbn) require_moved_documents(graph);
        fit_chain(fitting, model);
    }
    if (model.components == 0) model.components = graph.components;
  }
  evaluate_click_model(log, model);
  return model;
}

}  // namespace podium
