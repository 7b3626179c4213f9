#include "trees/category_bins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace podium {
namespace {

// How many documents have each value of some categories, first … last − 1 of the schema's.
class CodeCounts {
 public:
  CodeCounts(const Dataset& data, std::size_t first, std::size_t last)
      : data_(data), categories_(data.schema().categories().subspan(first, last - first)) {
    for (const auto& category : categories_)
      counts_.emplace_back(category.values.size() + 1);  // missing values last
  }

  std::vector<std::vector<std::int64_t>> count() {
    const Rows rows = data_.rows(0, data_.documents());
    if (rows.is_dense())
      count_dense(rows);
    else
      count_sparse(rows);
    return std::move(counts_);
  }

 private:
  void add(std::size_t category, float x, std::int64_t documents = 1) {
    auto& counts = counts_[category];
    const std::size_t size = counts.size() - 1;
    counts[code_of(x, size).value_or(size)] += documents;
  }

  void count_dense(const Rows& rows) {
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      const float* const row = rows.dense(d).data();
      for (std::size_t c = 0; c < categories_.size(); ++c) add(c, row[categories_[c].feature]);
    }
  }

  void count_sparse(const Rows& rows) {
    std::vector<std::size_t> category_of(data_.features(), categories_.size());
    for (std::size_t c = 0; c < categories_.size(); ++c) category_of[categories_[c].feature] = c;
    std::vector<std::int64_t> stored(categories_.size());
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      const auto row = rows.sparse(d);
      for (std::size_t i = 0; i < row.columns.size(); ++i) {
        const std::size_t c = category_of[row.columns[i]];
        if (c == categories_.size()) continue;
        add(c, row.values[i]);
        ++stored[c];
      }
    }
    for (std::size_t c = 0; c < categories_.size(); ++c)
      add(c, rows.absent(), static_cast<std::int64_t>(rows.documents()) - stored[c]);
  }

  const Dataset& data_;
  std::span<const FeatureSchema::Category> categories_;
  std::vector<std::vector<std::int64_t>> counts_;
};

}  // namespace

CategoryBins choose_category_bins(std::uint32_t feature, std::span<const std::int64_t> counts,
                                  std::int64_t missing, const BinOptions& options) {
  CategoryBins out;
  BinnedFeature& binned = out.feature;
  binned.feature = feature;
  binned.is_category = true;
  std::vector<std::uint32_t> order;
  for (std::uint32_t code = 0; code < counts.size(); ++code)
    if (counts[code] >= std::max<std::int64_t>(1, options.min_category_docs)) order.push_back(code);
  const auto most = static_cast<std::size_t>(options.max_category_bins) - 1;
  if (order.size() > most) {
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
                     });
    order.resize(most);
    std::sort(order.begin(), order.end());
  }
  binned.codes = std::move(order);
  const std::int64_t all = std::accumulate(counts.begin(), counts.end(), missing);
  std::int64_t rest = all, largest = 0;
  for (std::uint32_t b = 0; b < binned.codes.size(); ++b) {
    const std::int64_t count = counts[binned.codes[b]];
    rest -= count;
    if (count > largest) binned.default_bin = b;
    largest = std::max(largest, count);
  }
  binned.has_missing = rest > 0;
  if (rest > largest) binned.default_bin = binned.value_bins();
  largest = std::max(largest, rest);
  out.default_share = all == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(all);
  return out;
}

std::vector<CategoryBins> bin_categories(const Dataset& data, const BinOptions& options,
                                         Context& context) {
  const std::size_t categories = data.schema().categories().size();
  std::vector<CategoryBins> out(categories);
  if (categories == 0) return out;
  const std::size_t tasks = std::min(categories, static_cast<std::size_t>(context.pool.threads()));
  std::vector<std::vector<std::int64_t>> counts(categories);
  context.pool.run(tasks, [&](std::size_t task) {
    const std::size_t first = task * categories / tasks, last = (task + 1) * categories / tasks;
    auto part = CodeCounts(data, first, last).count();
    std::move(part.begin(), part.end(), counts.begin() + static_cast<std::ptrdiff_t>(first));
  });
  for (std::size_t c = 0; c < categories; ++c) {
    context.comm.all_reduce_sum(counts[c]);
    const std::span<const std::int64_t> all = counts[c];
    out[c] = choose_category_bins(data.schema().categories()[c].feature, all.first(all.size() - 1),
                                  all.back(), options);
  }
  return out;
}

CategoryTable::CategoryTable(const BinnedFeature& feature)
    : feature_(feature.feature),
      rare_(static_cast<BinnedDataset::Bin>(feature.value_bins())),
      bins_(feature.codes.empty() ? 0 : feature.codes.back() + std::size_t{1}, rare_) {
  for (std::uint32_t b = 0; b < feature.codes.size(); ++b)
    bins_[feature.codes[b]] = static_cast<BinnedDataset::Bin>(b);
}

}  // namespace podium
