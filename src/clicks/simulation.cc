#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "core/output_file.h"
#include "core/random.h"
#include "podium/click_log.h"
#include "podium/click_simulation.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kSessionsPerTask = 2048;
constexpr double kTrustOfRelevant = 0.98, kTrustOfOthers = 0.3, kPerseverance = 0.9;
constexpr std::uint64_t kTieStream = 0x746965;  // apart from the sessions'

double largest_label(const Dataset& data) {
  float largest = 0;
  for (const float y : data.labels()) largest = std::max(largest, y);
  return largest;
}

// Each query's first documents, best first.
std::vector<std::vector<std::uint32_t>> ranked_lists(const Dataset& data,
                                                     std::span<const double> scores,
                                                     const SimulationOptions& options,
                                                     std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> lists(data.queries());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    auto& list = lists[q];
    list.resize(data.end(q) - data.begin(q));
    std::iota(list.begin(), list.end(), static_cast<std::uint32_t>(data.begin(q)));
    const auto tie = [&](std::uint32_t d) { return mix(seed ^ kTieStream, d); };
    std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : tie(a) < tie(b);
    });
    if (options.depth > 0 && list.size() > static_cast<std::size_t>(options.depth))
      list.resize(static_cast<std::size_t>(options.depth));
  }
  return lists;
}

class Reader {
 public:
  Reader(const SimulationOptions& options, std::vector<double> gamma, const SimulationTruth& truth)
      : options_(options), gamma_(std::move(gamma)), truth_(truth) {}

  // Whether each document of the list is clicked.
  void read(std::span<const std::uint32_t> list, Random& random, std::vector<char>& clicked) const {
    clicked.assign(list.size(), 0);
    bool examined = true;
    for (std::size_t r = 0; r < list.size(); ++r) {
      // All numbers are drawn, so that a session is the same up to where readers differ.
      const double draw = random.uniform(), satisfied = random.uniform(), goes_on = random.uniform();
      const double gamma = gamma_[list[r]];
      switch (options_.click_model) {
        case SimulatedClicks::pbm:
          clicked[r] = draw < truth_.propensities[r] * gamma;
          break;
        case SimulatedClicks::trust:
          clicked[r] = draw < truth_.slope[r] * gamma + truth_.offset[r];
          break;
        case SimulatedClicks::cascade:
          clicked[r] = examined && draw < gamma;
          examined = examined && !clicked[r];
          break;
        case SimulatedClicks::dbn:
          clicked[r] = examined && draw < gamma;
          examined = examined && !(clicked[r] && satisfied < gamma) && goes_on < kPerseverance;
          break;
      }
    }
  }

 private:
  const SimulationOptions& options_;
  std::vector<double> gamma_;
  const SimulationTruth& truth_;
};

SimulationTruth truth_of(const SimulationOptions& options, std::size_t positions) {
  SimulationTruth truth;
  const bool has_theta = options.click_model == SimulatedClicks::pbm ||
                         options.click_model == SimulatedClicks::trust;
  for (std::size_t p = 1; has_theta && p <= positions; ++p) {
    const double theta = math::pow(static_cast<double>(p), -options.eta);
    truth.propensities.push_back(theta);
    if (options.click_model == SimulatedClicks::pbm) continue;
    const double others = kTrustOfOthers / static_cast<double>(p);
    truth.slope.push_back(theta * (kTrustOfRelevant - others));
    truth.offset.push_back(theta * others);
  }
  return truth;
}

void explore(Exploration kind, Random& random, std::vector<std::uint32_t>& list) {
  if (list.size() < 2) return;
  if (kind == Exploration::shuffle) return random.shuffle(std::span(list));
  const std::size_t a = random.below(list.size());
  const std::size_t b = (a + 1 + random.below(list.size() - 1)) % list.size();
  std::swap(list[a], list[b]);
}

}  // namespace

