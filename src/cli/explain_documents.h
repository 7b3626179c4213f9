// The parts of `podium explain --query`: the explanation as text, as JSON, and as a page.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "podium/explain.h"

namespace podium::cli {

struct ExplainedDocument {
  std::string id;  // the data's, or the document's position in the query, counted from 1
  float label = 0;
  std::size_t place = 0;      // in the query, counted from 1
  std::vector<float> values;  // one per feature, as in the data
  Explanation explanation;
};

struct ExplainedQuery {
  std::string model, learner, method, query;
  std::vector<std::string> features;
  FeatureSchema schema;                                     // of the documents' values
  std::size_t of = 0;                                       // documents of the query
  std::vector<ExplainedDocument> documents;                 // best first, perhaps not all
  std::optional<std::pair<std::size_t, std::size_t>> pair;  // indices of the two to compare
};

// `shown`: the number of features per document.
std::string explained_text(const ExplainedQuery& query, std::size_t shown);
Json explained_json(const ExplainedQuery& query);
// A self-contained HTML file.
std::string to_page(const ExplainedQuery& query);

}  // namespace podium::cli
