// Some libraries ask for memory where nothing may be thrown (JSON trees while they are taken
// apart), and then std::terminate() is called.
#pragma once

namespace podium::cli {

// From now on that ends the program as any other lack of memory does: half-written files are
// deleted, one line says so, exit code 1. Any other call of std::terminate() is a bug, and aborts.
void install_terminate_handler();

}  // namespace podium::cli
