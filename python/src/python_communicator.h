// A group of workers that a Python object connects, as a Communicator: any engine's own collectives
// can carry training. The object has `rank`, `size`, `all_gather(bytes)`, which returns every
// worker's bytes in rank order, and optionally `all_reduce_sum(array)`, which adds an int64 array
// over all workers in place (podium.distributed.Workers).
//
// Its methods are called in the thread that called fit(), with the GIL (foreground.h). An exception
// that one raises ends the training here, and is what fit() raises.
#pragma once

#include <memory>

#include "foreground.h"
#include "podium/communicator.h"

namespace podium::python {

// Requires the GIL. `foreground` runs the work that uses the communicator.
std::unique_ptr<Communicator> make_python_communicator(nb::object workers, Foreground& foreground);

}  // namespace podium::python
