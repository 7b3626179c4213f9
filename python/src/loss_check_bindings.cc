// check_loss: answers LambdaRank's two questions for a loss by name or one written in Python.
#include "bindings.h"
#include "podium/loss_check.h"
#include "python_loss.h"

namespace podium::python {
namespace {

// The same as the output of `podium check-loss --json`, and its text.
nb::dict to_python(const LossCheck& check, const std::string& loss) {
  nb::dict loop, pair, side, jacobian, out;
  loop["labels"] = check.worst_loop.labels;
  loop["corner"] = check.worst_loop.corner;
  loop["scores"] = std::vector<std::size_t>{check.worst_loop.first, check.worst_loop.second};
  loop["side"] = check.worst_loop.side;
  loop["circulation"] = check.worst_loop.circulation;
  loop["relative"] = check.worst_loop.relative;
  loop["crosses_swap"] = check.worst_loop.order == LossCheck::Loop::Order::swapped;
  pair["labels"] = check.worst_pair.labels;
  pair["s"] = check.worst_pair.s;
  pair["t"] = check.worst_pair.t;
  pair["product"] = check.worst_pair.product;
  pair["cosine"] = check.worst_pair.cosine;
  side["labels"] = check.worst_side.labels;
  side["corner"] = check.worst_side.corner;
  side["score"] = check.worst_side.moving;
  side["side"] = check.worst_side.side;
  side["difference"] = check.worst_side.difference;
  side["integral"] = check.worst_side.integral;
  side["relative"] = check.worst_side.relative;
  jacobian["points"] = check.jacobian.points;
  jacobian["asymmetry"] = check.jacobian.asymmetry;
  jacobian["smallest_eigenvalue"] = check.jacobian.smallest_eigenvalue;
  out["loss"] = loss;
  out["cost_exists"] = check.cost_exists;
  out["convex"] = check.cost_exists && check.convex;
  out["monotone"] = check.convex;
  out["loops"] = check.loops;
  out["swapping_loops"] = check.swapping_loops;
  out["worst_loop"] = loop;
  out["pairs"] = check.pairs;
  out["worst_pair"] = pair;
  out["value_fits"] = check.value_fits;
  out["worst_side"] = side;
  out["jacobian"] = jacobian;
  out["text"] = to_text(check, loss);
  return out;
}

LossCheckOptions options(std::int64_t lists, std::int64_t documents, std::int64_t grades,
                         std::uint64_t seed) {
  return {.lists = lists, .documents = documents, .grades = grades, .seed = seed};
}

nb::dict check_named(const std::string& name, std::int64_t lists, std::int64_t documents,
                     std::int64_t grades, std::uint64_t seed) {
  const auto loss = parse_loss(name);
  LossCheck check;
  {
    const nb::gil_scoped_release free;
    check = check_loss(*loss, options(lists, documents, grades, seed));
  }
  return to_python(check, loss->name());
}

// In the calling thread, so that Ctrl-C reaches the user's function.
nb::dict check_python(const std::string& name, nb::object function, std::int64_t lists,
                      std::int64_t documents, std::int64_t grades, std::uint64_t seed) {
  const auto loss = make_python_loss({name}, std::move(function));
  return to_python(check_loss(*loss, options(lists, documents, grades, seed)), loss->name());
}

}  // namespace

void bind_loss_check(nb::module_& module) {
  module.def("check_loss", &check_named, nb::arg("name"), nb::arg("lists"), nb::arg("documents"),
             nb::arg("grades"), nb::arg("seed"));
  module.def("check_python_loss", &check_python, nb::arg("name"), nb::arg("function"),
             nb::arg("lists"), nb::arg("documents"), nb::arg("grades"), nb::arg("seed"));
}

}  // namespace podium::python
