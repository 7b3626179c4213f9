// Files next to a LETOR file F: F.query or F.group (a group size per line), F.weight (a weight per
// row, or a query), F.position (a display position per row). Compressed data `F.gz` has them next
// to it as `F.query`, or `F.gz.query`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace podium {

// Their names; empty where there is none, but `sizes` names the one that could be.
struct SideFiles {
  std::string sizes, weights, positions;
};
SideFiles find_side_files(const std::string& path);
std::string side_file(const std::string& path, const std::string& kind);

std::vector<std::uint64_t> read_group_sizes(const std::string& file);

// Which of a text's rows (or queries) a rank has: [first, first + count) of `all`.
struct Holding {
  std::size_t first = 0, count = 0, all = 0;
};

// A side file's numbers for the rows and queries that a rank has; what it is about, its length
// says.
struct SideWeights {
  std::vector<float> of_documents, of_queries;
};
SideWeights read_side_weights(const std::string& file, const std::string& text,
                              const Holding& documents, const Holding& queries);
std::vector<std::int32_t> read_side_positions(const std::string& file, const std::string& text,
                                              const Holding& documents);

}  // namespace podium
