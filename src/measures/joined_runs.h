// Joins the topics of several runs: for every topic the union of the best documents of each run,
// ranked as in trec_eval (by score, ties by descending document id; the rank column is ignored).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "measures/document_table.h"
#include "measures/trec_content.h"
#include "podium/trec.h"

namespace podium {

// One topic. A list is a run's best documents, best first; it is empty if the run lacks the topic.
struct JoinedTopic {
  struct Retrieved {
    std::uint32_t document;  // index in `documents`
    double score;
    TrecId id;  // in that run's text
  };

  std::vector<TrecDocument> documents;  // of all lists, ascending by id
  std::vector<std::vector<Retrieved>> lists;
};

class JoinedRuns {
 public:
  // Only the `depth` best documents of each topic of a run count, as if its list ended there.
  JoinedRuns(std::span<const TrecFile> runs, std::size_t depth);

  std::size_t topics() const noexcept { return topics_.size(); }  // in at least one run; ascending
  std::string_view topic(std::size_t t) const { return topics_[t].id; }
  JoinedTopic join(std::size_t t) const;
  // Throws an Error if another process wrote to one of the files since it was opened.
  void refuse_changes() const;

 private:
  struct Topic {
    std::string_view id;
    std::vector<const TrecContent::Topic*> of_run;  // null: the run lacks it
  };

  std::span<const TrecFile> runs_;
  std::size_t depth_;
  std::vector<Topic> topics_;
};

}  // namespace podium
