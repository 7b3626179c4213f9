#include "cli/terminate_handler.h"

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <typeinfo>

#include <cxxabi.h>
#include <unistd.h>

#include "core/unfinished_files.h"

namespace podium::cli {
namespace {

[[noreturn]] void end_for_lack_of_memory() {
  constexpr std::string_view kWords = "podium: error: not enough memory\n";
  remove_unfinished();
  // Nothing more can be done if standard error is closed.
  if (write(STDERR_FILENO, kWords.data(), kWords.size()) < 0) _exit(1);
  _exit(1);
}

std::terminate_handler usual = nullptr;

[[noreturn]] void on_terminate() {
  if (const std::type_info* const thrown = abi::__cxa_current_exception_type())
    if (*thrown == typeid(std::bad_alloc) || *thrown == typeid(std::bad_array_new_length))
      end_for_lack_of_memory();
  usual();
  std::abort();
}

}  // namespace

void install_terminate_handler() {
  usual = std::set_terminate(on_terminate);
}

}  // namespace podium::cli
