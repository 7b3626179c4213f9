// What is between Podium and NVIDIA's driver, with a driver that only pretends (fake_cuda.cc). Each
// suite is run by itself, with the settings of the driver that CMakeLists.txt gives it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/cuda_gpu.h"
#include "device/device_array.h"
#include "device/pinned_array.h"
#include "podium/error.h"
#include "podium/gpu.h"
#include "trees/cpu_tree_grower.h"
#include "trees/device/partition_kernels.h"
#include "trees/tree_data.h"

namespace podium::cuda_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Device kFirst{Device::Kind::cuda, 0};

TEST(TwoGpus, AreDescribed) {
  const Gpus gpus = find_gpus();
  ASSERT_EQ(gpus.found.size(), 2U);
  EXPECT_EQ(gpus.none, "");
  EXPECT_EQ(gpus.driver, "CUDA 13.0");
  EXPECT_EQ(gpus.found[1].name, "Fake GPU 1");
  EXPECT_EQ(gpus.found[1].number, 1);
  EXPECT_EQ(gpus.found[1].major, 9);
  EXPECT_EQ(gpus.found[1].unusable, "");
  EXPECT_EQ(gpu_targets(), "sm_80 and a fake");
}

TEST(TwoGpus, AreChosenByNumber) {
  EXPECT_EQ(choose_device("cuda"), kFirst);
  EXPECT_EQ(choose_device("auto"), kFirst);
  EXPECT_EQ(choose_device("cuda:1").number, 1);
  EXPECT_EQ(choose_device("cpu"), Device{});
  EXPECT_THAT([] { choose_device("cuda:2"); },
              ThrowsMessage<Error>(HasSubstr("this machine has 2 GPUs, numbered from 0")));
}

TEST(TwoGpus, AreSharedByTheRanksOfAMachine) {
  for (const int ranks : {1, 2, 3})
    run_in_threads(ranks, [](Communicator& comm) {
      EXPECT_EQ(choose_device("cuda", comm).number, comm.rank() % 2);
      EXPECT_EQ(choose_device("auto", comm).number, comm.rank() % 2);
      EXPECT_EQ(choose_device("cuda:1", comm).number, 1);
      EXPECT_EQ(choose_device("cpu", comm), Device{});
    });
}

TEST(TwoGpus, GrowTheTreesOfTheCpu) {
  const Dataset data = testing::with_categories(20, 3);
  testing::Bench bench;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  const TreeGrower::Setup setup{.data = binned,
                                .options = {.leaves = 20, .min_docs = 5},
                                .counted_documents = static_cast<double>(data.documents())};
  const testing::Slopes slopes = testing::draw_slopes(data, 3);
  const auto grow = [&](const Device& device) {
    bench.context.device = device;
    const auto grower = make_tree_grower(setup, bench.context);
    const auto buffers = grower->derivatives();
    std::ranges::copy(slopes.first, buffers.first.begin());
    std::ranges::copy(slopes.second, buffers.second.begin());
    return grower->grow({});
  };
  const Tree expected = grow({});
  EXPECT_EQ(expected.values.size(), 20U);
  EXPECT_TRUE(testing::same_tree(grow(kFirst), expected));
  EXPECT_TRUE(testing::same_tree(grow({Device::Kind::cuda, 1}), expected));
}

TEST(TwoGpus, GiveTheirMemoryBack) {
  const auto queue = open_device(kFirst);
  { const DeviceArray<double> array(*queue, 1000); }
  EXPECT_EQ(queue->bytes(), 0U);
  EXPECT_EQ(queue->most_bytes(), 8000U);
}

