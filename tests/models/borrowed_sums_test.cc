#include <stdexcept>

#include <gtest/gtest.h>

#include "models/document_sums.h"
#include "support/toy_data.h"

namespace podium::borrowed_sums_test {
namespace {

using testing::Bench;

void add_ones(BorrowedSums& borrowed, ThreadPool& pool, std::size_t tasks) {
  pool.run(tasks, [&](std::size_t) {
    borrowed.lend([](OrderFreeSums& sums) { sums.add(std::vector<double>(300, 1.0)); });
  });
}

TEST(BorrowedSums, StartAgainAtZeroAfterATotal) {
  for (const int threads : {1, 4}) {
    Bench bench(threads);
    BorrowedSums borrowed(300);
    for (const std::size_t tasks : {40U, 7U, 1U}) {
      add_ones(borrowed, bench.pool, tasks);
      EXPECT_EQ(borrowed.total(bench.context),
                std::vector<double>(300, static_cast<double>(tasks)));
    }
  }
}

TEST(BorrowedSums, ForgetWhatAnUnfinishedTaskAdded) {
  Bench bench(2);
  BorrowedSums borrowed(300);
  const auto fail = [&] {
    borrowed.lend([](OrderFreeSums& sums) {
      sums.add(0, 5);
      throw std::runtime_error("stopped");
    });
  };
  EXPECT_THROW(fail(), std::runtime_error);
  borrowed.reset();
  add_ones(borrowed, bench.pool, 3);
  EXPECT_EQ(borrowed.total(bench.context), std::vector<double>(300, 3.0));
}

}  // namespace
}  // namespace podium::borrowed_sums_test
