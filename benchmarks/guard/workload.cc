#include "guard/workload.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "core/random.h"
#include "podium/data_io.h"
#include "podium/synthetic.h"
#include "trees/tree_builder.h"

namespace podium {
namespace {

constexpr std::size_t kTrecDocuments = 1000, kTrecJudged = 100;  // a topic

Dataset make_data(std::int64_t queries, Context& context) {
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  options.queries = queries;
  return make_synthetic(options, context);
}

std::vector<double> draw_scores(std::span<const float> labels, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> scores;
  for (const float label : labels)
    scores.push_back(0.3 * static_cast<double>(label) + random.uniform() + random.uniform());
  return scores;
}

Workload::Derivatives draw_derivatives(std::span<const float> labels, std::uint64_t seed) {
  Random random(seed);
  Workload::Derivatives drawn;
  for (const float label : labels) {
    const double tail = 1 / std::sqrt(random.uniform() + 1e-3);
    drawn.first.push_back((random.uniform() - 0.4 - 0.2 * static_cast<double>(label)) * tail);
    drawn.second.push_back(0.1 + 0.2 * tail);
  }
  return drawn;
}

// A name as in TREC collections: long, with a scrambled number.
std::string document_name(std::uint64_t number) {
  const std::uint64_t mixed = mix(number, 1);
  return fmt::format("WEB{:04}-{:02}-{:05}", mixed % 9000, mixed / 9000 % 100, number);
}

}  // namespace

Workload::Workload(const WorkloadSize& size)
    : size_(size),
      folder_(std::filesystem::temp_directory_path() / fmt::format("podium-kernels-{}", getpid())) {
  std::filesystem::create_directory(folder_);
}

Workload::~Workload() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

const Dataset& Workload::data() {
  if (!data_) data_ = make_data(size_.queries, context_);
  return *data_;
}

const BinnedDataset& Workload::binned() {
  if (!binned_) binned_ = BinnedDataset::bin(data(), {}, context_);
  return *binned_;
}

const std::vector<double>& Workload::scores() {
  if (scores_.empty()) scores_ = draw_scores(data().labels(), 11);
  return scores_;
}

const std::vector<double>& Workload::direction() {
  if (direction_.empty()) direction_ = draw_scores(data().labels(), 12);
  return direction_;
}

const Workload::Derivatives& Workload::derivatives() {
  if (derivatives_.first.empty()) derivatives_ = draw_derivatives(data().labels(), 13);
  return derivatives_;
}

const QuantizedDerivatives& Workload::quantized() {
  if (!quantized_)
    quantized_.emplace().assign(derivatives().first, derivatives().second, {}, binned().keys(), 0,
                                1, context_);
  return *quantized_;
}

std::vector<std::uint32_t> Workload::scattered(std::uint64_t one_in) {
  Random random(one_in);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t d = 0; d < data().documents(); ++d)
    if (random.below(one_in) == 0) chosen.push_back(d);
  return chosen;
}

const Forest& Workload::forest() {
  if (!forest_.trees.empty()) return forest_;
  const Dataset sample = query_range(data(), 0, std::min<std::size_t>(data().queries(), 40));
  const BinnedDataset bins = BinnedDataset::bin(sample, {}, context_);
  TreeBuilder builder(bins, {}, context_);
  std::vector<std::uint32_t> leaf_of(sample.documents());
  forest_.features = sample.features();
  for (std::int64_t t = 0; t < size_.trees; ++t) {
    const auto seed = static_cast<std::uint64_t>(t) + 100;
    const Derivatives drawn = draw_derivatives(sample.labels(), seed);
    forest_.trees.push_back(builder.build({drawn.first, drawn.second, {}, seed}, leaf_of));
  }
  return forest_;
}

std::filesystem::path Workload::file(std::string_view ending) const {
  return folder_ / fmt::format("data.{}", ending);
}

std::string Workload::letor_text() {
  const auto path = file("txt");
  if (!std::filesystem::exists(path))
    write_dataset(make_data(size_.text_queries, context_), path.string(), context_);
  return path.string();
}

std::string Workload::trec_run() {
  const auto path = file("run");
  if (std::filesystem::exists(path)) return path.string();
  std::ofstream out(path);
  Random random(14);
  for (std::int64_t topic = 1; topic <= size_.text_queries; ++topic)
    for (std::size_t rank = 0; rank < kTrecDocuments; ++rank)
      out << fmt::format("{} Q0 {} {} {:.6f} system\n", topic,
                         document_name(random.below(100'000) * kTrecDocuments + rank), rank + 1,
                         1000.0 - static_cast<double>(rank) + random.uniform());
  return path.string();
}

// For every tenth document of the run, by the same names.
std::string Workload::trec_qrels() {
  const auto path = file("qrels");
  if (std::filesystem::exists(path)) return path.string();
  std::ofstream out(path);
  Random random(14);
  for (std::int64_t topic = 1; topic <= size_.text_queries; ++topic)
    for (std::size_t rank = 0; rank < kTrecDocuments; ++rank) {
      const std::string name = document_name(random.below(100'000) * kTrecDocuments + rank);
      const double tie_breaker = random.uniform();
      if (rank % (kTrecDocuments / kTrecJudged) == 0)
        out << fmt::format("{} 0 {} {}\n", topic, name, tie_breaker < 0.3 ? 1 : 0);
    }
  return path.string();
}

}  // namespace podium
