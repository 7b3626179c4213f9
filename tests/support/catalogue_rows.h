// The rows of a table, for suites that run over all of them.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace podium::testing {

template <class Catalog>
std::vector<std::string> row_names(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto* entry : catalog.entries()) names.emplace_back(entry->name);
  return names;
}

// A name that is valid for tests.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace podium::testing
