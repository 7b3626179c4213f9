// Errors of the library as Python's: ValueError for wrong options and data, OSError for files,
// RuntimeError for training that cannot go on. Options are called as Python calls them.
#include <cctype>

#include "bindings.h"
#include "podium/error.h"

namespace podium::python {

std::string in_python(std::string_view message) {
  std::string out;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool starts_word = i == 0 || std::isspace(static_cast<unsigned char>(message[i - 1])) ||
                             message[i - 1] == '(' || message[i - 1] == '\'';
    const auto letter_at = [&](std::size_t at) {
      return at < message.size() && std::isalpha(static_cast<unsigned char>(message[at])) != 0;
    };
    if (!starts_word || message.compare(i, 2, "--") != 0 || !letter_at(i + 2)) {
      out += message[i];
      continue;
    }
    for (i += 2; i < message.size(); ++i) {
      const bool inner_dash = message[i] == '-' && letter_at(i + 1);
      if (!inner_dash && std::isalnum(static_cast<unsigned char>(message[i])) == 0) break;
      out += inner_dash ? '_' : message[i];
    }
    --i;
  }
  return out;
}

namespace {

PyObject* python_type(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
    case ErrorCode::data:
      return PyExc_ValueError;
    case ErrorCode::file:
      return PyExc_OSError;
    case ErrorCode::training:
    case ErrorCode::group:
      return PyExc_RuntimeError;
  }
  return PyExc_RuntimeError;
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      PyErr_SetString(python_type(error.code()), in_python(error.what()).c_str());
    }
  });
}

}  // namespace podium::python
