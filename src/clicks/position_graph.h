// The graph of positions, weighted by what the log says about their ratios.
//
// With u = log θ_p + log γ_d the information of a cell is n p/(1 − p). Eliminating log γ_d leaves,
// for the positions, the Laplacian of the graph whose edge (p, p′) weighs Σ_d I_dp I_dp′ / Σ_k
// I_dk: its kernel has one vector per connected component, and its inverse with one position held
// fixed is the covariance of log θ.
#pragma once

#include <span>
#include <vector>

#include "clicks/examination_em.h"
#include "podium/click_model.h"

namespace podium {

// For models of two numbers per position: groups of positions are connected by two documents shown
// in both, one of them clicked. Without `linked`.
Connectivity paired_connectivity(const ClickLog& log);

// The same graph for states of a reader (examination_em.h): of each state its component, numbered
// from 0 in the order of their first states; Connectivity::kNever if it does not occur.
std::vector<std::uint32_t> connected_states(std::span<const StateCell> cells,
                                            std::span<const std::uint64_t> document_begin,
                                            std::size_t states);

// Solves A x = b for the positive definite part of A: rows that are `fixed` keep x = 0. Returns the
// inverse's diagonal, too; infinite where A says nothing.
struct LaplacianSolution {
  std::vector<double> x, variance;
};
LaplacianSolution solve_laplacian(std::vector<double> matrix, std::vector<double> right,
                                  std::span<const char> fixed);

// 95 % intervals of θ at (θ, γ); those of `fixed` positions are points. From 0 to infinity, which
// is none, where the documents shown have fewer than 8 clicks on average (weighted by how often
// they were shown there): there the maximum over all γ_d is biased by more than the interval says.
std::vector<ProbabilityInterval> theta_intervals(const ClickLog& log, std::span<const double> theta,
                                                 std::span<const double> gamma,
                                                 std::span<const char> fixed);

}  // namespace podium
