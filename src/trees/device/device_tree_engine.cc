#include "trees/device/device_tree_engine.h"

#include <algorithm>
#include <array>
#include <bit>

#include "trees/device/partition_kernels.h"
#include "trees/histogram_ranks.h"

namespace podium {
namespace {

constexpr std::uint64_t kShortestTableSlice = 1024;  // documents

std::uint32_t blocks_of(std::uint64_t items, std::uint64_t per_block) {
  return static_cast<std::uint32_t>((items + per_block - 1) / per_block);
}

template <class T>
std::span<const T> one(const T& value) {
  return {&value, 1};
}

}  // namespace

DeviceTreeEngine::DeviceTreeEngine(const BinnedDataset& data,
                                   std::span<const std::int8_t> directions, DeviceQueue& queue,
                                   Context& context)
    : data_(data),
      queue_(queue),
      context_(context),
      bins_(data, directions, queue, context.pool),
      words_(queue, data.documents()),
      total_(queue, 1),
      sparse_sums_(queue, bins_.sparse_bins()),
      goes_left_(queue, data.documents()),
      lefts_(queue, kMostChunks + 1),
      come_(queue, 1),
      host_best_(queue, kMostSearched),
      extent_bits_(queue, 1) {
  for (auto& order : order_) order.resize(queue, data.documents());
  come_.clear();
  best_.resize(queue, kMostSearched);
}

DocumentList DeviceTreeEngine::documents() const {
  if (target_.sample) return {sample_.data(), target_.sample->size()};
  return {nullptr, data_.documents()};
}

TreeEngine::Root DeviceTreeEngine::start() {
  const WorkPhase phase(context_.pool, "rounding derivatives");
  if (target_.sample) sample_.assign(queue_, *target_.sample);
  const DocumentList documents = this->documents();
  ExtentBits bits{0, 0, ~std::uint64_t{0}, 0, 0};
  extent_bits_.upload(one(bits));
  const std::uint32_t blocks =
      std::min(queue_.busy_blocks(), blocks_of(documents.count, ExtentKernel::kThreads));
  queue_.run<ExtentKernel>(blocks, {target_.derivatives, documents, extent_bits_.data()},
                           ExtentKernel::kThreads * sizeof(ExtentBits));
  extent_bits_.download(std::span(&bits, 1));
  DerivativeExtent mine;
  mine.first = std::bit_cast<double>(bits.first);
  mine.second = std::bit_cast<double>(bits.second);
  if (documents.count > 0) mine.smallest_second = std::bit_cast<double>(bits.smallest_second);
  mine.wrong_first = bits.wrong_first;
  mine.wrong_second = bits.wrong_second;
  mine.documents = documents.count;
  extent_ = extent_over_ranks(mine, context_.comm);
  const auto rounding = DerivativeRounding::of(extent_, target_.l2, context_.seed, target_.number);
  queue_.run_each<RoundKernel>(
      documents.count, {target_.derivatives, documents, rounding, bins_.keys(), words_.data()});
  if (target_.sample)
    queue_.copy(order_[0].data(), sample_.data(), documents.count * sizeof(std::uint32_t));
  else
    queue_.run_each<CountUpKernel>(documents.count, {order_[0].data(), documents.count});
  array_of_ = {{0, 0}};
  nodes_.clear();
  tables_used_ = 0;
  return {rounding.first_unit, rounding.second_unit, documents.count,
          static_cast<std::int64_t>(extent_.documents)};
}

void DeviceTreeEngine::use_columns(std::span<const std::uint32_t> columns) {
  if (std::ranges::equal(columns_, columns) && !columns.empty()) return;
  columns_.assign(columns.begin(), columns.end());
  has_numbers_ = false;
  categories_.clear();
  uses_sparse_ = false;
  std::vector<std::uint32_t> groups, places(std::max(1U, bins_.groups()), 0);
  for (const std::uint32_t c : columns) {
    const BinnedFeature& feature = data_.columns()[c];
    if (feature.is_category)
      categories_.push_back(c);
    else
      has_numbers_ = true;
    if (feature.is_sparse()) {
      uses_sparse_ = true;
    } else if (groups.empty() || groups.back() != feature.block) {
      places[feature.block] = static_cast<std::uint32_t>(groups.size());
      groups.push_back(feature.block);
    }
  }
  used_groups_ = static_cast<std::uint32_t>(groups.size());
  device_columns_.assign(queue_, columns_);
  device_groups_.assign(queue_, groups);
  place_of_group_.assign(queue_, places);
}

void DeviceTreeEngine::gather(const LeafRange& leaf) {
  const std::uint64_t count = leaf.end - leaf.begin;
  total_.clear();
  if (count == 0) return;
  queue_.run<SumLeafKernel>(blocks_of(count, kMoveChunk),
                            {order(leaf.begin), count, words_.data(), total_.data()},
                            SumLeafKernel::kThreads * sizeof(DerivativeSums));
}

// Splits of numbers need no table.
DeviceRoute DeviceTreeEngine::device_route(std::span<const std::uint8_t> left) {
  const auto first_right = std::ranges::find(left, std::uint8_t{0});
  DeviceRoute route{.lefts = static_cast<std::uint32_t>(first_right - left.begin())};
  const auto other = std::find(first_right, left.end(), std::uint8_t{1});
  if (other == left.end()) return route;
  route.other = static_cast<std::uint32_t>(other - left.begin());
  if (std::find(other + 1, left.end(), std::uint8_t{1}) == left.end()) return route;
  if (tables_used_ + left.size() > route_tables_.size()) {
    // Twice the size, with what is there.
    DeviceArray<std::uint8_t> more(queue_, 2 * (tables_used_ + left.size()) + 8192);
    if (tables_used_ > 0) queue_.copy(more.data(), route_tables_.data(), tables_used_);
    queue_.wait();
    route_tables_ = std::move(more);
  }
  route_tables_.upload(left, tables_used_);
  route.table = static_cast<std::uint32_t>(tables_used_);
  tables_used_ += left.size();
  return route;
}

std::size_t DeviceTreeEngine::split(const LeafSplit& split, std::optional<ChildSide> gathered) {
  const DeviceRoute route = device_route(split.route.left);
  nodes_.push_back({static_cast<std::uint32_t>(split.column), route, 0, 0});
  const std::uint64_t count = split.end - split.begin;
  if (count == 0) {
    if (gathered) total_.clear();
    return 0;
  }
  const std::uint64_t chunk = chunk_of(count);
  const std::uint32_t chunks = blocks_of(count, chunk);
  const unsigned array = array_of_.at(split.begin);
  const std::uint32_t* const from = order_[array].data() + split.begin;
  queue_.run<MarkKernel>(chunks,
                         {.bins = bins_.view(),
                          .column = bins_.columns() + split.column,
                          .route = route,
                          .tables = route_tables_.data(),
                          .documents = from,
                          .count = count,
                          .chunk = chunk,
                          .goes_left = goes_left_.data(),
                          .lefts = lefts_.data(),
                          .cleared = gathered ? total_.data() : nullptr},
                         MarkKernel::kThreads * sizeof(std::uint32_t));
  queue_.run<MoveKernel>(chunks,
                         {.documents = from,
                          .count = count,
                          .chunk = chunk,
                          .goes_left = goes_left_.data(),
                          .lefts = lefts_.data(),
                          .moved = order_[1 - array].data() + split.begin,
                          .all_lefts = lefts_.data() + kMostChunks,
                          .total = gathered ? total_.data() : nullptr,
                          .summed = gathered == ChildSide::left ? std::uint8_t{1} : std::uint8_t{0},
                          .words = words_.data()},
                         MoveKernel::kSharedBytes);
  std::size_t lefts = 0;
  if (split.lefts) {
    lefts = *split.lefts;
  } else {
    std::uint32_t counted = 0;
    queue_.download(&counted, lefts_.data() + kMostChunks, sizeof counted);
    lefts = counted;
  }
  // Leaves without documents have none of these places.
  if (lefts > 0) array_of_[split.begin] = 1 - array;
  if (lefts < count) array_of_[split.begin + lefts] = 1 - array;
  return lefts;
}

void DeviceTreeEngine::add(const LeafRange& leaf, std::size_t histogram) {
  while (histograms_.size() <= histogram) histograms_.emplace_back();
  if (histograms_[histogram].size() == 0)
    histograms_[histogram] = DeviceArray<DerivativeSums>(queue_, data_.total_bins());
  const std::uint64_t count = leaf.end - leaf.begin;
  slices_ = 0;
  if (uses_sparse_) sparse_sums_.clear();
  if (count == 0) return;
  const bool all = !target_.sample && count == data_.documents();
  const DocumentList documents{all ? nullptr : order(leaf.begin), count};
  if (used_groups_ > 0) {
    const std::uint64_t wanted =
        std::max(1U, queue_.busy_blocks(AddRowsKernel::kBlocksAtOnce) / used_groups_);
    const std::uint64_t most = std::max<std::uint64_t>(1, count / kShortestTableSlice);
    const std::uint64_t least = blocks_of(count, kMostSliced);
    const std::uint64_t slice = (count - 1) / std::max(least, std::min(wanted, most)) + 1;
    slices_ = blocks_of(count, slice);
    const std::size_t needed = std::size_t{slices_} * used_groups_;
    if (tables_.size() < needed) tables_.resize(queue_, needed);
    queue_.run<AddRowsKernel>(slices_ * used_groups_,
                              {bins_.view(), device_groups_.data(), used_groups_,
                               bins_.group_list(), documents, words_.data(), slice, tables_.data()},
                              AddRowsKernel::kSharedBytes);
  }
  if (uses_sparse_)
    queue_.run_each<AddSparseKernel>(count,
                                     {bins_.view(), documents, words_.data(), sparse_sums_.data()});
}

FoldSearchArgs DeviceTreeEngine::fold_args(const Unfinished& unfinished) {
  FoldSearchArgs args{.columns = bins_.columns(),
                      .used = device_columns_.data(),
                      .fold = {},
                      .leaves = {},
                      .leaf_count = 0,
                      .is_free = true,
                      .gain_unit = 1,
                      .min_gain = 0,
                      .found = nullptr,
                      .best = nullptr,
                      .come = come_.data()};
  if (!unfinished.incomplete) return args;
  const auto& difference = unfinished.difference;
  args.fold = {.histogram = histograms_[*unfinished.incomplete].data(),
               .parent = difference ? histograms_[difference->parent].data() : nullptr,
               .tables = tables_.data(),
               .slices = slices_,
               .used_groups = used_groups_,
               .place_of_group = place_of_group_.data(),
               .sparse = sparse_sums_.data(),
               .total = total_.data()};
  return args;
}

void DeviceTreeEngine::fold_and_search(const FoldSearchArgs& args) {
  if (args.fold.histogram || args.leaf_count > 0)
    queue_.run<FoldSearchKernel>(static_cast<std::uint32_t>(columns_.size()), args,
                                 FoldSearchKernel::kSharedBytes);
}

void DeviceTreeEngine::complete(std::size_t histogram) {
  fold_and_search(fold_args({.incomplete = histogram}));
}

DerivativeSums DeviceTreeEngine::total() {
  DerivativeSums total;
  total_.download(std::span(&total, 1));
  return total;
}

void DeviceTreeEngine::add_ranks(std::span<const RankedHistogram> histograms) {
  std::vector<std::vector<DerivativeSums>> bins;
  std::vector<LeafHistogram> leaves;
  for (const RankedHistogram& one : histograms) {
    bins.push_back(histograms_[one.number].values());
    leaves.push_back({bins.back(), one.documents});
  }
  podium::add_ranks(leaves, columns_, data_, context_.comm);
  for (std::size_t i = 0; i < bins.size(); ++i) histograms_[histograms[i].number].upload(bins[i]);
}

void DeviceTreeEngine::set_leaves(FoldSearchArgs& args, const SplitFinder& finder,
                                  std::span<const LeafSearch> leaves) {
  const SplitRules& rules = finder.rules();
  args.leaf_count = static_cast<std::uint32_t>(leaves.size());
  args.is_free = rules.monotone.empty();
  args.gain_unit = gain_unit(rules);
  args.min_gain = std::max(rules.min_gain, 0.0);
  allowed_.resize(queue_, kMostSearched * data_.columns().size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const LeafSearch& leaf = leaves[i];
    args.leaves[i] = {histograms_[leaf.histogram].data(), leaf.sums, SplitScale(rules, leaf.bounds),
                      nullptr};
    if (leaf.allowed.empty()) continue;
    const std::size_t at = i * data_.columns().size();
    allowed_.upload(leaf.allowed, at);
    args.leaves[i].allowed = allowed_.data() + at;
  }
  found_.resize(queue_, leaves.size() * columns_.size());
  args.found = found_.data();
  args.best = best_.data();
}

// A category wins if its gain is larger, or as large and its column comes first.
void DeviceTreeEngine::search_categories(const SplitFinder& finder,
                                         std::span<const LeafSearch> leaves,
                                         std::span<Split> best) {
  std::vector<SplitProblem> problems;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    auto& bins = host_histograms_[i];
    bins.resize(data_.total_bins());
    for (const std::uint32_t c : categories_) {
      const BinnedFeature& feature = data_.columns()[c];
      histograms_[leaves[i].histogram].download(
          std::span(bins).subspan(feature.first_bin, feature.bins()), feature.first_bin);
    }
    problems.push_back({bins, leaves[i].sums, leaves[i].bounds, leaves[i].allowed});
  }
  const std::vector<Split> found = finder.best_among(categories_, problems, context_.pool);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (found[i].gain > best[i].gain ||
        (found[i].found() && found[i].gain == best[i].gain && found[i].column < best[i].column))
      best[i] = found[i];
}

