// Side files of a LETOR file F: F.query or F.group (one group size per line), F.weight (one weight
// per row, or per query), F.position (one display position per row). For compressed data `F.gz`
// they are named `F.query`, or `F.gz.query`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace podium {

// Their paths; empty if there is none, but `sizes` always has the name to mention in errors.
struct SideFiles {
  std::string sizes, weights, positions;
};
SideFiles find_side_files(const std::string& path);
std::string side_file(const std::string& path, const std::string& kind);

std::vector<std::uint64_t> read_group_sizes(const std::string& file);

// Which rows (or queries) of a text a rank has: [first, first + count) of `all`.
struct Holding {
  std::size_t first = 0, count = 0, all = 0;
};

// A side file's numbers for the rows and queries that a rank has; its length tells whether they are
// per row or per query.
struct SideWeights {
  std::vector<float> of_documents, of_queries;
};
SideWeights read_side_weights(const std::string& file, const std::string& text,
                              const Holding& documents, const Holding& queries);
std::vector<std::int32_t> read_side_positions(const std::string& file, const std::string& text,
                                              const Holding& documents);

}  // namespace podium
