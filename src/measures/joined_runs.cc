#include "measures/joined_runs.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace podium {
namespace {

// The `depth` best, best first.
void keep_best(std::vector<TrecDocument>& documents, std::size_t depth) {
  const auto better = [](const TrecDocument& a, const TrecDocument& b) {
    return a.value != b.value ? a.value > b.value : a.id.text() > b.id.text();
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(depth, documents.size()));
  std::partial_sort(documents.begin(), documents.begin() + kept, documents.end(), better);
  documents.erase(documents.begin() + kept, documents.end());
}

// Sorts documents by ascending id, and updates their indices in the lists.
void sort_documents(JoinedTopic& topic) {
  std::vector<std::uint32_t> order(topic.documents.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return topic.documents[a].id.text() < topic.documents[b].id.text();
  });
  std::vector<TrecDocument> sorted;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t p = 0; p < order.size(); ++p) {
    sorted.push_back(topic.documents[order[p]]);
    place[order[p]] = p;
  }
  topic.documents = std::move(sorted);
  for (auto& list : topic.lists)
    for (JoinedTopic::Retrieved& one : list) one.document = place[one.document];
}

}  // namespace

JoinedRuns::JoinedRuns(std::span<const TrecFile> runs, std::size_t depth)
    : runs_(runs), depth_(depth) {
  std::map<std::string_view, std::vector<const TrecContent::Topic*>> topics;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const TrecContent::Topic& topic : runs[r].content().topics) {
      auto& of_run = topics[topic.id];
      of_run.resize(runs.size());
      of_run[r] = &topic;
    }
  for (auto& [id, of_run] : topics) topics_.push_back({id, std::move(of_run)});
}

JoinedTopic JoinedRuns::join(std::size_t t) const {
  std::vector<std::vector<TrecDocument>> best(runs_.size());
  std::size_t count = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (!topics_[t].of_run[r]) continue;
    runs_[r].content().gather(*topics_[t].of_run[r], best[r]);
    keep_best(best[r], depth_);
    count += best[r].size();
  }
  JoinedTopic joined;
  DocumentTable table;
  table.reset(count);
  joined.lists.resize(runs_.size());
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (const TrecDocument& document : best[r]) {
      const auto next = static_cast<std::uint32_t>(joined.documents.size());
      std::uint32_t place = table.find_or_insert(document.hash, next, [&](std::uint32_t other) {
        return joined.documents[other].id.text() == document.id.text();
      });
      if (place == DocumentTable::kNone) {
        place = next;
        joined.documents.push_back(document);
      }
      joined.lists[r].push_back({place, document.value, document.id});
    }
  sort_documents(joined);
  return joined;
}

void JoinedRuns::refuse_changes() const {
  for (const TrecFile& run : runs_) run.content().refuse_changes();
}

}  // namespace podium
