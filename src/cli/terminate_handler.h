// Some libraries allocate memory where nothing may be thrown (destructors of JSON trees), so that
// std::terminate() is called when it is exhausted.
#pragma once

namespace podium::cli {

// After this call that ends the program like any other lack of memory: incomplete files are
// deleted, an error of one line is printed, exit code 1. Any other call of std::terminate() is a
// bug, and aborts.
void install_terminate_handler();

}  // namespace podium::cli