// What the fold does not do.
void DeviceTreeEngine::subtract(const Unfinished& unfinished) {
  if (unfinished.incomplete || !unfinished.difference) return;
  const auto& [parent, child] = *unfinished.difference;
  queue_.run_each<SubtractKernel>(
      data_.total_bins(),
      {histograms_[parent].data(), histograms_[child].data(), data_.total_bins()});
}

void DeviceTreeEngine::finish(const Unfinished& unfinished) {
  subtract(unfinished);
  fold_and_search(fold_args(unfinished));
}

ConstHistogram DeviceTreeEngine::on_host(std::size_t number,
                                         std::span<const std::uint32_t> columns) {
  auto& bins = host_histograms_[0];
  bins.resize(data_.total_bins());
  const auto download = [&](std::size_t first, std::size_t count) {
    histograms_[number].download(std::span(bins).subspan(first, count), first);
  };
  if (columns.size() > 1) {
    download(0, bins.size());
  } else {
    for (const std::uint32_t c : columns)
      download(data_.columns()[c].first_bin, data_.columns()[c].bins());
  }
  return bins;
}

std::vector<Split> DeviceTreeEngine::search(const SplitFinder& finder,
                                            std::span<const LeafSearch> leaves,
                                            const Unfinished& unfinished) {
  subtract(unfinished);
  FoldSearchArgs args = fold_args(unfinished);
  if (has_numbers_ && !leaves.empty()) set_leaves(args, finder, leaves);
  fold_and_search(args);
  std::vector<Split> best(leaves.size());
  if (args.leaf_count > 0) {
    const std::span<FoundSplit> found = host_best_.values().first(leaves.size());
    best_.download(found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!(found[i].gain > 0)) continue;
      best[i] = {.gain = found[i].gain,
                 .column = found[i].column,
                 .bin = found[i].bin,
                 .missing = found[i].missing_left != 0 ? Tree::Node::Missing::left
                                                       : Tree::Node::Missing::right,
                 .left = found[i].left};
    }
  }
  if (!categories_.empty() && !leaves.empty()) search_categories(finder, leaves, best);
  return best;
}

