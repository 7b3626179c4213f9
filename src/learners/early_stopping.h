// Tracks the best of a sequence of models by the measure on the validation data, and decides when
// to stop.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace podium {

class EarlyStopping {
 public:
  // Stops after `patience` rounds in a row without improvement; 0: never.
  explicit EarlyStopping(std::int64_t patience = 0) : patience_(patience) {}

  // Whether this round is the best so far. Of equal values the first, and so the smaller model,
  // wins.
  bool improves(std::int64_t round, double value) {
    if (std::isnan(value)) value = -std::numeric_limits<double>::infinity();
    if (best_round_ >= 0 && !(value > best_value_)) {
      last_round_ = round;
      return false;
    }
    best_round_ = last_round_ = round;
    best_value_ = value;
    return true;
  }
  bool should_stop() const { return patience_ > 0 && last_round_ - best_round_ >= patience_; }
  std::int64_t best_round() const { return best_round_; }

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.patience_, self.best_round_, self.last_round_, self.best_value_);
  }

 private:
  std::int64_t patience_;
  std::int64_t best_round_ = -1, last_round_ = -1;
  double best_value_ = 0;
};

}  // namespace podium
