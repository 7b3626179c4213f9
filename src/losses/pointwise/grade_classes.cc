#include "losses/pointwise/grade_classes.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

void sort_distinct(std::vector<float>& grades) {
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
}

}  // namespace

std::vector<double> grade_classes(const Dataset& data, Communicator& comm, std::string_view loss) {
  const auto labels = data.labels();
  std::vector<float> mine(labels.begin(), labels.end()), all;
  sort_distinct(mine);
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    const std::size_t count = bytes.size() / sizeof(float), before = all.size();
    all.resize(before + count);
    if (count > 0) std::memcpy(all.data() + before, bytes.data(), count * sizeof(float));
  }
  sort_distinct(all);
  if (all.size() > kMaxClasses)
    throw Error(ErrorCode::training,
                fmt::format("loss '{}': the labels take {} different values and at most {} are "
                            "possible; round them, or use a loss that takes real labels",
                            loss, all.size(), kMaxClasses));
  if (all.empty()) all.push_back(0);
  return {all.begin(), all.end()};
}

std::size_t class_of(double grade, const std::vector<double>& classes) {
  return static_cast<std::size_t>(std::lower_bound(classes.begin(), classes.end(), grade) -
                                  classes.begin());
}

}  // namespace podium
