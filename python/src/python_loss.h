// Losses written in Python: a callable of one query's scores and labels that returns the value, the
// first derivatives by score, and positive curvatures. The package wraps users' functions so that
// they return a float and two float64 arrays of the scores' length.
#pragma once

#include <memory>
#include <string>

#include "bindings.h"
#include "podium/loss.h"

namespace podium::python {

struct PythonLossFacts {
  std::string name;
  bool convex = false;           // for every query, in the scores
  bool shift_invariant = false;  // unchanged when a constant is added to all scores of a query
};
SharedLoss make_python_loss(PythonLossFacts facts, nb::object function);

}  // namespace podium::python
