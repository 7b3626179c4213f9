// A list of measures as users write it: "nDCG@10, AP(rel=2,…), P.5,10".
#pragma once

#include <string_view>
#include <vector>

namespace podium {

// The items between commas outside parentheses, without white space around them; empty ones are
// left out, and a list without any is an Error.
std::vector<std::string_view> split_measure_list(std::string_view list);

// The same where items may be trec_eval's, whose cut-offs have commas between them too: what begins
// with a digit continues the previous item, "P.5,10,map" is "P.5,10" and "map".
std::vector<std::string_view> split_trec_measure_list(std::string_view list);

}  // namespace podium
