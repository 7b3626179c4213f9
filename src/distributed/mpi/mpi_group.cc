#include "distributed/mpi/mpi_group.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "core/archive.h"

namespace podium {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kLargestTransfer = std::size_t{1} << 30;  // bytes; MPI counts in int
constexpr auto kLongWait = 10ms;  // after this wait the control channel is polled
constexpr auto kLateArrival =
    200ms;                       // after a failure elsewhere: complete messages may still arrive
constexpr auto kLastWords = 2s;  // time to receive messages from the others when one has failed

// Between two polls: nothing at first, then a sleep. Yielding would be worse: if other processes
// want the core, it costs their whole time slice.
class Pause {
 public:
  // Without the time in which this process was suspended: the others may have been suspended too.
  Clock::duration waited() const { return waited_; }
  void take() {
    if (waited_ >= 40us)
      std::this_thread::sleep_for(waited_ < 1ms ? 20us : waited_ < 1s ? 200us : 2000us);
    const auto now = Clock::now();
    waited_ += std::min<Clock::duration>(now - last_, 1s);
    last_ = now;
  }

 private:
  Clock::time_point last_ = Clock::now();
  Clock::duration waited_{};
};

enum class Word : std::uint8_t { waiting, failed };

}  // namespace

AnotherRankFailed::AnotherRankFailed(int rank)
    : Error(ErrorCode::group, fmt::format("rank {} failed", rank)) {}

MpiGroup::MpiGroup(MpiCalls& mpi) : mpi_(mpi) {
  check(mpi_.begin());
  rank_ = mpi_.rank();
  size_ = mpi_.size();
  heard_.resize(static_cast<std::size_t>(size_));
}

void MpiGroup::check(int error) const {
  if (error != 0)
    throw Error(ErrorCode::group,
                fmt::format("the ranks cannot communicate: {}", mpi_.text(error)));
}

// Every collective call begins here.
void MpiGroup::enter() {
  if (broken_) std::rethrow_exception(broken_);
  ++calls_;
}

std::vector<std::vector<std::byte>> MpiGroup::all_gather(std::span<const std::byte> mine) {
  if (size_ == 1) return {{mine.begin(), mine.end()}};
  enter();
  const auto ranks = static_cast<std::size_t>(size_);
  auto& [out, in, bytes, begins] = buffers_;
  const std::uint64_t my_size = mine.size();
  std::vector<std::uint64_t> sizes(ranks);
  out.resize(sizeof(my_size));
  in.resize(ranks * sizeof(my_size));
  bytes.assign(ranks, sizeof(my_size));
  begins.resize(ranks);
  for (std::size_t r = 0; r < ranks; ++r) begins[r] = static_cast<int>(r * sizeof(my_size));
  std::memcpy(out.data(), &my_size, sizeof(my_size));
  Transfer transfer;
  check(mpi_.start_gather(out.data(), in.data(), bytes.data(), begins.data(), transfer.request));
  wait({&transfer, 1});
  std::memcpy(sizes.data(), in.data(), in.size());

  std::vector<std::vector<std::byte>> all(ranks);
  for (std::size_t r = 0; r < ranks; ++r) all[r].reserve(sizes[r]);
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  const std::size_t step = kLargestTransfer / ranks;
  for (std::size_t at = 0; at < longest; at += step) {
    int end = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      begins[r] = end;
      bytes[r] = static_cast<int>(std::min(step, sizes[r] - std::min<std::size_t>(sizes[r], at)));
      end += bytes[r];
    }
    in.resize(static_cast<std::size_t>(end));
    const auto part = mine.subspan(std::min(at, mine.size()));
    out.assign(part.begin(),
               part.begin() + static_cast<std::ptrdiff_t>(std::min(step, part.size())));
    check(mpi_.start_gather(out.data(), in.data(), bytes.data(), begins.data(), transfer.request));
    wait({&transfer, 1});
    for (std::size_t r = 0; r < ranks; ++r)
      all[r].insert(all[r].end(), in.begin() + begins[r], in.begin() + begins[r] + bytes[r]);
  }
  bytes_sent_ += (mine.size() + sizeof(my_size)) * (ranks - 1);
  return all;
}

