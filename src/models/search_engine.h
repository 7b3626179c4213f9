// What the versions of search engines do with a feature that a document does not have. Their LTR
// plugins read the same files and score them differently.
//
// | engine | version | a missing value |
// | opensearch | up to 3.1 | is 0 |
// | | 3.3 to 3.7 | fails every `x < split_condition`, whatever `missing` says |
// | | from 3.8 on | goes to `missing` |
// | elasticsearch (the o19s plugin) | up to 8 | is 0 |
// | | from 9 on | goes to `missing` |
// | solr | up to 9.1 | is 0 |
// | | from 9.2 on | goes to the node's `missing`, if the model has isNullSameAsZero false |
//
// Sources: opensearch-learning-to-rank-base #200, #206, #286, #378, #379 and the notes of release
// 3.8; elasticsearch-learning-to-rank #481, #482 (merged in 2024; later builds for 8 have it, too);
// SOLR-16596. The threads disagree about OpenSearch 3.2, so it is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podium {

enum class MissingRule { split, zero, no };  // its branch; as 0; to where no test holds

struct SearchEngine {
  std::string name;         // as given, "opensearch:3.3"
  std::string_view format;  // in which models for it are exported
  MissingRule missing;
};
// NAME:VERSION; without a minor version, the last one. Error (usage) if unknown.
SearchEngine parse_search_engine(std::string_view target);

}  // namespace podium
