#include "data/synthetic/synthetic_model.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "data/synthetic/shop.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kCalibrationSeed = 0x9E3779B97F4A7C15;
constexpr std::size_t kCalibrationSample = 1 << 15;

struct Preset {
  SyntheticPreset preset;
  std::string_view name;
  std::int64_t docs, features, grades;
  std::vector<double> shares;  // of the grades, from 0, if their number is the preset's default
};

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {SyntheticPreset::plain, "plain", 50, 30, 5, {}},
      {SyntheticPreset::mslr, "mslr", 120, 136, 5, {52, 32, 13, 2, 1}},
      {SyntheticPreset::letor, "letor", 30, 46, 3, {80, 13, 7}},
      {SyntheticPreset::clicks, "clicks", 10, 30, 5, {}},
      {SyntheticPreset::shop, "shop", 20, kShopFeatures, kShopGrades, {}},
  };
  return all;
}

const Preset& preset_of(SyntheticPreset wanted) {
  return *std::find_if(presets().begin(), presets().end(),
                       [wanted](const Preset& preset) { return preset.preset == wanted; });
}

Choices<SyntheticPreset> preset_choices() {
  Choices<SyntheticPreset> choices;
  for (const Preset& preset : presets()) choices.emplace_back(preset.name, preset.preset);
  return choices;
}

// The preset's shares, or each grade half as frequent as the one below.
std::vector<double> grade_shares(const SyntheticOptions& resolved) {
  const Preset& preset = preset_of(resolved.preset);
  if (preset.grades == resolved.grades && !preset.shares.empty()) return preset.shares;
  std::vector<double> shares;
  for (double share = 1; static_cast<std::int64_t>(shares.size()) < resolved.grades; share /= 2)
    shares.push_back(share);
  return shares;
}

}  // namespace

const OptionTable<SyntheticOptions>& synthetic_option_table() {
  static const OptionTable<SyntheticOptions> table =
      OptionTable<SyntheticOptions>()
          .add("preset", &SyntheticOptions::preset, "kind of data to generate", preset_choices())
          .add("queries", &SyntheticOptions::queries, "number of queries", between(1, 1e9))
          .add("docs", &SyntheticOptions::docs,
               "documents per query; 0: the preset's (50, mslr about 120, letor about 30, clicks "
               "10, shop 20)",
               between(0, 1e6))
          .add("features", &SyntheticOptions::features,
               "number of features; 0: the preset's (30, mslr 136, letor 46, clicks 30, shop 11)",
               between(0, 1e6))
          .add("grades", &SyntheticOptions::grades,
               "number of grades, 2 to 10; 0: the preset's (5, letor 3, shop 4)", between(0, 10))
          .add("hosts", &SyntheticOptions::hosts,
               "hosts per query; documents of one host are of similar quality; 0: none",
               between(0, 1e6));
  return table;
}

std::string_view to_text(SyntheticPreset preset) {
  return preset_of(preset).name;
}

SyntheticOptions resolve(const SyntheticOptions& options) {
  const Preset& preset = preset_of(options.preset);
  SyntheticOptions resolved = options;
  if (resolved.docs == 0) resolved.docs = preset.docs;
  if (resolved.features == 0) resolved.features = preset.features;
  if (resolved.grades == 0) resolved.grades = preset.grades;
  if (resolved.queries < 1 || resolved.docs < 1 || resolved.features < 1)
    throw Error(ErrorCode::usage, "synthetic data needs at least one query, document and feature");
  if (resolved.grades < 2 || resolved.grades > 10)
    throw Error(ErrorCode::usage, fmt::format("{} grades; 2 to 10 are possible", resolved.grades));
  if (resolved.preset == SyntheticPreset::shop &&
      (resolved.features != kShopFeatures || resolved.grades != kShopGrades || resolved.hosts > 0))
    throw Error(ErrorCode::usage,
                fmt::format("‹preset shop› has {} columns, {} grades and no hosts", kShopFeatures,
                            kShopGrades));
  return resolved;
}