std::vector<double> attractiveness(const Dataset& data, double noise) {
  const double best = math::exp2(largest_label(data)) - 1;
  std::vector<double> gamma;
  for (const float y : data.labels()) {
    const double grade = best > 0 ? (math::exp2(std::max(y, 0.0F)) - 1) / best : 0;
    gamma.push_back(noise + (1 - noise) * grade);
  }
  return gamma;
}

SimulationTruth simulate_clicks(const Dataset& data, std::span<const double> scores,
                                const SimulationOptions& options, const std::string& path,
                                Context& context) {
  const auto lists = ranked_lists(data, scores, options, context.seed);
  std::size_t longest = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size());
  if (longest == 0) throw Error(ErrorCode::data, "the data has no documents to show");
  SimulationTruth truth = truth_of(options, longest);
  std::vector<std::string> docids;
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t d = data.begin(q); d < data.end(q); ++d)
      docids.push_back(log_docid(data, q, d));
  const Reader reader(options, attractiveness(data, options.noise), truth);
  const auto write_session = [&](std::size_t s, std::string& out, SimulationTruth& counts) {
    Random random(context.seed, s + 1);
    const std::size_t q = random.below(data.queries());
    std::vector<std::uint32_t> list = lists[q];
    if (random.uniform() < options.explore) explore(options.exploration, random, list);
    std::vector<char> clicked;
    reader.read(list, random, clicked);
    for (std::size_t r = 0; r < list.size(); ++r)
      fmt::format_to(std::back_inserter(out), "s{}\t{}\t{}\t{}\t{}\n", s + 1, data.qid(q),
                     docids[list[r]], r + 1, clicked[r] ? 1 : 0);
    counts.lines += list.size();
    counts.clicks += static_cast<std::uint64_t>(std::count(clicked.begin(), clicked.end(), 1));
  };
  OutputFile file(path);
  file.write("session\tqid\tdocid\tposition\tclick\n");
  const auto sessions = static_cast<std::size_t>(options.sessions);
  constexpr std::size_t kTasks = 16;  // in memory at a time
  for (std::size_t begin = 0; begin < sessions; begin += kTasks * kSessionsPerTask) {
    std::vector<std::string> texts(kTasks);
    std::vector<SimulationTruth> counts(kTasks);
    context.pool.run(kTasks, [&](std::size_t task) {
      const std::size_t first = begin + task * kSessionsPerTask;
      for (std::size_t s = first; s < std::min(sessions, first + kSessionsPerTask); ++s)
        write_session(s, texts[task], counts[task]);
    });
    for (std::size_t task = 0; task < kTasks; ++task) {
      file.write(texts[task]);
      truth.lines += counts[task].lines;
      truth.clicks += counts[task].clicks;
    }
  }
  file.commit();
  return truth;
}

const OptionTable<SimulationOptions>& simulation_option_table() {
  static const auto options =
      OptionTable<SimulationOptions>()
          .add("click-model", &SimulationOptions::click_model, "how users click",
               {{"pbm", SimulatedClicks::pbm},
                {"trust", SimulatedClicks::trust},
                {"dbn", SimulatedClicks::dbn},
                {"cascade", SimulatedClicks::cascade}})
          .add("eta", &SimulationOptions::eta,
               "position p is examined with probability 1/p^eta (pbm, trust); 0: no bias",
               between(0, 10))
          .add("noise", &SimulationOptions::noise,
               "probability that a document of grade 0 is clicked where it is examined",
               between(0, 1))
          .add("sessions", &SimulationOptions::sessions, "sessions to simulate",
               between(1, 1e12))
          .add("depth", &SimulationOptions::depth, "documents shown per session; 0: all",
               at_least(0))
          .add("explore", &SimulationOptions::explore,
               "share of the sessions in which documents are moved by chance", between(0, 1))
          .add("exploration", &SimulationOptions::exploration,
               "swap: two documents change places; shuffle: all do",
               {{"swap", Exploration::swap}, {"shuffle", Exploration::shuffle}});
  return options;
}

}  // namespace podium
