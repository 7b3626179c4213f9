#include "solvers/assignment.h"

#include <limits>

#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();

// The state of the growing matching: potentials u, v with u[r] + v[c] ≤ cost[r, c], equal on
// matched pairs.
struct Matching {
  std::size_t columns;
  std::span<const double> cost;
  StopCheck stop;
  std::vector<double> u, v;
  std::vector<std::uint32_t> row_of;  // of each column

  // Dijkstra from `row` over reduced costs until a free column is reached; then flips the path.
  void add(std::uint32_t row) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<double> distance(columns, kInfinity);
    std::vector<std::uint32_t> previous(columns, kFree);  // column before this one on the path
    std::vector<char> done(columns, 0);
    std::vector<std::uint32_t> tree;  // columns in the order in which they were reached
    std::uint32_t at_row = row, at_column = kFree;
    double base = 0;
    for (;;) {
      stop();
      std::uint32_t next = kFree;
      double nearest = kInfinity;
      for (std::size_t c = 0; c < columns; ++c) {
        if (done[c]) continue;
        const double through = base + cost[at_row * columns + c] - u[at_row] - v[c];
        if (through < distance[c]) {
          distance[c] = through;
          previous[c] = at_column;
        }
        if (distance[c] < nearest) {
          nearest = distance[c];
          next = static_cast<std::uint32_t>(c);
        }
      }
      if (next == kFree) throw Error(ErrorCode::training, "assignment: the costs are not finite");
      base = nearest;
      at_column = next;
      if (row_of[next] == kFree) break;
      done[next] = 1;
      tree.push_back(next);
      at_row = row_of[next];
    }
    u[row] += base;
    for (const std::uint32_t c : tree) {
      u[row_of[c]] += base - distance[c];
      v[c] -= base - distance[c];
    }
    while (previous[at_column] != kFree) {
      row_of[at_column] = row_of[previous[at_column]];
      at_column = previous[at_column];
    }
    row_of[at_column] = row;
  }
};

}  // namespace

std::vector<std::uint32_t> assign(std::size_t rows, std::size_t columns,
                                  std::span<const double> cost, StopCheck stop) {
  Matching matching{columns,
                    cost,
                    stop,
                    std::vector<double>(rows),
                    std::vector<double>(columns),
                    std::vector<std::uint32_t>(columns, kFree)};
  for (std::size_t row = 0; row < rows; ++row) matching.add(static_cast<std::uint32_t>(row));
  std::vector<std::uint32_t> column_of(rows);
  for (std::size_t c = 0; c < columns; ++c)
    if (matching.row_of[c] != kFree) column_of[matching.row_of[c]] = static_cast<std::uint32_t>(c);
  return column_of;
}

}  // namespace podium
