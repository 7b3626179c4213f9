#include "learners/pointwise_term.h"

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/loss.h"

namespace podium {

std::string with_pointwise_term(const std::string& loss, double weight, const Learner& learner,
                                const std::string& learner_name) {
  if (loss.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{} has no loss that --pointwise could add to", learner_name));
  const std::string term = learner.pointwise_loss();
  if (const std::string name = parse_loss(loss)->name(); name == parse_loss(term)->name())
    throw Error(ErrorCode::usage,
                fmt::format("--pointwise adds squared error to other losses, and {} trains on the "
                            "loss {}: leave it out",
                            learner_name, name));
  return fmt::format("{}+{}*{}", loss, weight, term);
}

}  // namespace podium
