#include "measures/gain.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "podium/error.h"

namespace podium {
namespace {

// 2^1000 times any number of documents stays finite.
constexpr double kTopExponent = 1000;

std::vector<double> parse_table(std::string_view text) {
  std::vector<double> table;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    double gain = 0;
    const auto [next, error] = std::from_chars(at, end, gain);
    if (error != std::errc() || !std::isfinite(gain) || (next != end && *next != ';'))
      throw Error(
          ErrorCode::usage,
          fmt::format("gain: '{}' is not exp2, linear, or a table such as 0;1;3;7;15", text));
    table.push_back(gain);
    if (next == end) break;
    at = next + 1;
  }
  if (table.front() < 0 || !std::is_sorted(table.begin(), table.end()))
    throw Error(ErrorCode::usage,
                fmt::format("gain: the table {} must ascend from a value >= 0", text));
  return table;
}

}  // namespace

Gain::Gain(std::string_view text) {
  kind_ = text == "exp2" ? Kind::exp2 : text == "linear" ? Kind::linear : Kind::table;
  if (kind_ == Kind::table) {
    table_ = parse_table(text);
    at_zero_ = table_.front();
  }
  for (std::size_t g = 0; g < kSmall; ++g) small_[g] = general(static_cast<float>(g), 0);
}

double Gain::general(float grade, double shift) const {
  switch (kind_) {
    case Kind::linear:
      return grade;
    case Kind::table:
      return table_[static_cast<std::size_t>(
          std::min(grade, static_cast<float>(table_.size() - 1)))];
    case Kind::exp2:
      break;
  }
  if (shift == 0) return math::exp2(std::min<double>(grade, kTopExponent)) - 1;
  return math::exp2(grade - shift) - math::exp2(-shift);
}

LabelUse Gain::label_use() const {
  LabelUse use{.ignores_negative = true};
  if (kind_ == Kind::exp2) use.growth = LabelUse::Growth::exp2;
  if (kind_ == Kind::table) {
    use.top = static_cast<double>(table_.size() - 1);
    use.cuts_fractions = true;
  }
  return use;
}

Discount::Discount(RankDiscount discount) : offset_(discount == RankDiscount::letor ? 1 : 2) {
  static const Table log2_table = make_table(2), letor_table = make_table(1);
  table_ = (offset_ == 1 ? letor_table : log2_table).data();
}

Discount::Table Discount::make_table(std::size_t offset) {
  Table table;
  for (std::size_t r = 0; r < kTabled; ++r)
    table[r] = r + offset <= 2 ? 1 : 1 / math::log2(static_cast<double>(r + offset));
  return table;
}

double Discount::beyond(std::size_t rank) const {
  return 1 / math::log2(static_cast<double>(rank + offset_));
}

}  // namespace podium
