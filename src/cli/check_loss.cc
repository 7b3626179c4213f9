// podium check-loss: LambdaRank's two questions, put to any loss.
#include <fmt/format.h>

#include "cli/command.h"
#include "podium/loss_check.h"

namespace podium::cli {
namespace {

Json to_json(const LossCheck& check, const Loss& loss) {
  const auto& [labels, corner, first, second, side, circulation, relative, order] =
      check.worst_loop;
  return {{"loss", loss.name()},
          {"cost_exists", check.cost_exists},
          {"convex", check.cost_exists && check.convex},
          {"monotone", check.convex},
          {"loops", check.loops},
          {"swapping_loops", check.swapping_loops},
          {"worst_loop",
           {{"labels", labels},
            {"corner", corner},
            {"scores", {first, second}},
            {"side", side},
            {"circulation", circulation},
            {"relative", relative},
            {"crosses_swap", order == LossCheck::Loop::Order::swapped}}},
          {"pairs", check.pairs},
          {"worst_pair",
           {{"labels", check.worst_pair.labels},
            {"s", check.worst_pair.s},
            {"t", check.worst_pair.t},
            {"product", check.worst_pair.product},
            {"cosine", check.worst_pair.cosine}}},
          {"jacobian",
           {{"points", check.jacobian.points},
            {"asymmetry", check.jacobian.asymmetry},
            {"smallest_eigenvalue", check.jacobian.smallest_eigenvalue}}}};
}

std::string list(const std::vector<double>& scores) {
  std::string text;
  for (const double s : scores) text += fmt::format("{}{:.4g}", text.empty() ? "" : " ", s);
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
        "\tlabels {}, from scores {}, round a square of side {:.4g} in scores {} and {}{}\n",
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
                        fmt::join(pair.labels, " "), list(pair.s), list(pair.t));
  return text;
}

}  // namespace

std::function<void()> declare_check_loss(CLI::App& command, Frame& frame) {
  struct Arguments {
    std::string loss;
    LossCheckOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  command.add_option("LOSS", arguments->loss, "a loss, e.g. lambda-ndcg@10; see `podium losses`")
      ->required();
  command.add_option("--lists", arguments->options.lists, "random lists to try (default 300)")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--documents", arguments->options.documents,
                  "most documents of a list (default 6)")
      ->check(CLI::Range(2, 50));
  command.add_option("--grades", arguments->options.grades, "how many grades (default 4)")
      ->check(CLI::Range(2, 32));
  return [arguments, &frame] {
    const auto loss = parse_loss(arguments->loss);
    arguments->options.seed = frame.seed();
    const LossCheck check = check_loss(*loss, arguments->options);
    if (frame.json()) {
      print_json(to_json(check, *loss));
      return;
    }
    print(fmt::format("loss\t{}\n", loss->name()) + existence_text(check) + convexity_text(check) +
          fmt::format("Jacobian\tinside one ordering: asymmetry {:.2g}, smallest eigenvalue {:.2g} "
                      "of the largest, {} points\n",
                      check.jacobian.asymmetry, check.jacobian.smallest_eigenvalue,
                      check.jacobian.points));
  };
}

}  // namespace podium::cli
