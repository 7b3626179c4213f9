// A group of ranks inside one process, one thread each: trainers can be tested without MPI. A
// collective call has two barriers: after the first, all ranks have provided their bytes; after the
// second, all have copied them.
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "podium/communicator.h"
#include "podium/error.h"

namespace podium {
namespace {

class Table {
 public:
  explicit Table(int ranks) : parts_(static_cast<std::size_t>(ranks)) {}

  std::vector<std::vector<std::byte>> exchange(int rank, std::span<const std::byte> mine) {
    {
      const std::scoped_lock lock(mutex_);
      parts_[static_cast<std::size_t>(rank)].assign(mine.begin(), mine.end());
    }
    meet();
    auto all = parts_;
    meet();
    return all;
  }

  // A rank has thrown an exception: the others must not wait for it.
  void fail(std::exception_ptr why) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(why);
    changed_.notify_all();
  }
  std::exception_ptr failure() const { return failure_; }
  std::size_t size() const noexcept { return parts_.size(); }

 private:
  void meet() {
    std::unique_lock lock(mutex_);
    const std::uint64_t round = round_;
    if (++arrived_ == parts_.size()) {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round || failure_; });
    }
    if (round_ == round) throw Error(ErrorCode::group, "another rank failed");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::byte>> parts_;
  std::size_t arrived_ = 0;
  std::uint64_t round_ = 0;
  std::exception_ptr failure_;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Table& table, int rank) : table_(table), rank_(rank) {}
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return static_cast<int>(table_.size()); }
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override {
    return table_.exchange(rank_, mine);
  }

 private:
  Table& table_;
  int rank_;
};

}  // namespace

void run_in_threads(int ranks, const std::function<void(Communicator&)>& body) {
  Table table(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&table, &body, rank] {
      ThreadCommunicator comm(table, rank);
      try {
        body(comm);
      } catch (...) {  // rethrown to the caller below
        table.fail(std::current_exception());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (table.failure()) std::rethrow_exception(table.failure());
}

}  // namespace podium
