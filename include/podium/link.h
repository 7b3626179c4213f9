// How several outputs of a model are combined into one score. A learner that estimates a
// distribution over values (grades, say) trains one output per value; users rank by the mean of
// that distribution.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace podium {

struct Link {
  enum class Kind {
    identity,  // one output: the score itself
    softmax,   // Σ_k values[k] p_k,  p = softmax(outputs); as many outputs as values
    cumulative,  // values[0] + Σ_k (values[k + 1] − values[k]) σ(outputs[k]), where σ(outputs[k])
                 // estimates P(value > values[k]); one output fewer than values
  };
  Kind kind = Kind::identity;
  std::vector<double> values = {};  // ascending; empty for identity

  std::size_t outputs() const noexcept;
  double operator()(std::span<const double> outputs) const;
  friend bool operator==(const Link&, const Link&) = default;
};

std::string_view to_text(Link::Kind kind);
Link::Kind parse_link_kind(std::string_view text);  // Error on an unknown one

}  // namespace podium
