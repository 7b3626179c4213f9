#include "measures/query_ranker.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace podium {
namespace {

// Small whole grades are counted; anything else is sorted, what has no judgement at the end.
void sort_descending(std::span<float> labels) {
  constexpr std::size_t kGrades = 32;
  std::array<std::uint32_t, kGrades> counts = {};
  for (const float label : labels) {
    const auto grade = static_cast<std::size_t>(label >= 0 && label < kGrades ? label : 0);
    if (static_cast<float>(grade) != label) {
      std::sort(labels.begin(), labels.end(),
                [](float a, float b) { return a > b || (std::isnan(b) && !std::isnan(a)); });
      return;
    }
    ++counts[grade];
  }
  std::size_t at = 0;
  for (std::size_t grade = kGrades; grade-- > 0;)
    for (std::uint32_t i = 0; i < counts[grade]; ++i) labels[at++] = static_cast<float>(grade);
}

// The same for a group of equal scores, most of which are small.
void sort_group(std::span<float> labels) {
  if (std::is_sorted(labels.begin(), labels.end(), std::greater<>())) return;
  sort_descending(labels);
}

}  // namespace

TieGroups QueryRanker::rank(std::size_t query) {
  const std::size_t begin = lists_.query_begin[query], end = lists_.query_begin[query + 1];
  sort_scores(query, begin, end);
  if (ties_ == Ties::stable && !lists_.input_rows.empty())
    order_ties([&](std::uint32_t a, std::uint32_t b) {
      return lists_.input_rows[begin + a] < lists_.input_rows[begin + b];
    });
  if (ties_ == Ties::docid && lists_.docid)
    order_ties([&](std::uint32_t a, std::uint32_t b) {
      return lists_.docid(begin + a) > lists_.docid(begin + b);
    });
  // Which of several equal documents a limit leaves out must not depend on the order of the rows.
  if (ties_ == Ties::expected && (limits_.per_host || limits_.depth))
    order_ties([&](std::uint32_t a, std::uint32_t b) {
      const float x = lists_.labels[begin + a], y = lists_.labels[begin + b];
      return std::isnan(x) ? !std::isnan(y) : x < y;  // those without a judgement first
    });
  if (limits_.per_host && lists_.hosts && !lists_.hosts->empty()) keep_best_of_hosts(begin);
  sort_ideal(query, begin, end);
  if (limits_.depth && keys_.size() > limits_.depth) keys_.resize(limits_.depth);

  by_rank_.resize(keys_.size());
  for (std::size_t r = 0; r < keys_.size(); ++r)
    by_rank_[r] = lists_.labels[begin + keys_[r].place];
  ends_.clear();
  if (ties_ == Ties::expected) find_groups();
  return {{by_rank_, ideal_}, ends_};
}

void QueryRanker::sort_scores(std::size_t query, std::size_t begin, std::size_t end) {
  keys_.resize(end - begin);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const double score = lists_.scores[begin + i];
    if (std::isnan(score)) {
      const std::string_view qid = lists_.qids ? (*lists_.qids)[query] : "";
      throw Error(
          ErrorCode::data,
          fmt::format("query '{}': the score of its document {} is not a number", qid, i + 1));
    }
    keys_[i] = {descending_key(score), static_cast<std::uint32_t>(i)};
  }
  sort_keys(keys_);
}

template <class Before>
void QueryRanker::order_ties(const Before& before) {
  const auto better = [&](const ScoreKey& a, const ScoreKey& b) {
    return before(a.place, b.place);
  };
  for (auto first = keys_.begin(); first != keys_.end();) {
    const auto last = std::find_if(first, keys_.end(),
                                   [&](const ScoreKey& key) { return key.score != first->score; });
    if (last - first > 1) std::stable_sort(first, last, better);
    first = last;
  }
}

// A document without a host counts as its own host.
void QueryRanker::keep_best_of_hosts(std::size_t begin) {
  seen_of_host_.clear();
  std::erase_if(keys_, [&](const ScoreKey& key) {
    const std::string_view host = (*lists_.hosts)[begin + key.place];
    return !host.empty() && ++seen_of_host_[host] > limits_.per_host;
  });
}

// Labels are put in order within a group, because sums over it are rounded in that order.
void QueryRanker::find_groups() {
  std::size_t begin = 0;
  for (std::size_t r = 0; r < keys_.size(); ++r) {
    if (r + 1 < keys_.size() && keys_[r].score == keys_[r + 1].score) continue;
    if (r > begin) sort_group(std::span(by_rank_).subspan(begin, r + 1 - begin));
    begin = r + 1;
    ends_.push_back(static_cast<std::uint32_t>(begin));
  }
}

// The labels of the listed documents (all, unless hosts limit the list) and of judged ones in no
// list.
void QueryRanker::sort_ideal(std::size_t query, std::size_t begin, std::size_t end) {
  ideal_.clear();
  const auto add = [this](float label) {
    if (!std::isnan(label)) ideal_.push_back(label);
  };
  if (keys_.size() == end - begin) {
    for (std::size_t i = begin; i < end; ++i) add(lists_.labels[i]);
  } else {
    for (const ScoreKey& key : keys_) add(lists_.labels[begin + key.place]);
  }
  if (!lists_.missing_begin.empty())
    for (std::size_t i = lists_.missing_begin[query]; i < lists_.missing_begin[query + 1]; ++i)
      add(lists_.missing[i]);
  sort_descending(ideal_);
}

}  // namespace podium
