// The normalizers of Solr and of the LTR plugins: (x − offset) / divisor in single precision, taken
// into models over the features themselves.
#pragma once

#include <vector>

#include "models/importers/imported_tree.h"

namespace podium {

struct InputScaling {
  float offset = 0, divisor = 1;  // the divisor is positive

  bool is_identity() const noexcept { return offset == 0 && divisor == 1; }
  float of(float x) const noexcept { return (x - offset) / divisor; }
};

// Splits by scaled features become splits by the features: the largest x whose scaled value is at
// most the threshold. The value is monotone in x, in floats too.
void unscale(std::vector<ImportedTree>& trees, const std::vector<InputScaling>& scaling);
void unscale(Linear& linear, const std::vector<InputScaling>& scaling);

}  // namespace podium
