// svm-map at C = 1 to a gap of 0.1 %: Podium's trainer against the loop that [Yue07] describes, in
// one run. The loop keeps a working set of constraints for every query, finds each query's most
// violated ranking with the paper's O(n⁺n⁻) argmax, and solves the dual over all constraints again
// after adding each; or, faster than the paper, after every round over the queries. Data: MQ2007's
// first fold if PODIUM_DATA is set, else synthetic lists of that shape.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "models/linear/linear.h"
#include "podium/data_io.h"
#include "podium/learner.h"
#include "podium/synthetic.h"

namespace podium {
namespace {

constexpr double kC = 1, kGap = 1e-3;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Query {
  std::vector<std::vector<double>> good, bad;  // feature vectors
};

struct Constraint {
  std::size_t query;
  std::vector<double> difference;  // φ(y*) − φ(y)
  double loss, alpha = 0;
};

class PaperLoop {
 public:
  enum class Solve { after_every_constraint, after_every_round };
  PaperLoop(const Dataset& data, Solve when) : w_(data.features()), when_(when) {
    for (std::size_t q = 0; q < data.queries(); ++q) {
      Query query;
      const Rows rows = data.rows(q);
      for (std::size_t i = 0; i < rows.documents(); ++i) {
        const auto x = rows.dense(i);
        (data.labels(q)[i] >= 1 ? query.good : query.bad).emplace_back(x.begin(), x.end());
      }
      if (!query.good.empty() && !query.bad.empty()) queries_.push_back(std::move(query));
    }
    used_.resize(queries_.size());
    of_query_.resize(queries_.size());
  }

  // Until the gap is reached or the time is up.
  int run(double max_seconds) {
    const auto start = std::chrono::steady_clock::now();
    int rounds = 0;
    for (; gap_ > kGap && seconds_since(start) < max_seconds; ++rounds) {
      for (std::size_t q = 0; q < queries_.size(); ++q) {
        Constraint found = most_violated(q);
        const double violation = found.loss - dot(w_, found.difference);
        double slack = 0;
        for (const std::size_t c : of_query_[q])
          slack = std::max(slack, constraints_[c].loss - dot(w_, constraints_[c].difference));
        if (violation <= slack + 0.2 * kGap) continue;
        of_query_[q].push_back(constraints_.size());
        constraints_.push_back(std::move(found));
        if (when_ == Solve::after_every_constraint) solve();
      }
      solve();
      double dual = -0.5 * dot(w_, w_);
      for (const Constraint& c : constraints_) dual += c.alpha * c.loss;
      double exact = 0;  // the risk at the final w of the round
      for (std::size_t q = 0; q < queries_.size(); ++q) {
        const Constraint found = most_violated(q);
        exact += std::max(0.0, found.loss - dot(w_, found.difference));
      }
      const double primal = 0.5 * dot(w_, w_) + kC * exact / static_cast<double>(queries_.size());
      gap_ = (primal - dual) / primal;
      primal_ = primal;
    }
    return rounds;
  }
  double primal() const { return primal_; }
  double gap() const { return gap_; }
  std::size_t constraints() const { return constraints_.size(); }

 private:
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }

  // [Yue07] section 3.3: each bad document in turn tries every position among the goods.
  Constraint most_violated(std::size_t q) const {
    const Query& query = queries_[q];
    const std::size_t goods = query.good.size(), bads = query.bad.size();
    const auto by_score = [&](const std::vector<std::vector<double>>& list) {
      std::vector<std::pair<double, std::size_t>> order;
      for (std::size_t i = 0; i < list.size(); ++i) order.emplace_back(-dot(w_, list[i]), i);
      std::sort(order.begin(), order.end());
      return order;
    };
    const auto good = by_score(query.good), bad = by_score(query.bad);
    const double scale = 2 / (static_cast<double>(goods) * static_cast<double>(bads));
    std::vector<std::size_t> above(goods);
    for (std::size_t j = 0; j < bads; ++j) {
      double sum = 0, best = 0;
      std::size_t first = goods;
      for (std::size_t i = goods; i-- > 0;) {
        const auto jj = static_cast<double>(j + 1), ii = static_cast<double>(i + 1);
        sum += (jj / (jj + ii) - (jj - 1) / (jj + ii - 1)) / static_cast<double>(goods) -
               scale * (bad[j].first - good[i].first);
        if (sum > best) {
          best = sum;
          first = i;
        }
      }
      for (std::size_t i = first; i < goods; ++i) ++above[i];
    }
    Constraint out{q, std::vector<double>(w_.size()), 0};
    for (std::size_t i = 0; i < goods; ++i) {
      const auto count = static_cast<double>(above[i]);
      out.loss += count / (static_cast<double>(i + 1) + count) / static_cast<double>(goods);
      const auto& x = query.good[good[i].second];
      for (std::size_t f = 0; f < x.size(); ++f) out.difference[f] += scale * count * x[f];
      for (std::size_t j = 0; j < above[i]; ++j) {
        const auto& z = query.bad[bad[j].second];
        for (std::size_t f = 0; f < z.size(); ++f) out.difference[f] -= scale * z[f];
      }
    }
    return out;
  }

