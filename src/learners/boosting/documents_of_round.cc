#include "learners/boosting/documents_of_round.h"

#include <numeric>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::size_t kSampledQueries = 256;            // per task
constexpr std::uint64_t kQuerySampling = 0x7175657279;  // a stream of its own

}  // namespace

std::optional<std::vector<std::uint32_t>> documents_of_round(const Dataset& data,
                                                             const BoostedLoss& loss,
                                                             double query_fraction,
                                                             std::int64_t round,
                                                             const Context& context) {
  if (query_fraction == 1 && loss.skipped() == 0) return {};
  const std::uint64_t draw = mix(context.seed ^ kQuerySampling, static_cast<std::uint64_t>(round));
  const auto drawn = [&](std::size_t q) {
    return loss.counts(q) &&
           (query_fraction == 1 || Random(draw, data.query_key(q)).uniform() < query_fraction);
  };
  std::vector<std::size_t> begin(data.queries() + 1);  // among the documents, of each query
  parallel_for(context.pool, data.queries(), kSampledQueries,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t q = first; q < last; ++q)
                   begin[q + 1] = drawn(q) ? data.end(q) - data.begin(q) : 0;
               });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> documents(begin.back());
  parallel_for(context.pool, data.queries(), kSampledQueries,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t q = first; q < last; ++q)
                   std::iota(documents.begin() + static_cast<std::ptrdiff_t>(begin[q]),
                             documents.begin() + static_cast<std::ptrdiff_t>(begin[q + 1]),
                             static_cast<std::uint32_t>(data.begin(q)));
               });
  return documents;
}

}  // namespace podium
