#include "losses/device/device_lambda.h"

#include <algorithm>
#include <array>
#include <utility>

#include "losses/device/no_derivatives_kernel.h"

namespace podium {
namespace {

// A list in one class gets the shared memory of the longest one.
constexpr std::array<std::size_t, 3> kShortLists = {128, 256, 512};
static_assert(LambdaShortKernel::shared_bytes(kShortLists.back()) <= kMostShared);

// Weights of pairs, a gigabyte: more are not kept.
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 27;

std::size_t longest_list(const Dataset& data) {
  std::size_t longest = 0;
  for (std::size_t q = 0; q < data.queries(); ++q)
    longest = std::max(longest, data.end(q) - data.begin(q));
  return longest;
}

// Where the weights of each query's pivots begin, if they are kept, and how many there are in all.
std::vector<std::uint64_t> begin_of_rows(const DeviceLambdaRule& rule) {
  std::vector<std::uint64_t> begin = {0};
  for (std::size_t q = 0; q < rule.factor.size(); ++q) {
    const std::size_t n = rule.data.end(q) - rule.data.begin(q);
    const bool counts = rule.factor[q] != rule.uninformative;
    begin.push_back(begin.back() + (counts ? std::min(rule.pivots, n - 1) * n : 0));
  }
  return begin;
}

// A query's terms differ by grade alone, so where few grades occur there are few terms.
constexpr std::size_t kMostCodes = 256;
constexpr std::size_t kFewerTerms = 2;

// Ascending; no more than one above kMostCodes.
std::vector<float> grades_of(const Dataset& data) {
  std::vector<float> grades;
  for (const float label : data.labels()) {
    const auto at = std::ranges::lower_bound(grades, label);
    if (at != grades.end() && *at == label) continue;
    grades.insert(at, label);
    if (grades.size() > kMostCodes) break;
  }
  return grades;
}

class DeviceLambda final : public DeviceLoss {
 public:
  DeviceLambda(const DeviceLambdaRule& rule, const WeightForm& form, const DeviceLossSite& site)
      : DeviceLoss(site),
        by_hash_(queue(), rule.by_hash),
        of_rank_(queue(), std::span(form.of_rank)),
        of_distance_(queue(), std::span(form.of_distance)),
        factor_(queue(), rule.factor) {
    upload_terms(rule);
    upload_queries(rule, site);
    if (form.kind == WeightForm::Kind::expected_rank) {
      const auto begin = begin_of_rows(rule);
      rows_begin_ = DeviceArray<std::uint64_t>(queue(), std::span(begin));
      rows_ = DeviceArray<double>(queue(), begin.back());
    }
    args_ = {.arrays = {},
             .queries = nullptr,
             .by_hash = by_hash_.data(),
             .weight = weight_.data(),
             .code = code_.data(),
             .grade = grade_.data(),
             .term = term_.data(),
             .codes = static_cast<std::uint32_t>(grade_.size()),
             .factor = factor_.data(),
             .query_weight = query_weight_.data(),
             .kind = form.kind,
             .scaling = rule.scaling,
             .of_rank = of_rank_.data(),
             .of_distance = of_distance_.data(),
             .rows = rows_.data(),
             .rows_begin = rows_begin_.data(),
             .sigma = rule.sigma,
             .nearest = rule.nearest,
             .largest_range = rule.largest_range,
             .pivots = rule.pivots,
             .room = 0,
             .scratch = scratch_.data(),
             .scratch_begin = scratch_begin_.data()};
  }

 protected:
  void launch(const LossArrays& arrays) override {
    LambdaArgs args = args_;
    args.arrays = arrays;
    // The longest lists first: others fill the gaps.
    args.queries = long_.data();
    queue().run<LambdaLongKernel>(static_cast<std::uint32_t>(long_.size()), args,
                                  LambdaLongKernel::kSharedBytes);
    for (std::size_t c = kShortLists.size(); c-- > 0;) {
      args.queries = short_[c].data();
      args.room = kShortLists[c];
      queue().run<LambdaShortKernel>(static_cast<std::uint32_t>(short_[c].size()), args,
                                     LambdaShortKernel::shared_bytes(args.room));
    }
    queue().run<NoDerivativesKernel>(static_cast<std::uint32_t>(uninformative_.size()),
                                     {arrays, uninformative_.data()}, sizeof(std::uint32_t));
  }

