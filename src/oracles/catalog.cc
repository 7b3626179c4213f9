// The table of oracles. A new one: one file with an Entry, one line here.
#include "oracles/catalog.h"

#include <array>

namespace podium {

const Catalog<RankingOracle>& oracles() {
  static const std::array<const Entry<RankingOracle>*, 6> entries = {
      &kAucOracle,    &kAveragePrecisionOracle, &kNdcgOracle,
      &kNdcgNcOracle, &kReciprocalRankOracle,   &kDormOracle,
  };
  static const Catalog<RankingOracle> catalog("oracle", entries);
  return catalog;
}

}  // namespace podium
