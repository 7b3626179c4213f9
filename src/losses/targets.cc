#include "losses/targets.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kTopExponent = 500;  // the square stays finite

std::vector<double> parse_list(std::string_view text) {
  std::vector<double> list;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    double target = 0;
    const auto [next, error] = std::from_chars(at, end, target);
    if (error != std::errc() || !(std::abs(target) < 1e100) ||
        (next != end && *next != '/' && *next != ';'))
      throw Error(
          ErrorCode::usage,
          fmt::format("targets: '{}' is not linear, exp2, or a list such as 0/1/3/7/15", text));
    list.push_back(target);
    if (next == end) break;
    at = next + 1;
  }
  if (!std::is_sorted(list.begin(), list.end()))
    throw Error(ErrorCode::usage, fmt::format("targets: the list {} must not decrease", text));
  return list;
}

}  // namespace

Targets::Targets(std::string_view text)
    : kind_(text == "linear" ? Kind::linear
            : text == "exp2" ? Kind::exp2
                             : Kind::list) {
  if (kind_ == Kind::list) list_ = parse_list(text);
}

LabelUse Targets::label_use() const {
  if (kind_ == Kind::exp2) return {.growth = LabelUse::Growth::exp2};
  if (kind_ == Kind::list) return {.top = static_cast<double>(list_.size() - 1)};
  return {};
}

std::vector<double> Targets::of(std::span<const float> grades) const {
  std::vector<double> targets;
  targets.reserve(grades.size());
  for (const float grade : grades) targets.push_back((*this)(grade));
  return targets;
}

double Targets::operator()(float grade) const {
  if (kind_ == Kind::linear) return grade;
  if (kind_ == Kind::exp2) return math::exp2(std::min<double>(grade, kTopExponent)) - 1;
  const double last = static_cast<double>(list_.size() - 1);
  const double place = std::clamp<double>(grade, 0, last);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, list_.size() - 1);
  return list_[below] + (place - static_cast<double>(below)) * (list_[above] - list_[below]);
}

}  // namespace podium
