// The table of oracles. To add one, write a file with an Entry and add a line here.
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