 private:
  void upload_terms(const DeviceLambdaRule& rule) {
    const Dataset& data = rule.data;
    const std::vector<float> grades = grades_of(data);
    const bool coded = grades.size() <= kMostCodes &&
                       grades.size() * data.queries() * kFewerTerms <= data.documents();
    std::vector<std::uint8_t> codes(coded ? data.documents() : 0);
    if (coded)
      for (std::size_t row = 0; row < codes.size(); ++row)
        codes[row] = static_cast<std::uint8_t>(
            std::ranges::lower_bound(grades, data.labels()[row]) - grades.begin());
    std::vector<double> terms(coded ? grades.size() * data.queries() : data.documents());
    std::vector<double> query_weights;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      query_weights.push_back(data.query_weight(q));
      if (rule.factor[q] == rule.uninformative) continue;
      const auto own = rule.weights.terms(data.labels(q), rule.factor[q]);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const std::size_t row = data.begin(q) + i;
        terms[coded ? q * grades.size() + codes[row] : row] = own[i];
      }
    }
    code_ = DeviceArray<std::uint8_t>(queue(), std::span<const std::uint8_t>(codes));
    grade_ = DeviceArray<float>(queue(), coded ? std::span(grades) : data.labels());
    term_ = DeviceArray<double>(queue(), std::span<const double>(terms));
    query_weight_ = DeviceArray<double>(queue(), std::span<const double>(query_weights));
    weight_ = DeviceArray<float>(queue(), data.parts().document_weights.view());
  }

  void upload_queries(const DeviceLambdaRule& rule, const DeviceLossSite& site) {
    std::vector<std::uint32_t> informative, others;
    for (std::uint32_t q = 0; q < rule.factor.size(); ++q)
      (rule.factor[q] == rule.uninformative ? others : informative).push_back(q);
    auto classes = queries_by_length(site.query_begin, informative, kShortLists);
    for (std::size_t c = 0; c < kShortLists.size(); ++c) upload(short_[c], classes[c]);
    upload(long_, classes.back());
    upload(uninformative_, others);
    std::vector<std::uint64_t> begin;
    std::size_t bytes = 0;
    for (const std::uint32_t q : classes.back()) {
      begin.push_back(bytes);
      bytes += LambdaLongKernel::scratch_bytes(rule.data.end(q) - rule.data.begin(q));
    }
    scratch_begin_ = DeviceArray<std::uint64_t>(queue(), std::span<const std::uint64_t>(begin));
    scratch_ = DeviceArray<std::byte>(queue(), bytes);
  }

  void upload(DeviceArray<std::uint32_t>& to, std::span<const std::uint32_t> values) {
    to = DeviceArray<std::uint32_t>(queue(), values);
  }

  DeviceArray<std::uint8_t> code_;
  DeviceArray<float> grade_, weight_;
  DeviceArray<std::uint32_t> by_hash_;
  DeviceArray<double> term_, of_rank_, of_distance_, factor_, query_weight_;
  std::array<DeviceArray<std::uint32_t>, kShortLists.size()> short_;
  DeviceArray<std::uint32_t> long_, uninformative_;
  DeviceArray<double> rows_;
  DeviceArray<std::uint64_t> scratch_begin_, rows_begin_;
  DeviceArray<std::byte> scratch_;
  LambdaArgs args_;
};

}  // namespace

std::unique_ptr<DeviceLoss> device_lambda(const DeviceLambdaRule& rule,
                                          const DeviceLossSite& site) {
  const auto form = rule.weights.form(longest_list(rule.data));
  if (!form) return nullptr;
  if (form->kind == WeightForm::Kind::expected_rank && begin_of_rows(rule).back() > kMostKept)
    return nullptr;
  return std::make_unique<DeviceLambda>(rule, *form, site);
}

}  // namespace podium
