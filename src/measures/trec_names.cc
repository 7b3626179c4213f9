// The table of trec_eval's measure families.
#include "measures/trec_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/text_scan.h"
#include "podium/measure.h"

namespace podium {
namespace {

enum class Parameter { none, count, fraction };

// A family of trec_eval's measures, and how a member is written in Podium: prefix, parameter,
// suffix.
struct Row {
  std::string_view trec;
  std::string_view prefix;  // including all choices that differ between conventions
  std::string_view suffix;
  Parameter parameter = Parameter::none;
  std::string_view usual = {};  // trec_eval's default list of parameters
};

constexpr std::string_view kCuts = "5,10,15,20,30,100,200,500,1000";
constexpr std::string_view kRecalls = "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0";
constexpr std::string_view kMultiples = "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0";

// In the order of `trec_eval -m all_trec`.
constexpr std::array kRows = {
    Row{"num_q", "NumQ", ""},
    Row{"num_ret", "NumRet", ""},
    Row{"num_rel", "NumRel", ""},
    Row{"num_rel_ret", "NumRelRet", ""},
    Row{"map", "AP", ""},
    Row{"gm_map", "GMAP", ""},
    Row{"Rprec", "Rprec", ""},
    Row{"bpref", "Bpref", ""},
    Row{"recip_rank", "RR", ""},
    Row{"iprec_at_recall", "IPrec@", "", Parameter::fraction, kRecalls},
    Row{"P", "P@", "", Parameter::count, kCuts},
    Row{"recall", "R@", "", Parameter::count, kCuts},
    Row{"infAP", "infAP", ""},
    Row{"gm_bpref", "GMBpref", ""},
    Row{"Rprec_mult", "Rprec(mult=", ")", Parameter::fraction, kMultiples},
    Row{"utility", "Utility", ""},
    Row{"11pt_avg", "IPrec11", ""},
    Row{"ndcg", "nDCG(gain=linear,discount=log2)", ""},
    Row{"ndcg_cut", "nDCG(gain=linear,discount=log2)@", "", Parameter::count, kCuts},
    Row{"map_cut", "AP(denominator=relevant)@", "", Parameter::count, kCuts},
    Row{"relative_P", "RelP@", "", Parameter::count, kCuts},
    Row{"success", "Success@", "", Parameter::count, "1,5,10"},
    Row{"set_P", "SetP", ""},
    Row{"set_relative_P", "SetRelP", ""},
    Row{"set_recall", "SetR", ""},
    Row{"set_map", "SetAP", ""},
    Row{"set_F", "SetF", ""},
    Row{"num_nonrel_judged_ret", "NumNonRelRet", ""},
    Row{"rbp", "RBP(p=0.9)", ""},
    Row{"unj", "Unjudged@", "", Parameter::count, "5,10,20"},
};

constexpr std::array<std::string_view, 11> kOfficial = {
    "num_q", "num_ret", "num_rel",    "num_rel_ret",     "map", "gm_map",
    "Rprec", "bpref",   "recip_rank", "iprec_at_recall", "P"};

// The parameter as trec_eval prints it after the name; "" if it is not valid.
std::string trec_parameter(Parameter kind, std::string_view text) {
  if (kind == Parameter::count) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool good = error == std::errc() && end == text.data() + text.size() && count > 0;
    return good ? fmt::format("{}", count) : "";
  }
  double fraction = 0;
  return parse_double(text, fraction) && std::isfinite(fraction) ? fmt::format("{:.2f}", fraction)
                                                                 : "";
}

const Row* find_row(std::string_view family) {
  for (const Row& row : kRows)
    if (row.trec == family) return &row;
  return nullptr;
}

void expand_row(const Row& row, std::string_view parameters, std::vector<std::string>& names) {
  if (row.parameter == Parameter::none) {
    names.emplace_back(row.trec);
    return;
  }
  while (!parameters.empty()) {
    const std::size_t comma = std::min(parameters.find(','), parameters.size());
    const std::string_view one = parameters.substr(0, comma);
    const std::string printed = trec_parameter(row.parameter, one);
    names.push_back(fmt::format("{}_{}", row.trec, printed.empty() ? std::string(one) : printed));
    parameters.remove_prefix(std::min(comma + 1, parameters.size()));
  }
}

}  // namespace

std::string from_trec_name(std::string_view name) {
  if (const Row* row = find_row(name); row && row->parameter == Parameter::none)
    return std::string(row->prefix);
  for (const Row& row : kRows) {
    if (row.parameter == Parameter::none || !name.starts_with(row.trec)) continue;
    const std::string_view rest = name.substr(row.trec.size());
    if (rest.size() < 2 || (rest[0] != '_' && rest[0] != '.')) continue;
    if (trec_parameter(row.parameter, rest.substr(1)).empty()) continue;
    return fmt::format("{}{}{}", row.prefix, rest.substr(1), row.suffix);
  }
  return {};
}

std::string trec_cut_name(std::string_view family, std::size_t depth) {
  return depth == Measure::kWholeList ? "" : fmt::format("{}_{}", family, depth);
}

std::string trec_fraction_name(std::string_view family, double fraction) {
  return std::isfinite(fraction) ? fmt::format("{}_{:.2f}", family, fraction) : "";
}

std::vector<std::string> expand_trec_name(std::string_view name) {
  std::vector<std::string> names;
  if (name == "all_trec") {
    for (const Row& row : kRows) expand_row(row, row.usual, names);
  } else if (name == "official") {
    for (const std::string_view family : kOfficial)
      expand_row(*find_row(family), find_row(family)->usual, names);
  } else if (const Row* row = find_row(name)) {
    expand_row(*row, row->usual, names);
  } else if (const std::size_t dot = name.find('.');
             dot != std::string_view::npos && find_row(name.substr(0, dot))) {
    expand_row(*find_row(name.substr(0, dot)), name.substr(dot + 1), names);
  } else {
    names.emplace_back(name);
  }
  return names;
}

}  // namespace podium
