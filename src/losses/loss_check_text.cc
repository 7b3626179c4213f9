// The result of check_loss as lines of text: the name of a line, a tab, the answer.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "podium/loss_check.h"

namespace podium {
namespace {

constexpr int kDigits = 7;  // distinguish points that are close together

std::string list(const std::vector<double>& scores, int digits = 4) {
  std::string text;
  for (const double s : scores)
    text += fmt::format("{}{:.{}g}", text.empty() ? "" : " ", s, digits);
  return text;
}

std::string existence_text(const LossCheck& check) {
  const LossCheck::Loop& loop = check.worst_loop;
  std::string text = fmt::format(
      "cost\t{}: circulation {:.3g} (relative {:.2g}) at worst, {} loops, {} of them "
      "across a swap\n",
      check.cost_exists ? "exists" : "does not exist", loop.circulation, loop.relative, check.loops,
      check.swapping_loops);
  if (!check.cost_exists)
    text += fmt::format(
        "\tlabels {}, from scores {}, around a square of side {:.4g} in scores {} and {}{}\n",
        fmt::join(loop.labels, " "), list(loop.corner), loop.side, loop.first + 1, loop.second + 1,
        loop.order == LossCheck::Loop::Order::swapped ? ", across a swap" : "");
  return text;
}

std::string convexity_text(const LossCheck& check) {
  const LossCheck::Pair& pair = check.worst_pair;
  std::string text = fmt::format(
      "convex\t{}: (g(s) − g(t))·(s − t) is {} on {} pairs\n", check.convex ? "yes" : "no",
      check.convex ? "never negative" : "negative somewhere", check.pairs);
  if (!check.convex)
    text += fmt::format("\t{:.3g} with labels {}, s = {}, t = {}\n", pair.product,
                        fmt::join(pair.labels, " "), list(pair.s, kDigits), list(pair.t, kDigits));
  return text;
}

std::string value_text(const LossCheck& check) {
  const LossCheck::Side& side = check.worst_side;
  if (check.value_fits) return "value\tits slopes are the derivatives\n";
  return fmt::format(
      "value\tits slopes are not the derivatives: it changes by {:.3g} where they add up to "
      "{:.3g}\n"
      "\tlabels {}, from scores {}, score {} up by {:.4g}\n",
      side.difference, side.integral, fmt::join(side.labels, " "), list(side.corner),
      side.moving + 1, side.side);
}

}  // namespace

std::string to_text(const LossCheck& check, std::string_view loss) {
  return fmt::format("loss\t{}\n", loss) + existence_text(check) + convexity_text(check) +
         value_text(check) +
         fmt::format(
             "Jacobian\tinside one ordering: asymmetry {:.2g}, smallest eigenvalue {:.2g} "
             "of the largest, {} points\n",
             check.jacobian.asymmetry, check.jacobian.smallest_eigenvalue, check.jacobian.points);
}

}  // namespace podium
