#include "trees/cpu_tree_engine.h"

#include "trees/histogram_ranks.h"
#include "trees/run_tasks.h"

namespace podium {

CpuTreeEngine::CpuTreeEngine(const BinnedDataset& data, Context& context)
    : data_(data), context_(context), builder_(data, context.pool) {}

void CpuTreeEngine::set_target(const TreeTarget& target, double l2) {
  target_ = target;
  l2_ = l2;
}

TreeEngine::Root CpuTreeEngine::start() {
  const WorkPhase phase(context_.pool, "rounding derivatives");
  derivatives_.assign(target_.first, target_.second, target_.sample, data_.keys(), l2_,
                      target_.number, context_);
  partition_.reset(data_.documents(), target_.sample, context_.pool);
  return {derivatives_.first_unit(), derivatives_.second_unit(), partition_.all().size(),
          static_cast<std::int64_t>(derivatives_.extent().documents)};
}

void CpuTreeEngine::use_columns(std::span<const std::uint32_t> columns) {
  columns_.assign(columns.begin(), columns.end());
  builder_.use_columns(columns);
}

std::size_t CpuTreeEngine::split(const LeafSplit& split, std::optional<ChildSide> gathered) {
  if (!gathered) return partition_.split(split, data_, nullptr, context_.pool);
  const ChildWords words{*gathered, derivatives_.words(), words_};
  return partition_.split(split, data_, &words, context_.pool);
}

void CpuTreeEngine::gather(const LeafRange& leaf) {
  words_.gather(partition_.part(leaf.begin, leaf.end), derivatives_.words(), context_.pool);
}

void CpuTreeEngine::add(const LeafRange& leaf, std::size_t number) {
  while (histograms_.size() <= number) histograms_.emplace_back(data_.total_bins());
  builder_.add(partition_.part(leaf.begin, leaf.end), words_, histogram(number));
}

void CpuTreeEngine::complete(std::size_t number) {
  for (const std::uint32_t column : columns_) builder_.complete(column, histogram(number));
}

void CpuTreeEngine::add_ranks(std::span<const RankedHistogram> histograms) {
  std::vector<LeafHistogram> leaves;
  for (const RankedHistogram& one : histograms)
    leaves.push_back({histogram(one.number), one.documents});
  podium::add_ranks(leaves, columns_, data_, context_.comm);
}

std::vector<Split> CpuTreeEngine::search(const SplitFinder& finder,
                                         std::span<const LeafSearch> leaves,
                                         const Unfinished& unfinished) {
  std::vector<SplitProblem> problems;
  for (const LeafSearch& leaf : leaves)
    problems.push_back({histogram(leaf.histogram), leaf.sums, leaf.bounds, leaf.allowed});
  return finder.best(problems, context_.pool,
                     [&](std::uint32_t column) { finish(column, unfinished); });
}

void CpuTreeEngine::finish(std::uint32_t column, const Unfinished& unfinished) {
  if (unfinished.incomplete) builder_.complete(column, histogram(*unfinished.incomplete));
  if (const auto& difference = unfinished.difference)
    subtract(histogram(difference->parent), histogram(difference->child), data_.columns()[column]);
}

void CpuTreeEngine::finish(const Unfinished& unfinished) {
  run_tasks(context_.pool, columns_.size(), 2 * data_.total_bins(),
            [&](std::size_t i) { finish(columns_[i], unfinished); });
}

ConstHistogram CpuTreeEngine::on_host(std::size_t number, std::span<const std::uint32_t>) {
  return histogram(number);
}

std::vector<double> CpuTreeEngine::leaf_values(std::span<const LeafRange> leaves, double l2) {
  return podium::leaf_values({target_.first, target_.second, derivatives_.extent()}, partition_,
                             leaves, l2, context_);
}

void CpuTreeEngine::write_leaves(std::span<const LeafRange> leaves,
                                 std::span<std::uint32_t> leaf_of) const {
  const std::vector<LeafPiece> pieces = cut_leaves(leaves);
  run_tasks(context_.pool, pieces.size(), data_.documents(), [&](std::size_t p) {
    for (const std::uint32_t d : partition_.part(pieces[p].begin, pieces[p].end))
      leaf_of[d] = static_cast<std::uint32_t>(pieces[p].leaf);
  });
}

}  // namespace podium
