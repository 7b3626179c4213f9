#include "podium/link.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::array kKinds = {std::pair{Link::Kind::identity, std::string_view("identity")},
                               std::pair{Link::Kind::softmax, std::string_view("softmax")},
                               std::pair{Link::Kind::cumulative, std::string_view("cumulative")}};

double logistic(double x) {
  return x >= 0 ? 1 / (1 + math::exp(-x)) : math::exp(x) / (1 + math::exp(x));
}

}  // namespace

std::size_t Link::outputs() const noexcept {
  switch (kind) {
    case Kind::identity:
      return 1;
    case Kind::softmax:
      return values.size();
    case Kind::cumulative:
      return values.size() - 1;
  }
  return 1;
}

double Link::operator()(std::span<const double> outputs) const {
  if (kind == Kind::identity) return outputs[0];
  if (kind == Kind::cumulative) {
    double mean = values[0];
    for (std::size_t k = 0; k < outputs.size(); ++k)
      mean += (values[k + 1] - values[k]) * logistic(outputs[k]);
    return mean;
  }
  const double top = *std::max_element(outputs.begin(), outputs.end());
  double sum = 0, total = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const double p = math::exp(outputs[k] - top);
    sum += values[k] * p;
    total += p;
  }
  return sum / total;
}

std::string_view to_text(Link::Kind kind) {
  for (const auto& [value, name] : kKinds)
    if (value == kind) return name;
  return "";
}

Link::Kind parse_link_kind(std::string_view text) {
  for (const auto& [value, name] : kKinds)
    if (name == text) return value;
  throw Error(ErrorCode::data, fmt::format("unknown link '{}'", text));
}

}  // namespace podium
