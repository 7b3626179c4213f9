// trec_eval's names of measures and ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podium {

// "ndcg_cut_10" or "ndcg_cut.10" → "nDCG(gain=linear)@10"; "" when it is none that Podium has.
std::string from_trec_name(std::string_view name);

// "nDCG@10", as measure_label prints it under the trec convention → "ndcg_cut_10"; else "".
std::string to_trec_name(std::string_view label);

// A name of trec_eval's -m option as names of single measures: "P" or "P.5,10" gives one a cut-off,
// "official" and "all_trec" give their lists in trec_eval's order. Unknown names come back as they
// are.
std::vector<std::string> expand_trec_name(std::string_view name);

}  // namespace podium
