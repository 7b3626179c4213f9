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

TEST_P(HostQueueIn, RunningSumsOverManyChunks) {
  constexpr std::uint32_t kChunks = 1500;
  std::vector<std::uint32_t> counts(kChunks + 1), expected(kChunks + 1);
  for (std::uint32_t i = 0; i < kChunks; ++i) {
    counts[i] = i * 7919 % 1025;
    expected[i + 1] = expected[i] + counts[i];
  }
  DeviceArray<std::uint32_t> lefts(*queue_, std::span<const std::uint32_t>(counts));
  queue_->run<OffsetsKernel>(1, {lefts.data(), kChunks},
                             2 * OffsetsKernel::kThreads * sizeof(std::uint32_t));
  EXPECT_EQ(lefts.values(), expected);
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