// The fake says that every operation takes half a millisecond.
TEST(TwoGpus, TellTheProfileWhatTheyDo) {
  WorkProfile profile;
  ThreadPool pool(profile);
  const auto alone = make_local_communicator();
  Observer silent;
  Context context{1, pool, *alone, silent};
  context.device = kFirst;
  const auto queue = open_device(context);
  const std::vector<std::uint32_t> numbers(3000);
  DeviceArray<std::uint32_t> array(*queue, std::span<const std::uint32_t>(numbers));
  for (int i = 0; i < 2000; ++i) queue->run_each<CountUpKernel>(3000, {array.data(), 3000});
  EXPECT_EQ(array.values().back(), 2999U);
  const auto& work = profile.device_work();
  ASSERT_EQ(work.size(), 3U);
  EXPECT_EQ(work[0].name, "copy to the GPU");
  EXPECT_EQ(work[0].bytes, 12000U);
  EXPECT_EQ(work[1].name, "tree_count_up");
  EXPECT_EQ(work[1].times, 2000U);
  EXPECT_NEAR(work[1].seconds, 1.0, 1e-9);
  EXPECT_EQ(work[2].name, "copy from the GPU");
  EXPECT_EQ(work[2].times, 1U);
}

TEST(TwoGpus, AreOpenedAheadAndShared) {
  const DeviceStart start(kFirst), again(kFirst), none(Device{});
  EXPECT_EQ(share_gpu(0), share_gpu(0));
  EXPECT_NE(share_gpu(0), share_gpu(1));
}

TEST(TwoGpus, StayOpenIfAskedFor) {
  const std::weak_ptr<const CudaGpu> closed = share_gpu(1);
  EXPECT_TRUE(closed.expired());
  keep_open({Device::Kind::cuda, 1});
  const std::weak_ptr<const CudaGpu> kept = share_gpu(1);
  EXPECT_FALSE(kept.expired());
}

TEST(TwoGpus, PinnedMemoryIsCopied) {
  const auto queue = open_device(kFirst);
  PinnedArray<int> pinned(*queue, 3);
  pinned.values()[2] = 7;
  const DeviceArray<int> array(*queue, pinned.values());
  EXPECT_EQ(array.values()[2], 7);
}

TEST(TwoGpus, AFailingCallIsAnError) {
  const auto queue = open_device(kFirst);
  double number = 0;
  EXPECT_THAT([&] { queue->download(&number, &number, sizeof number); },
              ThrowsMessage<Error>(AllOf(HasSubstr("GPU: copying from it"),
                                         HasSubstr("CUDA_ERROR_OF_THE_FAKE: it is a fake"))));
}

TEST(SharedGpu, KeepsTheLimitsOfOthers) {
  const auto queue = open_device(kFirst);
  const DeviceArray<double> array(*queue, 10);
  EXPECT_EQ(queue->bytes(), 80U);
}

TEST(NoGpu, OpeningAheadIsSilent) {
  const DeviceStart start(kFirst);
  EXPECT_THROW(share_gpu(0), Error);
}

TEST(NoGpu, IsAnErrorUnlessAnythingWillDo) {
  EXPECT_EQ(choose_device("auto"), Device{});
  EXPECT_EQ(find_gpus().none, "no NVIDIA GPU was found");
  EXPECT_THAT([] { choose_device("cuda"); },
              ThrowsMessage<Error>("‹device cuda:0›: no NVIDIA GPU was found"));
}

TEST(NoDriver, IsAnErrorUnlessAnythingWillDo) {
  if (!find_gpus().driver.empty()) GTEST_SKIP() << "this machine has a driver";
  EXPECT_EQ(choose_device("auto"), Device{});
  EXPECT_THAT([] { open_device(kFirst); },
              ThrowsMessage<Error>(HasSubstr("no NVIDIA driver was found (libcuda.so.1)")));
}

TEST(OldGpu, IsRefused) {
  EXPECT_EQ(choose_device("auto"), Device{});
  EXPECT_THAT(
      [] { choose_device("cuda"); },
      ThrowsMessage<Error>("‹device cuda:0›: Fake GPU 0: its compute capability is 7.5, and "
                           "8.0 is needed"));
}

TEST(SmallGpu, SaysHowMuchIsNeeded) {
  const Dataset data = testing::mixed_data(200, 100, 20, 1);
  testing::Bench bench;
  bench.context.device = kFirst;
  const BinnedDataset binned = BinnedDataset::bin(data, {}, bench.context);
  EXPECT_THAT([&] { make_tree_grower({.data = binned}, bench.context); },
              ThrowsMessage<Error>(AllOf(HasSubstr("the GPU has too little memory"),
                                         HasSubstr("are free; use ‹device cpu›"))));
}

}  // namespace
}  // namespace podium::cuda_test
