// The logistic loss of soft labels: N_d (log(1 + e^{s_d}) − r_d s_d), for documents that are
// relevant with probability r_d, N_d times. Its minimum is σ(s) = r.
#pragma once

#include <memory>
#include <vector>

#include "clicks/click_weights.h"
#include "podium/loss.h"

namespace podium {

struct SoftLabels {
  std::vector<double> relevance, count;  // r and N of each document, by its number
};
SharedLoss posterior_loss(std::shared_ptr<const DocumentNumbers> numbers,
                          std::shared_ptr<const SoftLabels> labels);

}  // namespace podium
