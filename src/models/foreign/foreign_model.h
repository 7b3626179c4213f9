// Readers of other systems' files that score as those systems do: same decisions, same precision.
// They share no code with the exporters, so that they check the content of a file independently.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

class ForeignModel {
 public:
  enum class Precision { single, twofold };

  virtual ~ForeignModel() = default;
  // The score of a document. Writes the value of each tree to `tree_values`, if there are trees.
  virtual double score(std::span<const float> features, std::vector<double>& tree_values) const = 0;
  // The precision in which the consumer adds.
  virtual Precision precision() const noexcept = 0;
};

// `features`: the names of the document's features, in order. Throws an Error (data) if the content
// does not have the format.
using ForeignReader = std::unique_ptr<const ForeignModel>(std::string_view content,
                                                          std::span<const std::string> features);
ForeignReader read_lightgbm_text;
ForeignReader read_xgboost_dump;
ForeignReader read_xgboost_model;
ForeignReader read_elasticsearch;
ForeignReader read_ranklib;
ForeignReader read_solr;
ForeignReader read_vespa;
ForeignReader read_onnx;
ForeignReader read_cpp_header;

}  // namespace podium