double draw_normal(Random& random) {
  constexpr double kMean = 4 * 65535 / 2.0;
  constexpr double kScale = 1 / 37837.22683592;  // 1 / √(4 · (2³² − 1) / 12)
  const std::uint64_t bits = random.next();
  const std::uint64_t sum =
      (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
  return (static_cast<double>(sum) - kMean) * kScale;
}

SyntheticQuery draw_query(Random& random) {
  SyntheticQuery query;
  query.kind = static_cast<int>(random.below(2));
  query.length = 1 + static_cast<int>(random.below(8));
  query.ease = draw_normal(random);
  return query;
}

SyntheticDocument draw_document(const SyntheticQuery& query, Random& random) {
  SyntheticDocument document;
  auto& z = document.trait;
  for (double& trait : z) trait = draw_normal(random);
  double u = 0.8 * z[0] + 0.55 * z[1] + 0.4 * z[2] + 0.25 * z[3];
  u += 1.8 / (1 + 2 * z[4] * z[4]);
  u += 0.8 * z[5] * z[6];
  if (z[0] > 0.3) u += 0.7 * z[7];
  u += 0.7 * (query.kind == 0 ? z[8] : z[9]);
  document.quality = u + 0.4 * query.ease + 0.6 * draw_normal(random);
  return document;
}

std::size_t draw_list_length(const SyntheticOptions& resolved, Random& random) {
  const auto mean = static_cast<double>(resolved.docs);
  double length = mean;
  if (resolved.preset == SyntheticPreset::mslr) {
    constexpr double kMeanOfStretch = 1.0986122886681098;  // ln 3, of 1 / (½ + uniform)
    const double three = random.uniform() + random.uniform() + random.uniform();
    length = mean * three / 1.5 / (0.5 + random.uniform()) / kMeanOfStretch;
  } else if (resolved.preset == SyntheticPreset::letor) {
    length = mean * (2 + 2 * random.uniform()) / 3;
  }
  return std::max<std::size_t>(1, static_cast<std::size_t>(length + 0.5));
}

std::vector<double> grade_thresholds(const SyntheticOptions& resolved) {
  std::vector<double> sample(kCalibrationSample);
  Random random(kCalibrationSeed);
  for (double& quality : sample) quality = draw_document(draw_query(random), random).quality;
  std::sort(sample.begin(), sample.end());
  const auto shares = grade_shares(resolved);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<double> thresholds;
  double below = 0;
  for (std::size_t g = 0; g + 1 < shares.size(); ++g) {
    below += shares[g];
    const double place = below / total * static_cast<double>(sample.size());
    thresholds.push_back(sample[std::min(sample.size() - 1, static_cast<std::size_t>(place))]);
  }
  return thresholds;
}

Session draw_session(const std::vector<SyntheticDocument>& documents,
                     const std::vector<int>& document_grades, std::int64_t grades, Random& random) {
  std::vector<double> shown_by(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i)
    shown_by[i] =
        0.8 * documents[i].trait[0] + 0.55 * documents[i].trait[1] + 0.8 * draw_normal(random);
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shown_by[a] > shown_by[b]; });
  Session session{std::vector<std::int32_t>(documents.size()), std::vector<char>(documents.size())};
  const double best = static_cast<double>((1 << (grades - 1)) - 1);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    const double attraction = 0.1 + 0.9 * static_cast<double>((1 << document_grades[i]) - 1) / best;
    session.positions[i] = static_cast<std::int32_t>(rank + 1);
    session.clicked[i] = random.uniform() * static_cast<double>(rank + 1) < attraction;
  }
  return session;
}

std::vector<std::size_t> draw_hosts(const std::vector<SyntheticDocument>& documents,
                                    std::int64_t hosts, Random& random) {
  const std::size_t n = documents.size();
  std::vector<double> key(n);
  for (std::size_t i = 0; i < n; ++i) key[i] = documents[i].quality + draw_normal(random);
  std::vector<std::size_t> order(n), cuts(n - 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key[a] > key[b]; });
  std::iota(cuts.begin(), cuts.end(), std::size_t{1});
  random.shuffle(std::span(cuts));
  cuts.resize(std::min(cuts.size(), static_cast<std::size_t>(hosts) - 1));
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::size_t> run(n), host(n);
  for (std::size_t rank = 0; rank < n; ++rank)
    run[order[rank]] =
        static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), rank) - cuts.begin());
  // Numbered in order of appearance, so that the number reveals nothing about the quality.
  std::vector<std::size_t> number(cuts.size() + 1, n);
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (number[run[i]] == n) number[run[i]] = next++;
    host[i] = number[run[i]];
  }
  return host;
}

}  // namespace podium