std::vector<double> DeviceTreeEngine::leaf_values(std::span<const LeafRange> leaves, double l2) {
  const FixedPoint first_point(extent_.first), second_point(extent_.second);
  std::vector<DeviceLeafPiece> pieces;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const LeafRange& range = leaves[leaf];
    for (std::size_t begin = range.begin; begin < range.end;
         begin += DeviceLeafPiece::kMostDocuments)
      pieces.push_back({order(range.begin) + (begin - range.begin),
                        static_cast<std::uint32_t>(std::min<std::size_t>(
                            range.end - begin, DeviceLeafPiece::kMostDocuments)),
                        static_cast<std::uint32_t>(leaf)});
  }
  pieces_.assign(queue_, pieces);
  leaf_sums_.resize(queue_, leaves.size());
  leaf_sums_.clear();
  if (target_.sample) queue_.fill(leaf_of_, 0xFF, data_.documents() * sizeof(std::uint32_t));
  queue_.run<LeafSumsKernel>(static_cast<std::uint32_t>(pieces.size()),
                             {target_.derivatives, pieces_.data(), first_point.factor(),
                              second_point.factor(), leaf_sums_.data(), leaf_of_},
                             LeafSumsKernel::kThreads * sizeof(LeafSumsKernel::Sum));
  std::vector<LeafSum> sums = leaf_sums_.values();
  podium::add_ranks(sums, context_.comm);
  std::vector<double> values;
  for (const LeafSum& sum : sums) values.push_back(leaf_value(sum, first_point, second_point, l2));
  return values;
}

void DeviceTreeEngine::write_leaves(const Tree& tree) {
  if (!target_.sample) return;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].left = tree.nodes[n].left;
    nodes_[n].right = tree.nodes[n].right;
  }
  device_nodes_.assign(queue_, nodes_);
  queue_.run_each<WalkKernel>(data_.documents(), {bins_.view(), bins_.columns(),
                                                  nodes_.empty() ? nullptr : device_nodes_.data(),
                                                  route_tables_.data(), leaf_of_});
}

}  // namespace podium
