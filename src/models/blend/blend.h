// Blends: s(x) = Σ weight / scale · s_m(x), where each member finds its features by name and
// applies its own transform.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

// Data with the blend's features by name. Members are added in their order.
std::vector<double> score(const Blend& blend, const Dataset& data, Context& context);

// See importance() and split_counts() in podium/model.h.
std::vector<double> blended_importance(const Blend& blend);
std::vector<double> blended_split_counts(const Blend& blend);

// Where the blend has each feature of a member, which must be among its features.
std::vector<std::size_t> find_columns(const std::vector<std::string>& blend,
                                      const std::vector<std::string>& member);
// The same; empty if the member has the blend's features in the same order.
std::vector<std::size_t> member_columns(const std::vector<std::string>& blend,
                                        const std::vector<std::string>& member);
// Data with these columns only, under new names; the data itself if there are none.
Dataset with_columns(const Dataset& data, std::span<const std::size_t> columns,
                     const std::vector<std::string>& names);

// sum += factor · scores
void add_scaled(double factor, std::span<const double> scores, std::vector<double>& sum);

}  // namespace podium
