// trec_eval's names of measures, as accepted by its option -m. For the names in its output see
// Measure::trec_name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

// "ndcg_cut_10" or "ndcg_cut.10" → "nDCG(gain=linear)@10"; "" if Podium lacks it.
std::string from_trec_name(std::string_view name);

// A name of trec_eval's option -m as names of single measures: "P" or "P.5,10" gives one per
// cut-off, "official" and "all_trec" give their lists in trec_eval's order. Unknown names are
// returned unchanged.
std::vector<std::string> expand_trec_name(std::string_view name);

// Parts of Measure::trec_name: "P_10", and "" without a cut-off.
std::string trec_cut_name(std::string_view family, std::size_t depth);
// "Rprec_mult_0.20".
std::string trec_fraction_name(std::string_view family, double fraction);

}  // namespace podium
