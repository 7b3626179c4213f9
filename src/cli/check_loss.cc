// podium check-loss: answers LambdaRank's two questions for any loss.
#include <fmt/format.h>

#include "cli/command.h"
#include "podium/loss_check.h"

namespace podium::cli {
namespace {

Json check_json(const LossCheck& check, const Loss& loss) {
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
          {"value_fits", check.value_fits},
          {"worst_side",
           {{"labels", check.worst_side.labels},
            {"corner", check.worst_side.corner},
            {"score", check.worst_side.moving},
            {"side", check.worst_side.side},
            {"difference", check.worst_side.difference},
            {"integral", check.worst_side.integral},
            {"relative", check.worst_side.relative}}},
          {"jacobian",
           {{"points", check.jacobian.points},
            {"asymmetry", check.jacobian.asymmetry},
            {"smallest_eigenvalue", check.jacobian.smallest_eigenvalue}}}};
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
  command
      .add_option("--lists", arguments->options.lists,
                  "number of random lists to try (default 300)")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--documents", arguments->options.documents,
                  "maximum documents per list (default 6)")
      ->check(CLI::Range(2, 50));
  command.add_option("--grades", arguments->options.grades, "number of grades (default 4)")
      ->check(CLI::Range(2, 32));
  return [arguments, &frame] {
    const auto loss = parse_loss(arguments->loss);
    arguments->options.seed = frame.seed();
    const LossCheck check = check_loss(*loss, arguments->options);
    if (frame.json()) {
      print_json(check_json(check, *loss));
      return;
    }
    print(to_text(check, loss->name()));
  };
}

}  // namespace podium::cli
