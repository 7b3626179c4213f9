// The oracles' options as values, for losses and learners that use them.
#pragma once

#include <cstdint>

#include "measures/choices.h"
#include "podium/options.h"
#include "podium/oracle.h"

namespace podium {

struct NdcgOracleOptions {
  std::int64_t k = kUsualRanks;
  RankDiscount discount = RankDiscount::log2;
};
const OptionTable<NdcgOracleOptions>& ndcg_oracle_table();

struct NdcgNcOracleOptions {
  RankDiscount discount = RankDiscount::log2;
};
const OptionTable<NdcgNcOracleOptions>& ndcg_nc_oracle_table();

enum class FeatureMap { topmost_good, all_pairs };  // φ_mrr, φ_po
const Choices<FeatureMap>& feature_maps();

struct ReciprocalRankOracleOptions {
  std::int64_t k = kUsualRanks;
  FeatureMap map = FeatureMap::topmost_good;
};
const OptionTable<ReciprocalRankOracleOptions>& reciprocal_rank_oracle_table();

// A(r): 1/sqrt(1 + r), 1/log2(2 + r), 1/(1 + r), 1 − r/cut.
enum class RankDecay { sqrt, log2, reciprocal, linear };
const Choices<RankDecay>& rank_decays();
const Choices<RankingOracle::Labels>& oracle_labels();

struct DormOracleOptions {
  std::int64_t k = kUsualRanks;
  RankDiscount discount = RankDiscount::log2;
  RankDecay decay = RankDecay::sqrt;
  std::int64_t cut = 30;
  RankingOracle::Labels labels = RankingOracle::Labels::graded;
  GradeGain gain = GradeGain::exp2;
};
const OptionTable<DormOracleOptions>& dorm_oracle_table();

}  // namespace podium
