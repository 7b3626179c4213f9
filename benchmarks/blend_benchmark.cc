// Scoring with a blend of three forests of 300 trees of 31 leaves and a linear model, 136 features,
// one thread: documents per second of processor time, compiled and not, and the time relative to
// the members scored one by one. The bar is 300,000 documents per second.
#include <ctime>
#include <functional>

#include <fmt/format.h>

#include "models/model_kinds.h"
#include "podium/compiled_model.h"
#include "podium/synthetic.h"
#include "podium/training.h"

namespace podium {
namespace {

double best_seconds(const std::function<void()>& action) {
  double best = 1e300;
  for (int run = 0; run < 5; ++run) {
    const std::clock_t begin = std::clock();
    action();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

SavedModel trained(const char* learner, Assignments options, const Dataset& data,
                   Context& context) {
  TrainingSpec spec{.learner = learner, .options = std::move(options)};
  spec.measures = parse_measures("nDCG@10", spec.convention);
  return train(spec, data, nullptr, context);
}

int run_blends() {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  options.queries = 100;
  const Dataset data = make_synthetic(options, context);
  std::vector<BlendMember> members;
  for (const char* learner : {"lambdamart", "mart", "intervalrank"})
    members.push_back(
        {1, 1, trained(learner, {{"trees", "300"}, {"leaves", "31"}}, data, context)});
  members.push_back({1, 1, trained("linear", {}, data, context)});
  const SavedModel blend = make_blend(members);
  const CompiledModel compiled(blend);
  std::vector<CompiledModel> parts;
  for (const BlendMember& member : members) parts.emplace_back(member.saved);
  const double whole = best_seconds([&] { compiled.score(data); });
  const double plain = best_seconds([&] { score(blend, data, context); });
  const double one_by_one = best_seconds([&] {
    for (const CompiledModel& part : parts) part.score(data);
  });
  const auto documents = static_cast<double>(data.documents());
  fmt::print(
      "{} documents x {} features, {} trees: compiled {:.0f} documents/s, not compiled {:.0f}, "
      "{:.2f} of the time of the members one by one\n",
      data.documents(), data.features(), tree_count(blend.model).value_or(0), documents / whole,
      documents / plain, whole / one_by_one);
  return 0;
}

}  // namespace
}  // namespace podium

int main() {
  return podium::run_blends();
}
