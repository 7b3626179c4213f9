#include "python_measure.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace podium::python {
namespace {

// Tied groups with up to this many different orders are averaged exactly, others over this many
// orders drawn with a fixed seed: measures in Python have no closed form.
constexpr std::size_t kOrders = 120;

// The number of different orders of the tied groups' labels, or kOrders + 1 if there are more.
std::size_t count_orders(const TieGroups& ties) {
  std::size_t orders = 1;
  std::size_t begin = 0;
  for (const std::uint32_t end : ties.ends) {
    std::vector<float> group(ties.ranking.by_rank.begin() + static_cast<std::ptrdiff_t>(begin),
                             ties.ranking.by_rank.begin() + end);
    std::sort(group.begin(), group.end());
    std::size_t same = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {  // the multinomial coefficient, step by step
      same = i > 0 && group[i] == group[i - 1] ? same + 1 : 1;
      orders = orders * (i + 1) / same;
      if (orders > kOrders) return kOrders + 1;
    }
    begin = end;
  }
  return orders;
}

// Enumerates every order once: advances the last group that has a next order, and resets the groups
// after it.
bool next_order(std::vector<float>& labels, std::span<const std::uint32_t> ends) {
  for (std::size_t g = ends.size(); g-- > 0;) {
    const auto begin = labels.begin() + (g > 0 ? ends[g - 1] : 0);
    if (std::next_permutation(begin, labels.begin() + ends[g])) return true;
  }
  return false;
}

void sort_groups(std::vector<float>& labels, std::span<const std::uint32_t> ends) {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    std::sort(labels.begin() + begin, labels.begin() + end);
    begin = end;
  }
}

class PythonMeasure final : public Measure {
 public:
  PythonMeasure(std::string name, nb::object function)
      : name_("python:" + std::move(name)), function_(std::move(function)) {}

  std::string name() const override { return name_; }

  std::optional<double> value(const RankedLabels& ranking) const override {
    const nb::gil_scoped_acquire gil;
    return call(ranking);
  }

  std::optional<double> expected(const TieGroups& ties) const override {
    const nb::gil_scoped_acquire gil;
    std::vector<float> labels(ties.ranking.by_rank.begin(), ties.ranking.by_rank.end());
    sort_groups(labels, ties.ends);
    const std::size_t orders = count_orders(ties);
    const bool all = orders <= kOrders;
    Random random(1);
    double sum = 0;
    for (std::size_t n = 0; n < std::min(orders, kOrders); ++n) {
      if (!all) shuffle_groups(labels, ties.ends, random);
      const std::optional<double> one = call({labels, ties.ranking.ideal});
      if (!one) return std::nullopt;
      sum += *one;
      if (all) next_order(labels, ties.ends);
    }
    return sum / static_cast<double>(std::min(orders, kOrders));
  }

 private:
  static void shuffle_groups(std::vector<float>& labels, std::span<const std::uint32_t> ends,
                             Random& random) {
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
      random.shuffle(std::span(labels).subspan(begin, end - begin));
      begin = end;
    }
  }

  std::optional<double> call(const RankedLabels& ranking) const {
    const auto array = [](std::span<const float> values) {
      return give(std::vector<float>(values.begin(), values.end()));
    };
    return nb::cast<std::optional<double>>(function_(array(ranking.by_rank), array(ranking.ideal)));
  }

  std::string name_;
  nb::object function_;
};

}  // namespace

std::vector<MeasurePtr> to_measures(const nb::list& items, const Convention& convention) {
  std::vector<MeasurePtr> out;
  for (nb::handle item : items) {
    if (nb::isinstance<nb::str>(item)) {
      out.push_back(parse_measure(nb::cast<std::string>(item), convention));
      continue;
    }
    const auto named = nb::cast<nb::tuple>(item);
    out.push_back(std::make_shared<PythonMeasure>(nb::cast<std::string>(named[0]),
                                                  nb::borrow<nb::object>(named[1])));
  }
  return out;
}

}  // namespace podium::python
