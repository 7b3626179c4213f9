// Models in other systems' formats, and other systems' models as Podium's. An export either scores
// every float32 input as the model does, up to the consumer's own arithmetic, or is refused with
// the reason; docs/guide/exporting.md lists what each format supports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

struct ExportOptions {
  std::string name = "podium";  // of the model, in formats that have one; C++: the namespace
  enum class Scores { any, nonnegative } scores = Scores::any;  // Lucene accepts none below 0
  // carry: keep each split's side for missing values, or refuse the model if that was learned from
  // the training data and the format, or the target, cannot. zero: trees take a missing value as 0.
  enum class Missing { carry, zero } missing = Missing::carry;
  // The search engine that reads the file, "opensearch:3.3": versions differ in what they do with
  // missing values. "": any, as the format says.
  std::string target = {};
};

struct ExportedModel {
  std::string format;
  std::string content;  // the bytes of the file
  double shift = 0;     // score of the file − score of the model
  // zero: missing values are treated as 0, regardless of the model, at the user's request.
  ExportOptions::Missing missing = ExportOptions::Missing::carry;
  std::string target = {};         // as in the options
  std::vector<std::string> notes;  // what the user should know
};

struct ExportFormat {
  std::string_view name, summary;
};
std::vector<ExportFormat> export_formats();

// The format in which models for a search engine are exported: "elasticsearch" for
// "opensearch:3.3". Error (usage) if it is unknown.
std::string format_of_target(std::string_view target);

// Throws an Error (data) with the reason if the format cannot represent the model.
ExportedModel export_model(const SavedModel& model, std::string_view format,
                           const ExportOptions& options = {});

// The result of reading an exported file back and scoring data with it. The reader is an
// interpreter of the format that shares no code with the writer, and adds in the consumer's
// precision. If the user asked to treat missing values as 0, the model does so too here.
struct ExportCheck {
  std::size_t documents = 0;
  double largest_score = 0;       // in magnitude, of the model
  double largest_difference = 0;  // between the file's score and the model's (+ shift)
  double tolerance = 0;           // the part explained by the consumer's precision
  std::size_t decisions = 0;      // trees × documents
  std::size_t changed_decisions = 0;
  std::size_t pairs = 0;          // of documents of one query with different scores
  std::size_t changed_pairs = 0;  // reversed or now tied, and further apart than the
                                  // tolerance
  std::size_t rounded_pairs = 0;  // the same, but no further apart

  bool holds() const noexcept {
    return largest_difference <= tolerance && changed_decisions == 0 && changed_pairs == 0;
  }
};
ExportCheck verify_export(const SavedModel& model, const ExportedModel& exported,
                          const Dataset& data, Context& context);

struct ImportOptions {
  // Other tools count columns from 0: LightGBM's Column_k, XGBoost's fk and the like become feature
  // k + first_feature.
  std::int64_t first_feature = 1;
  // The search engine that scores the model, for the treatment of missing values: "opensearch:3.3";
  // "": by the branch that the file names.
  std::string target = {};
};
struct ImportedModel {
  SavedModel model;
  std::vector<std::string> notes;
};
std::vector<std::string> import_formats();  // "lightgbm", "xgboost", …
// `file` is for messages. Error with its line on anything malformed, or that a Podium model cannot
// express.
ImportedModel import_model(std::string_view content, const std::string& file,
                           std::string_view format, const ImportOptions& options = {});

}  // namespace podium
