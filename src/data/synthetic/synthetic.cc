// Generates synthetic queries. Query q, counted from 0, has qid q + 1 and documents d<q + 1>-1, -2,
// … on hosts h<q + 1>-1, … It draws its length, traits and grades from stream 4q, its features from
// 4q + 1, its clicks from 4q + 2 and its hosts from 4q + 3: grades do not depend on the number of
// features, the documents of the clicks preset are those of the plain one, and hosts change nothing
// else.
#include "podium/synthetic.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/synthetic/shop.h"
#include "data/synthetic/synthetic_features.h"
#include "data/synthetic/synthetic_model.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kQueriesAChunk = 8;

class Generator {
 public:
  Generator(const SyntheticOptions& resolved, std::uint64_t seed)
      : options_(resolved), seed_(seed), thresholds_(grade_thresholds(resolved)), view_(resolved) {}

  std::size_t length(std::uint64_t q) const {
    Random random(seed_, 4 * q);
    return draw_list_length(options_, random);
  }

  struct Out {
    std::span<float> labels, features;
    std::span<std::int32_t> positions;  // empty without clicks
    std::span<std::size_t> hosts;       // empty without hosts
  };
  void write(std::uint64_t q, Out out) const {
    Random random(seed_, 4 * q), feature_random(seed_, 4 * q + 1);
    std::vector<SyntheticDocument> documents(draw_list_length(options_, random));
    const SyntheticQuery query = draw_query(random);
    std::vector<int> grades;
    for (SyntheticDocument& document : documents) {
      document = draw_document(query, random);
      const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), document.quality);
      grades.push_back(static_cast<int>(above - thresholds_.begin()));
    }
    view_.write(query, documents, feature_random, out.features);
    if (!out.hosts.empty()) {
      Random host_random(seed_, 4 * q + 3);
      const auto hosts = draw_hosts(documents, options_.hosts, host_random);
      std::copy(hosts.begin(), hosts.end(), out.hosts.begin());
    }
    if (out.positions.empty()) {
      std::copy(grades.begin(), grades.end(), out.labels.begin());
      return;
    }
    Random click_random(seed_, 4 * q + 2);
    const Session session = draw_session(documents, grades, options_.grades, click_random);
    std::copy(session.clicked.begin(), session.clicked.end(), out.labels.begin());
    std::copy(session.positions.begin(), session.positions.end(), out.positions.begin());
  }

 private:
  SyntheticOptions options_;
  std::uint64_t seed_;
  std::vector<double> thresholds_;
  FeatureView view_;
};

struct Names {
  std::vector<std::string> qids, docids, hosts;
};

Names make_names(std::uint64_t first, const std::vector<std::uint64_t>& query_begin,
                 std::span<const std::size_t> hosts) {
  Names names;
  for (std::size_t i = 0; i + 1 < query_begin.size(); ++i) {
    names.qids.push_back(fmt::format("{}", first + i + 1));
    for (std::uint64_t d = query_begin[i]; d < query_begin[i + 1]; ++d) {
      names.docids.push_back(fmt::format("d{}-{}", first + i + 1, d - query_begin[i] + 1));
      if (!hosts.empty()) names.hosts.push_back(fmt::format("h{}-{}", first + i + 1, hosts[d] + 1));
    }
  }
  return names;
}

}  // namespace

Dataset make_synthetic(const SyntheticOptions& options, std::uint64_t first, std::uint64_t last,
                       Context& context) {
  const SyntheticOptions resolved = resolve(options);
  if (first > last || last > static_cast<std::uint64_t>(resolved.queries))
    throw Error(ErrorCode::usage, fmt::format("there are no queries {} to {} among {}", first, last,
                                              resolved.queries));
  if (resolved.preset == SyntheticPreset::shop) return make_shop(resolved, first, last, context);
  const Generator generator(resolved, context.seed);
  std::vector<std::uint64_t> query_begin = {0};
  for (std::uint64_t q = first; q < last; ++q)
    query_begin.push_back(query_begin.back() + generator.length(q));

  const auto features = static_cast<std::size_t>(resolved.features);
  const std::size_t documents = query_begin.back();
  std::vector<float> labels(documents), dense(documents * features);
  std::vector<std::int32_t> positions(resolved.preset == SyntheticPreset::clicks ? documents : 0);
  std::vector<std::size_t> hosts(resolved.hosts > 0 ? documents : 0);
  parallel_for(context.pool, last - first, kQueriesAChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t d = query_begin[i], n = query_begin[i + 1] - d;
      generator.write(
          first + i,
          {std::span(labels).subspan(d, n), std::span(dense).subspan(d * features, n * features),
           positions.empty() ? std::span<std::int32_t>() : std::span(positions).subspan(d, n),
           hosts.empty() ? std::span<std::size_t>() : std::span(hosts).subspan(d, n)});
    }
  });

  const Names names = make_names(first, query_begin, hosts);
  DatasetParts parts;
  parts.query_begin = std::move(query_begin);
  parts.labels = std::move(labels);
  parts.qids = make_strings(names.qids);
  parts.features = features;
  parts.dense = std::move(dense);
  parts.docids = make_strings(names.docids);
  if (!hosts.empty()) parts.hosts = make_strings(names.hosts);
  parts.positions = std::move(positions);
  return Dataset(std::move(parts));
}

Dataset make_synthetic(const SyntheticOptions& options, Context& context) {
  return make_synthetic(options, 0, static_cast<std::uint64_t>(resolve(options).queries), context);
}

}  // namespace podium
