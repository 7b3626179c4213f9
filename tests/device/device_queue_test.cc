// The contract of device_queue.h, for the emulated device, in both orders.
#include "device/device_queue.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device_array.h"
#include "gpu/kernel_list.h"
#include "podium/error.h"

namespace podium::device_queue_test {
namespace {

class HostQueueIn : public ::testing::TestWithParam<RunOrder> {
 protected:
  std::unique_ptr<DeviceQueue> queue_ = open_host_queue(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Orders, HostQueueIn,
                         ::testing::Values(RunOrder::forwards, RunOrder::backwards),
                         [](const auto& info) {
                           return info.param == RunOrder::forwards ? "forwards" : "backwards";
                         });

TEST_P(HostQueueIn, CopiesThereAndBack) {
  const std::vector<int> values = {3, 1, 4, 1, 5};
  DeviceArray<int> array(*queue_, std::span<const int>(values));
  EXPECT_EQ(array.values(), values);
  array.upload(std::span<const int>(values).first(2), 3);
  EXPECT_EQ(array.values(), (std::vector{3, 1, 4, 3, 1}));
  array.clear();
  EXPECT_EQ(array.values(), std::vector<int>(5));
}

TEST_P(HostQueueIn, CountsWhatIsTaken) {
  {
    DeviceArray<double> first(*queue_, 100);
    DeviceArray<double> second(*queue_, 10);
    EXPECT_EQ(queue_->bytes(), 880);
    first = std::move(second);
    EXPECT_EQ(queue_->bytes(), 80);
    first.resize(*queue_, 5);  // keeps the memory
    EXPECT_EQ(queue_->bytes(), 80);
    first.resize(*queue_, 20);
    EXPECT_EQ(queue_->bytes(), 160);
  }
  EXPECT_EQ(queue_->bytes(), 0);
  EXPECT_EQ(queue_->most_bytes(), 880);
}

TEST_P(HostQueueIn, RunsEveryThreadOfEveryBlock) {
  constexpr std::size_t kCount = 1000;
  DeviceArray<std::uint32_t> out(*queue_, kCount);
  queue_->run_each<CountUpKernel>(kCount, {out.data(), kCount});
  std::vector<std::uint32_t> expected(kCount);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(out.values(), expected);
}

// Every block adds its number; the last one passes the sum on.
struct SumArgs {
  std::uint32_t* sum;
  std::uint32_t* come;
  std::uint32_t* result;  // added to
};
struct SumKernel {
  static constexpr const char* kName = "test_sum";
  static constexpr unsigned kThreads = 64;
  using Args = SumArgs;
  template <class Block>
  static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      if (thread == 5) add_atomically(args.sum, block.index());
    });
    if (is_last_block(block, args.come, block.template shared<std::uint32_t>()))
      block.each([&](unsigned thread) {
        if (thread == 7) *args.result += *args.sum;
      });
  }
};

TEST_P(HostQueueIn, OneBlockIsTheLast) {
  DeviceArray<std::uint32_t> numbers(*queue_, 3);
  numbers.clear();
  for (const std::uint32_t launches : {1U, 2U}) {
    queue_->run<SumKernel>(20, {numbers.data(), numbers.data() + 1, numbers.data() + 2},
                           sizeof(std::uint32_t));
    // 190 once, and then 190 + 380.
    EXPECT_EQ(numbers.values(),
              (std::vector<std::uint32_t>{190 * launches, 0, launches == 1 ? 190U : 570U}));
  }
}

