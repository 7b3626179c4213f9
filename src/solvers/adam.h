// Steps of stochastic gradient descent: Adam [Kingma15], and momentum; and schedules of the
// learning rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace podium {

// Keeps running means of the gradient and of its square, and moves each variable by their ratio.
class Adam {
 public:
  explicit Adam(std::size_t variables = 0) : mean_(variables), square_(variables) {}

  void step(std::span<double> x, std::span<const double> gradient, double rate);

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.mean_, self.square_, self.mean_decay_, self.square_decay_);
  }

 private:
  std::vector<double> mean_, square_;
  double mean_decay_ = 1, square_decay_ = 1;  // β₁ᵗ, β₂ᵗ
};

// v ← 0.9 v + g,  x ← x − rate · v.
class Momentum {
 public:
  explicit Momentum(std::size_t variables = 0) : velocity_(variables) {}

  void step(std::span<double> x, std::span<const double> gradient, double rate);

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.velocity_);
  }

 private:
  std::vector<double> velocity_;
};

enum class Schedule {
  constant,
  cosine,  // half a cosine wave down to 0
  step,    // a tenth after half of the run, a hundredth after three quarters
  inverse  // 1 / (1 + 9 t): a tenth at the end
};

// The factor of the learning rate at progress t ∈ [0, 1].
double schedule_share(Schedule schedule, double progress);

// Scales the gradient down to this norm if it is longer; 0: never. Returns the original norm.
double clip_norm(std::span<double> gradient, double largest);

}  // namespace podium
