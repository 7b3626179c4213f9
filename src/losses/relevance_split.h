// Which documents of each query are good (grade ≥ relevant-from) and which bad, for binary losses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

class RelevanceSplit {
 public:
  RelevanceSplit(const Dataset& data, double relevant_from);

  std::span<const std::uint32_t> good(std::size_t q) const {
    return std::span(documents_).subspan(begin_[q], goods_[q]);
  }
  std::span<const std::uint32_t> bad(std::size_t q) const {
    return std::span(documents_)
        .subspan(begin_[q] + goods_[q], begin_[q + 1] - begin_[q] - goods_[q]);
  }
  bool informative(std::size_t q) const {
    return goods_[q] > 0 && goods_[q] < begin_[q + 1] - begin_[q];
  }

 private:
  std::vector<std::uint32_t> documents_;  // positions within the query: the goods, then the bads
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> goods_;
};

// For the option `relevant-from` that binary losses share.
constexpr const char* kRelevantFromHelp = "lowest grade that counts as relevant";

}  // namespace podium