void MpiGroup::all_reduce_sum(std::span<std::int64_t> values) {
  if (size_ == 1) return;
  enter();
  constexpr std::size_t kStep = kLargestTransfer / sizeof(std::int64_t);
  for (std::size_t at = 0; at < values.size(); at += kStep) {
    const auto part = values.subspan(at, std::min(kStep, values.size() - at));
    buffers_.in.resize(part.size_bytes());
    std::memcpy(buffers_.in.data(), part.data(), part.size_bytes());
    Transfer transfer;
    check(mpi_.start_sum(reinterpret_cast<std::int64_t*>(buffers_.in.data()),
                         static_cast<int>(part.size()), transfer.request));
    wait({&transfer, 1});
    std::memcpy(part.data(), buffers_.in.data(), part.size_bytes());
  }
  const auto ranks = static_cast<std::uint64_t>(size_);
  bytes_sent_ += 2 * values.size_bytes() * (ranks - 1) / ranks;
}

// With P = 2^k + m ranks, the last m first send theirs to a partner, and receive the sum from it at
// the end; the others use recursive doubling.
void MpiGroup::all_reduce(std::span<std::byte> values, const Add& add) {
  if (size_ == 1) return;
  enter();
  const int doubling = static_cast<int>(std::bit_floor(static_cast<unsigned>(size_)));
  const int others = size_ - doubling;
  std::vector<std::byte> theirs(values.size());
  if (rank_ >= doubling) {
    exchange(rank_ - doubling, values, -1, {});
    exchange(-1, {}, rank_ - doubling, values);
    return;
  }
  if (rank_ < others) {
    exchange(-1, {}, rank_ + doubling, theirs);
    add(values, theirs);
  }
  for (int distance = 1; distance < doubling; distance *= 2) {
    exchange(rank_ ^ distance, values, rank_ ^ distance, theirs);
    add(values, theirs);
  }
  if (rank_ < others) exchange(rank_ + doubling, values, -1, {});
}

// Sends and receives at the same time; −1: only one of them.
void MpiGroup::exchange(int send_to, std::span<const std::byte> out, int receive_from,
                        std::span<std::byte> in) {
  const std::size_t bytes = std::max(out.size(), in.size());
  std::size_t at = 0;
  do {
    const std::size_t step = std::min(kLargestTransfer, bytes - at);
    Transfer transfers[2];
    if (send_to >= 0) {
      const auto part = out.subspan(at, step);
      buffers_.out.assign(part.begin(), part.end());
      check(mpi_.start_send(send_to, MpiCalls::Channel::data, buffers_.out.data(),
                            static_cast<int>(step), transfers[0].request));
      bytes_sent_ += step;
    }
    if (receive_from >= 0) {
      buffers_.in.resize(step);
      check(mpi_.start_receive(receive_from, MpiCalls::Channel::data, buffers_.in.data(),
                               static_cast<int>(step), transfers[1].request));
    }
    wait(transfers);
    if (receive_from >= 0 && transfers[1].received != static_cast<int>(step))
      throw Error(
          ErrorCode::group,
          "ranks have sums of different lengths: their data have different numbers of features");
    if (receive_from >= 0)
      std::copy(buffers_.in.begin(), buffers_.in.end(),
                in.begin() + static_cast<std::ptrdiff_t>(at));
    at += step;
  } while (at < bytes);
}

bool MpiGroup::all_done(std::span<Transfer> transfers) {
  bool done = true;
  for (Transfer& transfer : transfers) {
    if (transfer.request == MpiCalls::kNone) continue;
    check(mpi_.test(transfer.request, transfer.received));
    done &= transfer.request == MpiCalls::kNone;
  }
  return done;
}

void MpiGroup::wait(std::span<Transfer> transfers) {
  try {
    wait_or_give_up(transfers);
  } catch (const Error&) {
    broken_ = std::current_exception();
    throw;
  }
}

void MpiGroup::wait_or_give_up(std::span<Transfer> transfers) {
  Pause pause;
  Clock::time_point failure_heard = Clock::time_point::max();
  waiting_ = true;
  while (!all_done(transfers)) {
    pause.take();
    const auto waited = pause.waited();
    if (waited < kLongWait) continue;
    hear_control();
    if (!failures_.empty()) {
      failure_heard = std::min(failure_heard, Clock::now());
      if (Clock::now() - failure_heard > kLateArrival)
        throw AnotherRankFailed(failures_.begin()->first);
    }
    if (waited > limit_ / 2) say_waiting();
    if (waited > limit_) give_up();
  }
  waiting_ = false;
}

