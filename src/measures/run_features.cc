#include "podium/run_features.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "data/formats/parse_error.h"
#include "measures/joined_runs.h"

namespace podium {
namespace {

constexpr std::size_t kFeatureTopicsPerChunk = 4;

// The documents of one topic that become rows.
struct TopicRows {
  std::vector<std::string> docids;
  std::vector<float> labels;
  std::vector<float> values;  // documents × features
  std::size_t unjudged = 0;
};

// The grades of a topic's documents; NaN: not judged.
std::vector<float> grades_of(const std::vector<TrecDocument>& documents,
                             const std::vector<TrecDocument>& judged) {
  DocumentTable table;
  table.reset(judged.size());
  for (std::uint32_t j = 0; j < judged.size(); ++j)
    table.find_or_insert(judged[j].hash, j, [](std::uint32_t) { return false; });
  std::vector<float> grades;
  for (const TrecDocument& document : documents) {
    const std::uint32_t j = table.find(document.hash, [&](std::uint32_t other) {
      return judged[other].id.text() == document.id.text();
    });
    const bool known = j != DocumentTable::kNone && judged[j].value >= 0;
    grades.push_back(known ? static_cast<float>(judged[j].value)
                           : std::numeric_limits<float>::quiet_NaN());
  }
  return grades;
}

class RowMaker {
 public:
  RowMaker(std::span<const TrecFile> runs, const RunFeatureOptions& options)
      : runs_(runs), options_(options), features_(runs.size() * (options.indicators ? 2 : 1)) {}

  std::size_t features() const noexcept { return features_; }

  // `judged` null: there are no judgements.
  TopicRows rows(const JoinedTopic& topic, const std::vector<TrecDocument>* judged) const {
    const std::vector<float> values = values_of(topic);
    const auto grades =
        judged ? grades_of(topic.documents, *judged) : std::vector<float>(topic.documents.size());
    TopicRows rows;
    for (std::size_t d = 0; d < topic.documents.size(); ++d) {
      const bool unjudged = std::isnan(grades[d]);
      rows.unjudged += unjudged;
      if (unjudged && options_.unjudged == UnjudgedDocuments::drop) continue;
      rows.docids.emplace_back(topic.documents[d].id.text());
      rows.labels.push_back(unjudged ? 0 : grades[d]);
      const auto row = std::span(values).subspan(d * features_, features_);
      rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
    return rows;
  }

 private:
  std::vector<float> values_of(const JoinedTopic& topic) const {
    const std::size_t documents = topic.documents.size();
    std::vector<float> values(documents * features_);
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const auto& list = topic.lists[r];
      if (const float missing = missing_score(list, r); missing != 0)
        for (std::size_t d = 0; d < documents; ++d) values[d * features_ + r] = missing;
      for (const JoinedTopic::Retrieved& one : list) {
        float* const row = values.data() + one.document * features_;
        row[r] = as_feature(one, r);
        if (options_.indicators) row[runs_.size() + r] = 1;
      }
    }
    return values;
  }

  float missing_score(std::span<const JoinedTopic::Retrieved> list, std::size_t run) const {
    if (options_.missing_scores == MissingScores::nan)
      return std::numeric_limits<float>::quiet_NaN();
    if (options_.missing_scores == MissingScores::zero || list.empty()) return 0;
    return as_feature(list.back(), run);
  }

  float as_feature(const JoinedTopic::Retrieved& one, std::size_t run) const {
    if (std::abs(one.score) > static_cast<double>(std::numeric_limits<float>::max())) {
      const TrecContent& content = runs_[run].content();
      throw Error(ErrorCode::data,
                  fmt::format("the score {} of document '{}' is too large for a feature", one.score,
                              shortened(one.id.text())),
                  {content.path, content.line_of(one.id.begin)});
    }
    return static_cast<float>(one.score);
  }

