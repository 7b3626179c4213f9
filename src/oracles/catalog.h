// The rows of the table of oracles, each defined in the file of its name.
#pragma once

#include "podium/oracle.h"

namespace podium {

extern const Entry<RankingOracle> kAucOracle;
extern const Entry<RankingOracle> kAveragePrecisionOracle;
extern const Entry<RankingOracle> kNdcgOracle;
extern const Entry<RankingOracle> kNdcgNcOracle;
extern const Entry<RankingOracle> kReciprocalRankOracle;
extern const Entry<RankingOracle> kDormOracle;

}  // namespace podium
