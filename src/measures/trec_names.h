// trec_eval's names of measures, as its option -m takes them. What a measure is called in its
// output says Measure::trec_name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

// "ndcg_cut_10" or "ndcg_cut.10" → "nDCG(gain=linear)@10"; "" when it is none that Podium has.
std::string from_trec_name(std::string_view name);

// A name of trec_eval's -m option as names of single measures: "P" or "P.5,10" gives one a cut-off,
// "official" and "all_trec" give their lists in trec_eval's order. Unknown names come back as they
// are.
std::vector<std::string> expand_trec_name(std::string_view name);

// The pieces of Measure::trec_name: "P_10", and "" without a cut-off.
std::string trec_cut_name(std::string_view family, std::size_t depth);
// "Rprec_mult_0.20".
std::string trec_fraction_name(std::string_view family, double fraction);

}  // namespace podium
