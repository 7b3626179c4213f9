// The training runs of `auto`: one candidate on one split, with all or a share of its training
// queries, or as the final models are trained: with its validation queries, too. Each is done once,
// kept in memory, and saved in the folder if there is one; so a search that is repeated, or looks
// at fewer folds, costs only what was not yet trained.
//
// With a limit of time, a run is ended after the iteration in which it is reached, and its best
// model so far counts. The number of that iteration is kept: ended there again, it has the same
// bits. A run that does not report an iteration in time has no model and is given up.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/automatic/candidates.h"
#include "experiments/automatic/judging.h"

namespace podium {

// Instead of a share: training and validation queries, with what the splits chose (refit.h), whose
// own runs must be there.
inline constexpr int kRefitted = 0;

struct CellAt {
  Candidate candidate;
  std::size_t split = 0;
  int share = 1;  // 1 / share of the training queries, or kRefitted
  auto operator<=>(const CellAt&) const = default;
};

struct TrainedCell {
  enum class Status { done, failed, slow } status = Status::done;
  std::string message = {};  // of a failed one
  std::vector<double> per_query =
      {};                           // the measure on the test part; NaN: the query does not count
  std::vector<double> scores = {};  // of the test part
  double train_scale = 1, test_scale = 1;  // score_scale of both parts
  std::int64_t best_iteration = 0, iterations = 0;
  bool cut = false;                                         // after these iterations, by the time
  std::vector<std::pair<std::string, double>> chosen = {};  // by the validation part
  double seconds = 0, work = 0;                             // work: seconds × threads
};

// The time for new cells is over.
class OutOfTime : public Error {
 public:
  OutOfTime() : Error(ErrorCode::training, "the time for training is over") {}
};

class TrainedCells {
 public:
  using Clock = std::chrono::steady_clock;
  struct Terms {
    MeasurePtr measure;
    Convention convention;
    std::filesystem::path folder;  // of the cells' files; "": none
    // Of an earlier run, to be repeated: what was given up, and what ended after which iteration.
    std::set<CellAt> slow;
    std::map<CellAt, std::int64_t> cut;
  };
  TrainedCells(const CandidateTable& candidates, const Judging& judging, Terms terms);

  // Trains what is missing, in the pool; references stay valid. Throws Stopped on a stop request,
  // and OutOfTime if something is missing after the deadline.
  void require(const std::vector<CellAt>& wanted, Context& context);
  const TrainedCell& at(const CellAt& where) const { return cells_.at(where); }
  void set_deadline(std::optional<Clock::time_point> deadline) { deadline_ = deadline; }
  // Thread-seconds of each training run that begins from now on; 0: no limit. `without_model`:
  // whether a run without a model is given up then, or goes on to its first iteration.
  enum class WithoutModel { given_up, goes_on };
  void set_limit(double work, WithoutModel without_model = WithoutModel::given_up) {
    limit_ = work;
    without_model_ = without_model;
  }

  std::size_t trained() const noexcept { return trained_; }  // in this run
  double seconds() const noexcept { return seconds_; }       // of all cells, of earlier runs too
  double work() const noexcept { return work_; }  // thread-seconds of those trained in this run
  const std::map<CellAt, TrainedCell>& all() const noexcept { return cells_; }
  const Terms& terms() const noexcept { return terms_; }

 private:
  TrainedCell train(const CellAt& where, int threads, Context& context) const;
  TrainedCell train_or_fail(const CellAt& where, int threads, Context& context) const;
  void add(const CellAt& where, int threads, TrainedCell& found, Context& context);
  std::string path(const CellAt& where) const;
  std::optional<TrainedCell> saved(const CellAt& where) const;

  const CandidateTable& candidates_;
  const Judging& judging_;
  Terms terms_;
  std::map<CellAt, TrainedCell> cells_;
  std::optional<Clock::time_point> deadline_;
  double limit_ = 0;
  WithoutModel without_model_ = WithoutModel::given_up;
  std::mutex mutex_;
  std::set<Candidate> given_up_;  // of the runs that are being trained
  std::size_t trained_ = 0;
  double seconds_ = 0, work_ = 0;
};

// A cell's file, and back; nullopt if it is not one of this cell, or is damaged.
std::string cell_text(const TrainedCell& cell, const std::string& name);
std::optional<TrainedCell> cell_from_text(const std::string& text, const std::string& name);

}  // namespace podium
