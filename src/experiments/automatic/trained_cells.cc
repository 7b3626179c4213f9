#include "experiments/automatic/trained_cells.h"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "core/output_file.h"
#include "core/random.h"
#include "experiments/automatic/refit.h"
#include "podium/blend.h"
#include "podium/error.h"
#include "podium/stop.h"
#include "trees/bin_cache.h"

namespace podium {
namespace {

constexpr double kMoreTime = 1.5;  // times that of a run that was cut: it is trained again
constexpr std::uint64_t kShareStream = 0x7368617265;  // "share"

// 1 / share of the training queries; larger parts contain smaller ones.
PreparedData with_share(const PreparedData& all, int share, std::uint64_t seed) {
  PreparedData part = all;
  if (share == 1) return part;
  std::vector<std::size_t> queries(all.train.queries());
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  Random(seed, kShareStream).shuffle(std::span(queries));
  queries.resize(std::max<std::size_t>(1, queries.size() / static_cast<std::size_t>(share)));
  std::sort(queries.begin(), queries.end());
  part.train = select_queries(all.train, queries);
  part.bins = std::make_shared<BinCache>();
  return part;
}

// Requests a stop after some seconds, or when the outer token does.
class TimeLimit {
 public:
  TimeLimit(std::stop_source& source, double seconds, const std::stop_token& outer)
      : source_(source), forward_(outer, [&source] { source.request_stop(); }) {
    if (seconds > 0)
      thread_ = std::jthread([this, seconds](const std::stop_token& over) {
        std::unique_lock lock(mutex_);
        const auto wait = std::chrono::duration<double>(seconds);
        if (!changed_.wait_for(lock, over, wait, [] { return false; }) && !over.stop_requested()) {
          reached_ = true;
          source_.request_stop();
        }
      });
  }
  // After the work.
  bool reached() {
    thread_ = {};  // stops and joins it
    return reached_;
  }

 private:
  std::stop_source& source_;
  std::stop_callback<std::function<void()>> forward_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool reached_ = false;
  std::jthread thread_;
};

// Counts iterations, and requests a stop after the one in which the time is over, or after a given
// one.
class IterationLimit final : public Observer {
 public:
  IterationLimit(std::stop_source& source, double seconds, std::int64_t last)
      : source_(source), seconds_(seconds), last_(last) {}
  void iteration(const Iteration&) override {
    if (cut_ || source_.stop_requested()) return;
    ++count_;
    const std::chrono::duration<double> spent = TrainedCells::Clock::now() - began_;
    cut_ = last_ > 0 ? count_ >= last_ : seconds_ > 0 && spent.count() > seconds_;
    if (cut_) source_.request_stop();
  }
  std::int64_t count() const noexcept { return count_; }
  bool cut() const noexcept { return cut_; }