  std::span<const TrecFile> runs_;
  const RunFeatureOptions& options_;
  std::size_t features_;
};

// The topics of the runs that become queries, with their judgements (null: none).
struct Chosen {
  std::size_t topic;
  const TrecContent::Topic* judged;
};
std::vector<Chosen> choose_topics(const JoinedRuns& joined, const std::optional<TrecFile>& qrels,
                                  RunFeatures& out) {
  std::vector<Chosen> chosen;
  for (std::size_t t = 0; t < joined.topics(); ++t) {
    if (!qrels) {
      chosen.push_back({t, nullptr});
      continue;
    }
    const auto& judged = qrels->content().topics;
    const auto found = std::lower_bound(judged.begin(), judged.end(), joined.topic(t),
                                        [](const auto& a, auto id) { return a.id < id; });
    if (found != judged.end() && found->id == joined.topic(t))
      chosen.push_back({t, &*found});
    else
      ++out.unjudged_topics;
  }
  if (qrels) out.judged_topics_apart = qrels->topics() - chosen.size();
  return chosen;
}

std::vector<std::string> feature_names(std::span<const TrecFile> runs, bool indicators) {
  std::vector<std::string> names = run_names(runs);
  if (!indicators) return names;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::string name = "in_" + names[r];
    while (std::find(names.begin(), names.end(), name) != names.end()) name = "in_" + name;
    names.push_back(std::move(name));
  }
  return names;
}

Dataset to_dataset(std::vector<TopicRows> topics, std::span<const Chosen> chosen,
                   const JoinedRuns& joined, std::vector<std::string> names) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids, docids;
  std::vector<float> labels, values;
  for (std::size_t q = 0; q < topics.size(); ++q) {
    TopicRows rows = std::move(topics[q]);
    if (rows.labels.empty()) continue;
    qids.emplace_back(joined.topic(chosen[q].topic));
    begin.push_back(begin.back() + rows.labels.size());
    labels.insert(labels.end(), rows.labels.begin(), rows.labels.end());
    values.insert(values.end(), rows.values.begin(), rows.values.end());
    std::move(rows.docids.begin(), rows.docids.end(), std::back_inserter(docids));
  }
  DatasetParts parts;
  parts.features = names.size();
  parts.feature_names = std::move(names);
  parts.query_begin = std::move(begin);
  parts.qids = make_strings(qids);
  parts.docids = make_strings(docids);
  parts.labels = std::move(labels);
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

}  // namespace

const OptionTable<RunFeatureOptions>& run_feature_option_table() {
  using Options = RunFeatureOptions;
  static const auto table =
      OptionTable<Options>()
          .add("depth", &Options::depth, "number of best documents to use per run and topic",
               between(1, 1'000'000'000))
          .add("missing-scores", &Options::missing_scores,
               "score of a document that is not among a run's best: the lowest of those (0 if the "
               "run lacks the topic), 0, or a missing value",
               {{"minimum", MissingScores::minimum},
                {"zero", MissingScores::zero},
                {"nan", MissingScores::nan}})
          .add("indicators", &Options::indicators,
               "add a feature in_NAME for each run: 1 where the document is among its best, else 0")
          .add("unjudged", &Options::unjudged,
               "documents without a judgement, or with a negative grade: label 0, or left out",
               {{"zero", UnjudgedDocuments::zero}, {"drop", UnjudgedDocuments::drop}});
  return table;
}

RunFeatures run_features(std::span<const TrecFile> runs, const std::optional<TrecFile>& qrels,
                         const RunFeatureOptions& options, Context& context) {
  if (runs.empty()) throw Error(ErrorCode::usage, "no runs are given");
  const JoinedRuns joined(runs, static_cast<std::size_t>(options.depth));
  const RowMaker maker(runs, options);
  RunFeatures out;
  const std::vector<Chosen> chosen = choose_topics(joined, qrels, out);
  std::vector<TopicRows> topics(chosen.size());
  parallel_for(context.pool, chosen.size(), kFeatureTopicsPerChunk,
               [&](std::size_t begin, std::size_t end) {
                 std::vector<TrecDocument> judged;
                 for (std::size_t q = begin; q < end; ++q) {
                   if (qrels) qrels->content().gather(*chosen[q].judged, judged);
                   topics[q] = maker.rows(joined.join(chosen[q].topic), qrels ? &judged : nullptr);
                 }
               });
  for (const TopicRows& rows : topics) {
    out.unjudged_documents += rows.unjudged;
    out.unjudged_topics += rows.labels.empty();
  }
  out.data = to_dataset(std::move(topics), chosen, joined, feature_names(runs, options.indicators));
  joined.refuse_changes();
  if (qrels) qrels->content().refuse_changes();
  if (out.data.documents() == 0)
    throw Error(ErrorCode::data,
                chosen.empty() ? "no topic of the runs is judged here"
                               : "no document of the runs is judged here",
                qrels ? Place{qrels->path(), 0} : Place{});
  return out;
}

}  // namespace podium
