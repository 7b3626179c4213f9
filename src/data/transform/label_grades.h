// Grades from labels, without a data set: see bucket_labels() and fit_label_edges() in
// podium/transform.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace podium {

std::vector<float> label_grades(std::span<const float> labels, std::span<const float> edges);
std::vector<float> edges_of_labels(std::span<const float> labels, std::size_t buckets);

}  // namespace podium