 private:
  std::stop_source& source_;
  double seconds_;
  std::int64_t last_, count_ = 0;
  bool cut_ = false;
  TrainedCells::Clock::time_point began_ = TrainedCells::Clock::now();
};

// Until a run without a model is given up, by its limit.
double patience(double limit) {
  return 0.05 + 1.5 * limit;
}

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TrainedCells::TrainedCells(const CandidateTable& candidates, const Judging& judging, Terms terms)
    : candidates_(candidates), judging_(judging), terms_(std::move(terms)) {}

std::string TrainedCells::path(const CellAt& where) const {
  return (terms_.folder / fmt::format("{}.{}.split{}.share{}.json",
                                      candidates_.learner(where.candidate), where.candidate.point,
                                      where.split + 1, where.share))
      .string();
}

TrainedCell TrainedCells::train(const CellAt& where, int threads, Context& context) const {
  if (terms_.slow.contains(where)) return {.status = TrainedCell::Status::slow};
  if (where.share == kRefitted) {
    const auto began = Clock::now();
    TrainedCell cell = refit_split(candidates_, judging_, *this, where, context);
    cell.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    cell.work = cell.seconds * threads;
    return cell;
  }
  TrainingSpec spec{.learner = candidates_.learner(where.candidate),
                    .options = candidates_.options(where.candidate)};
  spec.convention = terms_.convention;
  spec.measures = {terms_.measure};
  const auto learner = choose_learner(spec).learner;
  const auto view = judging_.split(where.split)
                        .view(preparation_steps(*learner, {}), "", *learner, terms_.measure,
                              terms_.convention, context);
  const PreparedData data = with_share(*view, where.share, context.seed);
  const auto known = terms_.cut.find(where);
  const std::int64_t last = known == terms_.cut.end() ? 0 : known->second;
  const double seconds = limit_ / threads;
  std::stop_source source;
  const bool give_up = limit_ > 0 && without_model_ == WithoutModel::given_up;
  TimeLimit limit(source, give_up ? patience(seconds) : 0, context.stop);
  IterationLimit iterations(source, seconds, last);
  Context inner{context.seed,       context.pool, context.comm,  iterations,
                source.get_token(), nullptr,      context.device};
  const auto began = Clock::now();
  TrainedCell cell;
  Trained trained;
  try {
    trained = podium::train(spec, data, inner);
    if (limit.reached() && !iterations.cut()) cell.status = TrainedCell::Status::slow;
  } catch (const Stopped&) {
    cell.status = TrainedCell::Status::slow;
  }
  if (context.stop.stop_requested()) throw Stopped();
  cell.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  cell.work = cell.seconds * threads;
  if (cell.status == TrainedCell::Status::slow) return cell;
  Context scoring{context.seed, context.pool, context.comm,  context.observer,
                  {},           nullptr,      context.device};
  const Model& model = trained.model.model;
  cell.scores = score(model, view->test, scoring);
  cell.test_scale = score_scale(view->test, cell.scores);
  cell.train_scale = score_scale(data.train, score(model, data.train, scoring));
  cell.per_query = Evaluator({terms_.measure}, terms_.convention)
                       .evaluate(view->test, cell.scores, scoring)
                       .per_query[0];
  cell.best_iteration = trained.result.best_iteration;
  cell.iterations = iterations.count();
  cell.cut = iterations.cut();
  cell.chosen = trained.result.chosen;
  return cell;
}

TrainedCell TrainedCells::train_or_fail(const CellAt& where, int threads, Context& context) const {
  Observer silent;
  Context inner{context.seed, context.pool, context.comm,  silent,
                context.stop, nullptr,      context.device};
  try {
    return train(where, threads, inner);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    return {.status = TrainedCell::Status::failed, .message = error.message()};
  }
}

// One that was cut or given up is trained again if it now has more time.
std::optional<TrainedCell> TrainedCells::saved(const CellAt& where) const {
  if (terms_.folder.empty() || terms_.slow.contains(where)) return {};
  auto known = cell_from_text(file_text(path(where)), candidates_.text(where.candidate));
  if (!known) return known;
  if (const auto cut = terms_.cut.find(where); cut != terms_.cut.end())
    return known->cut && known->iterations == cut->second ? known : std::nullopt;
  if (known->status != TrainedCell::Status::slow && !known->cut) return known;
  return limit_ > 0 && limit_ <= kMoreTime * known->work ? known : std::nullopt;
}

// Trains and saves one; if another run of this candidate was just given up, so is this one. What an
// earlier run gave up says nothing of others: the log names each.
void TrainedCells::add(const CellAt& where, int threads, TrainedCell& found, Context& context) {
  if (context.stop.stop_requested()) return;
  const auto given_up = [&] {
    const std::scoped_lock lock(mutex_);
    return given_up_.contains(where.candidate);
  };
  if (given_up())
    found = {.status = TrainedCell::Status::slow, .work = limit_};
  else
    found = train_or_fail(where, threads, context);
  if (found.status == TrainedCell::Status::slow && !terms_.slow.contains(where)) {
    const std::scoped_lock lock(mutex_);
    given_up_.insert(where.candidate);
  }
  if (terms_.folder.empty()) return;
  OutputFile file(path(where));
  file.write(cell_text(found, candidates_.text(where.candidate)));
  file.commit();
}

void TrainedCells::require(const std::vector<CellAt>& wanted, Context& context) {
  std::vector<CellAt> missing;
  for (const CellAt& where : wanted) {
    if (cells_.contains(where) || std::find(missing.begin(), missing.end(), where) != missing.end())
      continue;
    if (auto known = saved(where)) {
      seconds_ += known->seconds;
      cells_.emplace(where, *std::move(known));
    } else {
      missing.push_back(where);
    }
  }
  if (missing.empty()) return;
  if (deadline_ && Clock::now() > *deadline_) throw OutOfTime();
  // One thread each for as many as keep all threads busy, all threads for each of the others.
  std::vector<TrainedCell> found(missing.size());
  const auto threads = static_cast<std::size_t>(context.pool.threads());
  const std::size_t rest = missing.size() % threads;
  const std::size_t side_by_side = missing.size() - (2 * rest <= threads ? rest : 0);
  given_up_.clear();
  context.pool.run(side_by_side, [&](std::size_t i) { add(missing[i], 1, found[i], context); });
  for (std::size_t i = side_by_side; i < missing.size(); ++i)
    add(missing[i], context.pool.threads(), found[i], context);
  if (context.stop.stop_requested()) throw Stopped();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    seconds_ += found[i].seconds;
    work_ += found[i].seconds > 0 ? found[i].work : 0;
    ++trained_;
    cells_.emplace(missing[i], std::move(found[i]));
  }
}

}  // namespace podium
