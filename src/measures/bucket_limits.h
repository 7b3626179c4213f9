// Which buckets labels may be divided into: as many as there can be grades (kHighestGrade).
#pragma once

#include <span>
#include <string>

namespace podium {

// Empty, or what `count` should be: "a number of buckets from 2 to 32".
std::string bucket_count_problem(double count);
// Empty, or one line that says what is wrong with the edges.
std::string label_edges_problem(std::span<const float> edges);

}  // namespace podium
