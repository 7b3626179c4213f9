// Sorting documents by score against std::sort, in one run, for lists of several lengths.
#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "core/random.h"
#include "core/sort_scores.h"

namespace podium {
namespace {

using Lists = std::vector<std::vector<ScoreKey>>;

Lists lists_of(std::size_t documents, Random& random) {
  constexpr std::uint32_t kDocuments = 400'000;
  Lists lists(kDocuments / documents);
  for (auto& list : lists)
    for (std::uint32_t i = 0; i < documents; ++i)
      list.push_back({descending_key(random.uniform()), i});
  return lists;
}

void sort_plainly(std::vector<ScoreKey>& keys) {
  std::sort(keys.begin(), keys.end(), [](const ScoreKey& a, const ScoreKey& b) {
    return a.score != b.score ? a.score < b.score : a.place < b.place;
  });
}

double seconds_of(Lists lists, void (*sort)(std::vector<ScoreKey>&)) {
  const auto begin = std::chrono::steady_clock::now();
  for (auto& list : lists) sort(list);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void compare(std::size_t documents, Random& random) {
  const Lists lists = lists_of(documents, random);
  double ours = 1e300, plain = 1e300;
  for (int turn = 0; turn < 7; ++turn) {
    ours = std::min(ours, seconds_of(lists, sort_keys));
    plain = std::min(plain, seconds_of(lists, sort_plainly));
  }
  const auto keys = static_cast<double>(lists.size() * documents);
  fmt::print("lists of {:>5}: {:5.1f} ns a document, std::sort {:5.1f} ns: {:.1f} times faster\n",
             documents, ours / keys * 1e9, plain / keys * 1e9, plain / ours);
}

}  // namespace
}  // namespace podium

int main() {
  podium::Random random(1);
  for (const std::size_t documents : {10, 20, 41, 64, 120, 300, 1000, 10'000})
    podium::compare(documents, random);
}
