// Totals over the parts of all ranks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

struct ShareTotals {
  std::size_t documents = 0, queries = 0;
  std::uint64_t fingerprint = 0;  // Dataset::fingerprint of all queries

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.documents, self.queries, self.fingerprint);
  }
};
ShareTotals totals_of(const Dataset& share, Context& context);

}  // namespace podium
