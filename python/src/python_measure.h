// Measures written in Python: a callable of the labels in ranked order and of the ideal order that
// returns a number, or None if the measure is undefined. The package wraps users' functions so that
// they return a float or None.
#pragma once

#include "bindings.h"
#include "podium/evaluator.h"
#include "podium/measure.h"

namespace podium::python {

// Each item is a measure's name, or a pair of a name and a callable.
std::vector<MeasurePtr> to_measures(const nb::list& items, const Convention& convention);

}  // namespace podium::python