  // Dual ascent: each query's multipliers sum to at most C/n, so its best constraint grows into the
  // remainder, and then takes weight from the worst.
  void solve() {
    const double total = kC / static_cast<double>(queries_.size());
    for (int sweep = 0; sweep < 200; ++sweep) {
      double moved = 0;
      for (std::size_t q = 0; q < queries_.size(); ++q) {
        Constraint *best = nullptr, *worst = nullptr;
        double high = 0, low = 0;
        for (const std::size_t c : of_query_[q]) {
          const double gain = constraints_[c].loss - dot(w_, constraints_[c].difference);
          if (!best || gain > high) {
            best = &constraints_[c];
            high = gain;
          }
          if (constraints_[c].alpha > 0 && (!worst || gain < low)) {
            worst = &constraints_[c];
            low = gain;
          }
        }
        if (!best) continue;
        const double size = dot(best->difference, best->difference);
        const double change =
            size > 0 ? std::clamp(high / size, -best->alpha, total - used_[q]) : 0.0;
        shift(*best, change);
        used_[q] += change;
        moved = std::max(moved, std::abs(change));
        if (!worst || worst == best) continue;
        double curvature = 0, slope = best->loss - worst->loss;
        for (std::size_t f = 0; f < w_.size(); ++f) {
          const double d = best->difference[f] - worst->difference[f];
          curvature += d * d;
          slope -= w_[f] * d;
        }
        const double step =
            curvature > 0 ? std::clamp(slope / curvature, -best->alpha, worst->alpha) : 0.0;
        shift(*best, step);
        shift(*worst, -step);
        moved = std::max(moved, std::abs(step));
      }
      if (moved < 1e-3 * total) break;
    }
  }
  void shift(Constraint& c, double change) {
    c.alpha += change;
    for (std::size_t f = 0; f < w_.size(); ++f) w_[f] += change * c.difference[f];
  }

  std::vector<double> w_;
  Solve when_;
  std::vector<Query> queries_;
  std::vector<Constraint> constraints_;
  std::vector<std::vector<std::size_t>> of_query_;
  std::vector<double> used_;
  double primal_ = 0, gap_ = 1;
};

Dataset load(Context& context) {
  if (const char* folder = std::getenv("PODIUM_DATA")) {
    const auto path =
        std::filesystem::temp_directory_path() / fmt::format("podium-mq2007-{}.txt", getpid());
    const std::string command = fmt::format(
        "xz -dc '{0}'/MQ2007/S1.txt.xz '{0}'/MQ2007/S2.txt.xz '{0}'/MQ2007/S3.txt.xz > '{1}'",
        folder, path.string());
    if (std::system(command.c_str()) == 0) {
      const Dataset data = read_dataset(path.string(), {}, context);
      std::filesystem::remove(path);
      return data;
    }
  }
  SyntheticOptions options;
  options.preset = SyntheticPreset::letor;
  options.queries = 1000;
  return make_synthetic(options, context);
}

void run() {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  const Dataset data = load(context);
  const Convention& convention = find_convention("podium");
  const auto learner = learners().make("svm-map", {{"C", "1"}, {"epsilon", "1e-3"}});
  const TrainingProblem problem{data, nullptr, parse_measure("AP", convention), convention};
  auto start = std::chrono::steady_clock::now();
  const TrainingResult result = learner->train(problem, context);
  const double ours = seconds_since(start);
  double passes = 0;
  for (const auto& [name, value] : result.log[0].values)
    if (name == "passes") passes = value;
  fmt::print("podium      {:8.3f} s, {} passes, primal {:.6f}, gap {:.2g}\n", ours, passes,
             result.certificate->primal, result.certificate->gap);
  for (const auto when :
       {PaperLoop::Solve::after_every_constraint, PaperLoop::Solve::after_every_round}) {
    std::fflush(stdout);
    PaperLoop loop(data, when);
    start = std::chrono::steady_clock::now();
    const int rounds = loop.run(200 * ours);
    const double theirs = seconds_since(start);
    const bool every = when == PaperLoop::Solve::after_every_constraint;
    fmt::print(
        "paper loop  {:8.3f} s, {} rounds, {} constraints, primal {:.6f}, gap {:.2g}{}, dual "
        "solved after every {}\n",
        theirs, rounds, loop.constraints(), loop.primal(), loop.gap(),
        loop.gap() > kGap ? ", stopped" : "", every ? "constraint (the paper)" : "round");
    fmt::print("podium takes {:.4f} of that\n", ours / theirs);
  }
}

}  // namespace
}  // namespace podium

int main() {
  podium::run();
}
