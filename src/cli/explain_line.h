// The part of `podium explain` for --line.
#pragma once

#include <limits>
#include <string>

#include "cli/command.h"
#include "cli/data_options.h"

namespace podium::cli {

// Without a query the measure is over all data.
struct LineArguments {
  std::string model, data, query, line, output, measure = "nDCG@10", convention = "podium";
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
// The index of the named query; throws a usage Error that names the nearest if there is none.
std::size_t find_query(const Dataset& data, const std::string& wanted, const std::string& file);
void explain_line(const LineArguments& arguments, const DataOptions& reading, Frame& frame);

}  // namespace podium::cli
