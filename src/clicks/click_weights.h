// A loss on click weights: Σ_d W_d L(only d is relevant), and its form for comparisons of documents
// that were examined differently often. See podium/debiased.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clicks/id_table.h"
#include "podium/loss.h"

namespace podium {

// One number per document, found by ids: learners may train on parts of the data.
class DocumentNumbers {
 public:
  explicit DocumentNumbers(const Dataset& data);
  // The number of a document of some other data set; throws an Error if it is unknown.
  std::uint32_t of(const Dataset& data, std::size_t query, std::size_t document) const;

 private:
  IdTable<std::string> qids_, documents_;
};

SharedLoss click_weighted_loss(const SharedLoss& loss, const std::string& method,
                               std::shared_ptr<const DocumentNumbers> numbers,
                               std::shared_ptr<const std::vector<double>> weights);

// `weights`: clicks; `exposures`: how often each document was examined. A usage Error if the loss
// has no pairs.
SharedLoss overlap_loss(const SharedLoss& loss, std::shared_ptr<const DocumentNumbers> numbers,
                        std::shared_ptr<const std::vector<double>> weights,
                        std::shared_ptr<const std::vector<double>> exposures);

}  // namespace podium