// The documents of a leaf keep their order on both sides, and the words of one side are summed:
// over one chunk, many, and chunks of several parts.
TEST_P(HostQueueIn, DocumentsMoveInOrder) {
  for (const std::uint32_t count : {1U, 700U, 5000U, 1300000U}) {
    const auto goes_left = [](std::uint32_t document) { return document % 7 < 3; };
    std::vector<std::uint32_t> documents(count), lefts, rights;
    constexpr std::uint32_t kWidth = 4;
    std::vector<std::uint8_t> rows(kWidth * count);
    std::vector<std::uint64_t> words(count);
    std::int64_t expected_first = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t document = count - 1 - i;  // not the place
      documents[i] = document;
      rows[kWidth * document + 2] = static_cast<std::uint8_t>(document % 7);
      words[document] = (std::uint64_t{document % 1000} << 40) + 1;
      (goes_left(document) ? lefts : rights).push_back(document);
      if (!goes_left(document)) expected_first += document % 1000;
    }
    std::vector<std::uint32_t> expected = lefts;
    expected.insert(expected.end(), rights.begin(), rights.end());

    const std::uint64_t chunk = chunk_of(count);
    const auto chunks = static_cast<std::uint32_t>((count + chunk - 1) / chunk);
    EXPECT_LE(chunks, kMostChunks);
    const DeviceArray<std::uint8_t> device_rows(*queue_, std::span<const std::uint8_t>(rows));
    const std::vector<DeviceColumn> columns = {
        {.bins = 7, .value_bins = 7, .group = 0, .row_begin = 2, .row_width = kWidth}};
    const DeviceArray<DeviceColumn> column(*queue_, std::span<const DeviceColumn>(columns));
    const DeviceArray<std::uint32_t> from(*queue_, std::span<const std::uint32_t>(documents));
    const DeviceArray<std::uint64_t> all_words(*queue_, std::span<const std::uint64_t>(words));
    DeviceArray<std::uint32_t> moved(*queue_, count), counts(*queue_, chunks + 1);
    DeviceArray<std::uint8_t> sides(*queue_, count);
    DeviceArray<DerivativeSums> total(*queue_, 1);  // noise, which MarkKernel clears
    queue_->run<MarkKernel>(chunks,
                            {.bins = {.rows = device_rows.data(), .documents = count},
                             .column = column.data(),
                             .route = {.lefts = 3},
                             .tables = nullptr,
                             .documents = from.data(),
                             .count = count,
                             .chunk = chunk,
                             .goes_left = sides.data(),
                             .lefts = counts.data(),
                             .cleared = total.data()},
                            MarkKernel::kThreads * sizeof(std::uint32_t));
    queue_->run<MoveKernel>(chunks,
                            {.documents = from.data(),
                             .count = count,
                             .chunk = chunk,
                             .goes_left = sides.data(),
                             .lefts = counts.data(),
                             .moved = moved.data(),
                             .all_lefts = counts.data() + chunks,
                             .total = total.data(),
                             .summed = 0,
                             .words = all_words.data()},
                            MoveKernel::kSharedBytes);
    EXPECT_EQ(moved.values(), expected) << count;
    EXPECT_EQ(counts.values().back(), lefts.size()) << count;
    EXPECT_EQ(total.values()[0].documents, static_cast<std::int64_t>(rights.size())) << count;
    EXPECT_EQ(total.values()[0].first, expected_first) << count;
  }
}

TEST(DeviceRoute, SendsTheFirstBinsOneMoreOrThoseOfATable) {
  const std::vector<std::uint8_t> table = {9, 0, 1, 0, 1};
  const auto lefts = [&](const DeviceRoute& route) {
    std::vector<bool> sides;
    for (std::uint32_t bin = 0; bin < 4; ++bin) sides.push_back(route.goes_left(bin, table.data()));
    return sides;
  };
  EXPECT_EQ(lefts({.lefts = 2}), (std::vector{true, true, false, false}));
  EXPECT_EQ(lefts({.lefts = 1, .other = 3}), (std::vector{true, false, false, true}));
  EXPECT_EQ(lefts({.lefts = 4, .table = 1}), (std::vector{false, true, false, true}));
}

TEST(Kernels, NamesAreThoseOfTheirTypes) {
#define PODIUM_SAME_NAME(name, Kernel) EXPECT_STREQ(Kernel::kName, #name);
  PODIUM_KERNELS(PODIUM_SAME_NAME)
#undef PODIUM_SAME_NAME
}

TEST(DeviceQueue, TheCpuHasNone) {
  EXPECT_THROW(open_device({}), Error);
}

}  // namespace
}  // namespace podium::device_queue_test
