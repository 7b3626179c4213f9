#include "distributed/on_every_rank.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "distributed/gathered.h"
#include "podium/error.h"

namespace podium {
namespace {

struct Outcome {
  bool failed = false;
  ErrorCode code = ErrorCode::training;
  std::string message, file;
  std::uint64_t line = 0;

  bool operator==(const Outcome&) const = default;
  [[noreturn]] void rethrow(const std::string& prefix) const {
    throw Error(code, prefix + message, {file, line});
  }
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.failed, self.code, self.message, self.file, self.line);
  }
};

Outcome outcome_of(const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    return {true, error.code(), error.message(), error.where().file, error.where().line};
  }
  return {};
}

}  // namespace

void on_every_rank(Communicator& comm, const std::function<void()>& step) {
  if (comm.size() == 1) return step();
  const std::vector<Outcome> all = gathered(outcome_of(step), comm);
  const auto failed = [](const Outcome& outcome) { return outcome.failed; };
  const auto first = std::find_if(all.begin(), all.end(), failed);
  if (first == all.end()) return;
  if (std::all_of(all.begin(), all.end(), [&](const Outcome& o) { return o == *first; }))
    first->rethrow("");
  first->rethrow(fmt::format("rank {}: ", first - all.begin()));
}

void on_first_rank(Communicator& comm, const std::function<void()>& step) {
  if (comm.size() == 1) return step();
  const Outcome mine = comm.rank() == 0 ? outcome_of(step) : Outcome{};
  if (const Outcome first = gathered(mine, comm)[0]; first.failed) first.rethrow("");
}

}  // namespace podium
