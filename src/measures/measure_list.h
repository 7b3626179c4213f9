// A list of measures as users write it: "nDCG@10, AP(rel=2,…), P.5,10".
#pragma once

#include <string_view>
#include <vector>

namespace podium {

// The items between commas outside parentheses, without surrounding white space; empty ones are
// left out, and an empty list is an Error.
std::vector<std::string_view> split_measure_list(std::string_view list);

// The same for lists that may have names of trec_eval, whose cut-offs are separated by commas too:
// an item that begins with a digit continues the previous one, so "P.5,10,map" is "P.5,10" and
// "map".
std::vector<std::string_view> split_trec_measure_list(std::string_view list);

}  // namespace podium
