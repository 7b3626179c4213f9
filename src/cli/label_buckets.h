// --bucket-labels: grades from labels that are counts, shares or other numbers.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace podium::cli {

struct LabelBuckets {
  std::size_t count = 0;     // of buckets to make; 0: none, or by edges
  std::vector<float> edges;  // as given

  void add(CLI::App& command, const std::string& group);
};

}  // namespace podium::cli
