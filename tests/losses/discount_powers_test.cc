#include "losses/listwise/discount_powers.h"

#include <cmath>

#include <gtest/gtest.h>

namespace podium::discount_powers_test {
namespace {

TEST(DiscountPowers, AddUpToTheDiscount) {
  for (const std::size_t ranks : {1UL, 10UL, 300UL, 20000UL, 1000000UL}) {
    const DiscountPowers powers = discount_powers(ranks);
    EXPECT_LT(powers.terms.size(), 140U);
    for (std::size_t r = 0; r < ranks; r += 1 + r / 8) {
      const auto rank = static_cast<double>(r);
      double sum = powers.constant + powers.linear * rank;
      for (const auto& [weight, rate] : powers.terms) {
        EXPECT_GT(weight, 0);
        sum += weight * std::exp(-rate * rank);
      }
      EXPECT_NEAR(sum, 1 / std::log2(rank + 2), 3e-14) << "rank " << r << " of " << ranks;
    }
  }
}

}  // namespace
}  // namespace podium::discount_powers_test
