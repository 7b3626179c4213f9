#include "podium/rank_fusion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/output_file.h"
#include "data/formats/parse_error.h"
#include "measures/joined_runs.h"

namespace podium {
namespace {

constexpr std::size_t kTopicsPerChunk = 4;

// What one list adds to the scores of the topic's documents.
struct Share {
  std::vector<double> of_rank;  // one per document of the list
  double of_others = 0;         // for each document that is not in it
};

// Scores scaled to [0, 1]. Halving keeps differences of huge scores finite.
std::vector<double> scaled(const std::vector<JoinedTopic::Retrieved>& list) {
  const double lowest = list.back().score / 2, width = list.front().score / 2 - lowest;
  std::vector<double> values;
  for (const auto& one : list) values.push_back(width > 0 ? (one.score / 2 - lowest) / width : 1);
  return values;
}

Share share_of(const std::vector<JoinedTopic::Retrieved>& list, std::size_t documents,
               const FusionOptions& options) {
  if (options.method == FusionMethod::rrf || options.method == FusionMethod::borda) {
    const bool borda = options.method == FusionMethod::borda;
    Share share;
    for (std::size_t i = 0; i < list.size(); ++i)
      share.of_rank.push_back(borda ? static_cast<double>(documents - i)
                                    : 1 / (options.k + static_cast<double>(i + 1)));
    if (borda) share.of_others = static_cast<double>(documents - list.size() + 1) / 2;
    return share;
  }
  if (options.normalize == ScoreScaling::minmax) return {scaled(list)};
  Share share;
  for (const auto& one : list) share.of_rank.push_back(one.score);
  return share;
}

// Adds the parts in order of size, so that the order of the runs does not matter.
double sum(std::vector<double>& parts) {
  std::sort(parts.begin(), parts.end());
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

std::vector<double> scores_of(const JoinedTopic& topic, const FusionOptions& options) {
  std::vector<std::vector<double>> parts(topic.documents.size());
  for (const auto& list : topic.lists) {
    if (list.empty()) continue;
    const Share share = share_of(list, parts.size(), options);
    if (share.of_others > 0) {
      std::vector<char> is_listed(parts.size());
      for (const auto& one : list) is_listed[one.document] = 1;
      for (std::size_t d = 0; d < parts.size(); ++d)
        if (!is_listed[d]) parts[d].push_back(share.of_others);
    }
    for (std::size_t i = 0; i < list.size(); ++i)
      parts[list[i].document].push_back(share.of_rank[i]);
  }
  std::vector<double> scores;
  for (std::vector<double>& of_document : parts) {
    const double total = sum(of_document);
    const double lists =
        options.method == FusionMethod::combmnz ? static_cast<double>(of_document.size()) : 1;
    scores.push_back(lists * total);
  }
  return scores;
}

FusedTopic fuse_topic(std::string_view id, const JoinedTopic& topic, const FusionOptions& options) {
  const std::vector<double> scores = scores_of(topic, options);
  FusedTopic fused{std::string(id), {}};
  for (std::size_t d = topic.documents.size(); d-- > 0;) {  // descending ids
    const std::string_view document = topic.documents[d].id.text();
    if (!std::isfinite(scores[d]))
      throw Error(ErrorCode::data,
                  fmt::format("the scores of document '{}' of topic '{}' are too large to be added",
                              shortened(document), shortened(id)));
    fused.documents.push_back({std::string(document), scores[d]});
  }
  std::stable_sort(fused.documents.begin(), fused.documents.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return fused;
}

}  // namespace

const OptionTable<FusionOptions>& fusion_option_table() {
  using Options = FusionOptions;
  static const auto table =
      OptionTable<Options>()
          .add("method", &Options::method, "how runs are combined, see below",
               {{"combsum", FusionMethod::combsum},
                {"combmnz", FusionMethod::combmnz},
                {"rrf", FusionMethod::rrf},
                {"borda", FusionMethod::borda}})
          .add("normalize", &Options::normalize,
               "combsum, combmnz: rescale each run's scores per topic to [0, 1] first",
               {{"minmax", ScoreScaling::minmax}, {"none", ScoreScaling::none}})
          .add("k", &Options::k, "rrf: constant added to every rank", at_least(0))
          .add("depth", &Options::depth, "number of best documents to use per run and topic",
               between(1, 1'000'000'000));
  return table;
}

std::vector<FusedTopic> fuse(std::span<const TrecFile> runs, const FusionOptions& options,
                             Context& context) {
  if (runs.empty()) throw Error(ErrorCode::usage, "no runs are given");
  const JoinedRuns joined(runs, static_cast<std::size_t>(options.depth));
  std::vector<FusedTopic> fused(joined.topics());
  parallel_for(context.pool, fused.size(), kTopicsPerChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t t = begin; t < end; ++t)
                   fused[t] = fuse_topic(joined.topic(t), joined.join(t), options);
               });
  joined.refuse_changes();
  return fused;
}

void write_run(std::span<const FusedTopic> topics, std::string_view tag, const std::string& path) {
  OutputFile file(path);
  for (const FusedTopic& topic : topics)
    for (std::size_t i = 0; i < topic.documents.size(); ++i) {
      const auto& [id, score] = topic.documents[i];
      file.write(fmt::format("{} Q0 {} {} {} {}\n", topic.topic, id, i + 1, score, tag));
    }
  file.commit();
}

}  // namespace podium
