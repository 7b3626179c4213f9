// Two ratios from one run: the time to open a `.podium` file must not depend on its size, and
// evaluating ten measures must take less than a quarter of the time of reading the text.
#include <chrono>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <unistd.h>

#include "core/random.h"
#include "podium/data_io.h"
#include "podium/evaluator.h"
#include "podium/synthetic.h"

namespace podium {
namespace {

double best_seconds(int repeats, const std::function<void()>& action) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

void run(const std::string& folder) {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  double first = 0;
  for (const int queries : {50, 200, 800}) {
    options.queries = queries;
    const Dataset data = make_synthetic(options, context);
    const std::string path = fmt::format("{}/{}.podium", folder, queries);
    write_dataset(data, path, context);
    const double seconds = best_seconds(20, [&] { read_dataset(path, {}, context); });
    if (first == 0) first = seconds;
    fmt::print("open {:7.1f} MB  {:8.1f} us   {:.2f} x the smallest\n",
               static_cast<double>(std::filesystem::file_size(path)) / 1e6, seconds * 1e6,
               seconds / first);
    if (queries != 800) continue;
    const std::string text = folder + "/text.txt";
    write_dataset(data, text, context);
    std::vector<double> scores(data.documents());
    Random random(1);
    for (double& s : scores) s = random.uniform();
    const Convention& convention = find_convention("podium");
    const Evaluator evaluator(
        parse_measures("nDCG@1,nDCG@5,nDCG@10,nDCG,AP,RR,ERR@10,P@10,R@10,AUC", convention),
        convention);
    const double reading = best_seconds(5, [&] { read_dataset(text, {}, context); });
    const double evaluating = best_seconds(5, [&] { evaluator.evaluate(data, scores, context); });
    fmt::print("read {:.1f} MB of text {:.1f} ms, evaluate ten measures {:.1f} ms: {:.3f} of it\n",
               static_cast<double>(std::filesystem::file_size(text)) / 1e6, reading * 1e3,
               evaluating * 1e3, evaluating / reading);
  }
}

}  // namespace
}  // namespace podium

int main() {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("podium-cache-benchmark-{}", getpid());
  std::filesystem::create_directories(folder);
  podium::run(folder.string());
  std::filesystem::remove_all(folder);
}
