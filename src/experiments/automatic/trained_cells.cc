#include "experiments/automatic/trained_cells.h"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "core/output_file.h"
#include "core/random.h"
#include "podium/blend.h"
#include "podium/error.h"
#include "podium/stop.h"
#include "trees/bin_cache.h"

namespace podium {
namespace {

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
  TimeLimit(double seconds, const std::stop_token& outer)
      : forward_(outer, [this] { source_.request_stop(); }) {
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
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool reached_ = false;
  std::jthread thread_;
};

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

TrainedCell TrainedCells::train(const CellAt& where, Context& context) const {
  TrainingSpec spec{.learner = candidates_.learner(where.candidate),
                    .options = candidates_.options(where.candidate)};
  spec.convention = terms_.convention;
  spec.measures = {terms_.measure};
  const auto learner = choose_learner(spec).learner;
  const auto view = judging_.split(where.split)
                        .view(preparation_steps(*learner, {}), "", *learner, terms_.measure,
                              terms_.convention, context);
  const PreparedData data = with_share(*view, where.share, context.seed);
  const Trained trained = podium::train(spec, data, context);
  if (context.stop.stop_requested()) throw Stopped();
  TrainedCell cell;
  const Model& model = trained.model.model;
  cell.scores = score(model, view->test, context);
  cell.test_scale = score_scale(view->test, cell.scores);
  cell.train_scale = score_scale(data.train, score(model, data.train, context));
  cell.per_query = Evaluator({terms_.measure}, terms_.convention)
                       .evaluate(view->test, cell.scores, context)
                       .per_query[0];
  cell.best_iteration = trained.result.best_iteration;
  cell.chosen = trained.result.chosen;
  cell.seconds = trained.seconds;
  return cell;
}

TrainedCell TrainedCells::train_within_time(const CellAt& where, Context& context) const {
  if (terms_.slow.contains(where)) return {.status = TrainedCell::Status::slow};
  TimeLimit limit(terms_.cell_seconds, context.stop);
  Observer silent;
  Context inner{context.seed,  context.pool, context.comm,  silent,
                limit.token(), nullptr,      context.device};
  try {
    return train(where, inner);
  } catch (const Stopped&) {
    if (!limit.reached()) throw;
    return {.status = TrainedCell::Status::slow, .seconds = terms_.cell_seconds};
  } catch (const Error& error) {
    return {.status = TrainedCell::Status::failed, .message = error.message()};
  }
}

// One that was given up is tried again if it now has more time.
std::optional<TrainedCell> TrainedCells::saved(const CellAt& where) const {
  if (terms_.folder.empty() || terms_.slow.contains(where)) return {};
  auto known = cell_from_text(file_text(path(where)), candidates_.text(where.candidate));
  if (!known || known->status != TrainedCell::Status::slow) return known;
  const bool more_time = terms_.cell_seconds == 0 || terms_.cell_seconds > known->seconds;
  return more_time ? std::nullopt : known;
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
  std::vector<TrainedCell> found(missing.size());
  context.pool.run(missing.size(), [&](std::size_t i) {
    if (context.stop.stop_requested()) return;
    found[i] = train_within_time(missing[i], context);
    if (terms_.folder.empty()) return;
    OutputFile file(path(missing[i]));
    file.write(cell_text(found[i], candidates_.text(missing[i].candidate)));
    file.commit();
  });
  if (context.stop.stop_requested()) throw Stopped();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    seconds_ += found[i].seconds;
    ++trained_;
    cells_.emplace(missing[i], std::move(found[i]));
  }
}

}  // namespace podium
