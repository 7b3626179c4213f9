// Jumps of several ranks: finds the same piece as one process, without sending them all.
#include "line_search/jump_merge.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::jump_merge_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

JumpLists random_jumps(std::size_t lists, std::size_t length, std::uint64_t seed) {
  Random random(seed);
  JumpLists jumps(lists);
  for (auto& list : jumps)
    for (std::size_t i = 0; i < length; ++i) {
      // Places near 0, far away, and shared by several jumps.
      const double u = 2 * random.uniform() - 1;
      const double alpha = i % 3 ? u / (1.0001 - std::abs(u)) : std::round(40 * u) / 8;
      list.push_back({alpha, (static_cast<std::int64_t>(random.below(41)) - 20) << kStepBits});
    }
  return jumps;
}

TEST(JumpMerge, RanksFindTheSamePieceAsOneProcess) {
  for (const std::size_t length : {0U, 30U, 2000U, 20000U}) {
    const JumpLists all = random_jumps(7, length, 5 + length);
    const auto alone = make_local_communicator();
    const LineEnds ends{-kInfinity, kInfinity, 0.3};
    const FixedPiece best = best_piece(all, 1000, ends, *alone);
    const auto pieces = all_pieces(all, 1000, ends, *alone);
    run_in_threads(3, [&](Communicator& comm) {
      JumpLists mine;  // the second rank has none
      for (std::size_t k = 0; k < all.size(); ++k)
        if (comm.rank() == (k < 2 ? 0 : 2)) mine.push_back(all[k]);
      const FixedPiece found = best_piece(mine, 1000, ends, comm);
      EXPECT_EQ(found.low, best.low) << length;
      EXPECT_EQ(found.high, best.high);
      EXPECT_EQ(found.value, best.value);
      EXPECT_EQ(all_pieces(mine, 1000, ends, comm).size(), pieces.size());
    });
  }
}

// Counts the bytes that a rank sends.
class Counting final : public Communicator {
 public:
  explicit Counting(Communicator& inner) : inner_(inner) {}
  int rank() const noexcept override { return inner_.rank(); }
  int size() const noexcept override { return inner_.size(); }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override {
    bytes += mine.size();
    return inner_.all_gather(mine);
  }
  std::size_t bytes = 0;

 private:
  Communicator& inner_;
};

TEST(JumpMerge, MostJumpsAreNotSent) {
  const JumpLists all = random_jumps(6, 50000, 3);
  run_in_threads(3, [&](Communicator& group) {
    Counting comm(group);
    const auto rank = static_cast<std::size_t>(comm.rank());
    const JumpLists mine = {all[2 * rank], all[2 * rank + 1]};
    best_piece(mine, 0, {-kInfinity, kInfinity, 0}, comm);
    const std::size_t all_of_mine = 2 * 50000 * sizeof(Jump);
    EXPECT_LT(comm.bytes, all_of_mine / 3);
    EXPECT_GT(comm.bytes, 0U);
  });
}

}  // namespace
}  // namespace podium::jump_merge_test