void MpiGroup::hear_control() {
  for (;;) {
    int from = -1, bytes = 0;
    check(mpi_.look(MpiCalls::Channel::control, from, bytes));
    if (from < 0) return;
    std::vector<std::byte> message(static_cast<std::size_t>(bytes));
    Transfer transfer;
    check(mpi_.start_receive(from, MpiCalls::Channel::control, message.data(), bytes,
                             transfer.request));
    while (!all_done({&transfer, 1})) std::this_thread::yield();  // it has already arrived
    ArchiveReader reader(message);
    Word word{};
    reader(word);
    if (word == Word::failed) {
      reader(failures_[from]);
      continue;
    }
    reader(heard_[static_cast<std::size_t>(from)]);
    // Another rank is about to time out in this same call: report at once that this rank is alive.
    if (waiting_ && heard_[static_cast<std::size_t>(from)] == calls_) say_waiting();
  }
}

// Once per call.
void MpiGroup::say_waiting() {
  if (heard_[static_cast<std::size_t>(rank_)] == calls_) return;
  ArchiveWriter writer;
  writer(Word::waiting, calls_);
  const auto bytes = writer.take();
  heard_[static_cast<std::size_t>(rank_)] = calls_;
  for (int to = 0; to < size_; ++to)
    if (to != rank_) send_control(to, bytes);
}

void MpiGroup::send_control(int to, std::vector<std::byte> bytes) {
  said_.push_back(std::move(bytes));
  MpiCalls::Request request = MpiCalls::kNone;  // short messages are sent without waiting
  check(mpi_.start_send(to, MpiCalls::Channel::control, said_.back().data(),
                        static_cast<int>(said_.back().size()), request));
}

void MpiGroup::give_up() const {
  std::vector<int> silent;
  for (int r = 0; r < size_; ++r)
    if (heard_[static_cast<std::size_t>(r)] < calls_) silent.push_back(r);
  const double seconds = limit_.count();
  std::string message =
      silent.empty() ? fmt::format(
                           "the {} ranks have waited for each other for {} s: the network between "
                           "them is broken",
                           size_, seconds)
                     : fmt::format("{} {} of {} {} not answered for {} s: {} still running?",
                                   silent.size() == 1 ? "rank" : "ranks", fmt::join(silent, ", "),
                                   size_, silent.size() == 1 ? "has" : "have", seconds,
                                   silent.size() == 1 ? "is its machine" : "are their machines");
  if (advice_) message += advice_();
  throw RankSilent(message);
}

void MpiGroup::leave() {
  all_gather({});  // no rank ends before all do: a failure can still be received here
  check(mpi_.end());
}

MpiGroup::Verdict MpiGroup::agree_on_failure(Failure mine) {
  mine.waiting = waiting_;
  failures_[rank_] = mine;
  ArchiveWriter writer;
  writer(Word::failed, mine);
  const auto bytes = writer.take();
  try {
    for (int to = 0; to < size_; ++to)
      if (to != rank_) send_control(to, bytes);
    for (Pause pause; failures_.size() < heard_.size() && pause.waited() < kLastWords;) {
      pause.take();
      hear_control();
    }
  } catch (const Error&) {  // the network is gone: report what is known
  }
  const auto has_message = [](const auto& entry) { return !entry.second.message.empty(); };
  const auto first = std::find_if(failures_.begin(), failures_.end(), has_message);
  if (first == failures_.end()) return {};
  const Failure& failure = first->second;
  const bool alike = failures_.size() == heard_.size() &&
                     std::all_of(failures_.begin(), failures_.end(), [&](const auto& entry) {
                       return entry.second.message == failure.message;
                     });
  if (failures_.begin()->first != rank_) return {"", failure.exit_code};
  return {failure.of_group || alike ? failure.message
                                    : fmt::format("rank {}: {}", first->first, failure.message),
          failure.exit_code};
}

void MpiGroup::leave_failed(int exit_code) {
  const bool orderly = failures_.size() == heard_.size() &&
                       std::none_of(failures_.begin(), failures_.end(),
                                    [](const auto& entry) { return entry.second.waiting; });
  if (orderly) {
    mpi_.end();
    return;
  }
  if (failures_.begin()->first != rank_) std::this_thread::sleep_for(kLastWords);  // lets it print
  mpi_.abort(exit_code);
}

}  // namespace podium
