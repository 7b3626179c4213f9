// The frame of an exported C++ header: tables, names, and the function `score`.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "models/exporters/exporter.h"

namespace podium {

// Floating-point numbers are written in hexadecimal, which is exact.
std::string cpp_number(double x);
std::string cpp_number(float x);
template <class T>
std::string cpp_number(T x) {
  return fmt::format("{}", x);
}

// inline constexpr TYPE NAME[] = {…};
template <class Values>
std::string cpp_table(std::string_view type, std::string_view name, const Values& values) {
  std::string out = fmt::format("inline constexpr {} {}[] = {{", type, name);
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i % 8 == 0 ? "\n    " : " ") + cpp_number(values[i]) + ",";
  return out + "\n};\n";
}

// inline constexpr const char* NAME[] = {…};
std::string cpp_texts(std::string_view name, const std::vector<std::string>& texts);

// The tables of a model and the body of its score(const float* features).
struct CppParts {
  std::string tables, body;
};
CppParts cpp_parts(const ExportTask& task, const Linear& linear);
CppParts cpp_parts(const ExportTask& task, const Forest& forest);
CppParts cpp_parts(const ExportTask& task, const Mlp& mlp);
CppParts cpp_parts(const ExportTask& task, const Blend& blend);

// The values of each category, by code, where the trees have codes; "" elsewhere.
std::string cpp_category_names(const ExportTask& task);

// The whole header around the model's tables and the body of score(const float* features).
std::string cpp_header(const ExportTask& task, const std::string& tables, const std::string& body);

}  // namespace podium
