#include "data/equal_weights.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace podium {
namespace {

struct WeightRange {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();

  void add(const WeightRange& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  bool has_one_positive_weight() const { return low == high && low > 0; }
};

struct WeightRanges {
  WeightRange queries, documents;
};

// `count` weights, each 1 if there are none.
WeightRange range_of(const Buffer<float>& weights, std::size_t count) {
  if (count == 0) return {};
  if (weights.empty()) return {1, 1};
  const auto all = weights.view();
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return {*low, *high};
}

// Over all ranks.
WeightRanges weight_ranges(const Dataset& data, Communicator& comm) {
  WeightRanges ranges{range_of(data.parts().query_weights, data.queries()),
                      range_of(data.parts().document_weights, data.documents())};
  if (comm.size() == 1) return ranges;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(&ranges, 1)))) {
    WeightRanges part;
    std::memcpy(&part, bytes.data(), sizeof(part));
    ranges.queries.add(part.queries);
    ranges.documents.add(part.documents);
  }
  return ranges;
}

}  // namespace

Dataset without_equal_weights(const Dataset& data, Communicator& comm) {
  const auto [queries, documents] = weight_ranges(data, comm);
  const bool drops_queries =
      !data.parts().query_weights.empty() && queries.has_one_positive_weight();
  const bool drops_documents =
      !data.parts().document_weights.empty() && documents.low == 1 && documents.high == 1;
  if (!drops_queries && !drops_documents) return data;
  DatasetParts parts = data.parts();
  if (drops_queries) parts.query_weights = {};
  if (drops_documents) parts.document_weights = {};
  return Dataset(std::move(parts));
}

}  // namespace podium
