#include "losses/device/device_loss.h"

#include <algorithm>

namespace podium {

DeviceLoss::DeviceLoss(const DeviceLossSite& site)
    : queue_(site.queue),
      begin_(site.queue, site.query_begin),
      counts_(site.queue, site.query_counts),
      values_(site.queue, site.queries()),
      host_values_(site.queries()) {
  if (site.row_order.empty()) return;
  std::vector<std::uint32_t> stored(site.row_order.size());
  for (std::size_t q = 0; q < site.queries(); ++q)
    for (std::uint64_t row = site.query_begin[q]; row < site.query_begin[q + 1]; ++row)
      stored[row] = static_cast<std::uint32_t>(site.query_begin[q] + site.row_order[row]);
  stored_ = DeviceArray<std::uint32_t>(queue_, std::span<const std::uint32_t>(stored));
}

ExactSum DeviceLoss::evaluate(const At& at) {
  launch({.begin = begin_.data(),
          .stored = stored_.data(),
          .count = counts_.data(),
          .value = values_.data(),
          .scores = at.scores,
          .first = at.first,
          .second = at.second});
  values_.download(host_values_);
  ExactSum sum;
  for (const double value : host_values_) sum += value;
  return sum;
}

std::vector<std::vector<std::uint32_t>> queries_by_length(
    std::span<const std::uint64_t> query_begin, std::span<const std::uint32_t> queries,
    std::span<const std::size_t> limits) {
  const auto length = [&](std::uint32_t q) { return query_begin[q + 1] - query_begin[q]; };
  std::vector<std::vector<std::uint32_t>> classes(limits.size() + 1);
  for (const std::uint32_t q : queries) {
    const auto limit = std::lower_bound(limits.begin(), limits.end(), length(q));
    classes[static_cast<std::size_t>(limit - limits.begin())].push_back(q);
  }
  for (auto& one : classes)
    std::stable_sort(one.begin(), one.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
  return classes;
}

}  // namespace podium
