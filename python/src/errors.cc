// Errors of the library as Python exceptions: ValueError for wrong options and data, OSError for
// files, RuntimeError for training or a GPU
// that cannot continue. Options are spelled as Python arguments.
#include <algorithm>
#include <charconv>

#include "bindings.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium::python {

std::string as_argument(std::string_view name, std::string_view value) {
  std::string text(name == "valid" ? "eval_set" : name);  // the program's option is --valid
  std::replace(text.begin(), text.end(), '-', '_');
  if (value.empty()) return text;
  double number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  const bool is_number = error == std::errc() && stop == end;
  const char* const quote = is_number ? "" : "\"";
  return text.append("=").append(quote).append(value).append(quote);
}

std::string in_python(std::string_view text) {
  // A command that texts recommend and that is a function here.
  constexpr std::string_view command = "`podium prepare ‹bucket-labels 5›`";
  std::string own(text);
  if (const std::size_t at = own.find(command); at != std::string::npos)
    own.replace(at, command.size(), "podium.bucket_labels(y, 5)");
  return spell_options(own, as_argument);
}

std::vector<std::string> in_python(std::vector<std::string> texts) {
  for (std::string& text : texts) text = in_python(text);
  return texts;
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
    case ErrorCode::device:
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
