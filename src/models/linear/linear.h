// Feature access of linear models: scores, and the sums that trainers need. A missing value counts
// as 0 everywhere. Sums are over the documents of all ranks, and neither threads nor ranks change
// their bits (document_sums.h).
#pragma once

#include <span>
#include <vector>

#include "core/order_free_sums.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

std::vector<double> score(const Linear& model, const Dataset& data, ThreadPool& pool);
// The same for some rows; one score per row.
void score_rows(const Linear& model, const Rows& rows, std::span<double> scores);

// Σ_i c_i x_i over all documents; c has one element per document.
std::vector<double> weighted_sum(const Dataset& data, std::span<const double> c, Context& context);

// The same over the rows of one query or a piece of it, added as one summand. c has one element per
// row; `zeros` has one per feature, all 0 before and after the call.
void add_weighted(const Rows& rows, std::span<const double> c, std::span<double> zeros,
                  OrderFreeSums& sums);

// Second moments of the features within queries: Σ_q Σ_{i∈q} h_i (x_i − m_q)(x_i − m_q)ᵀ, m_q the
// query's mean weighted by h. features × features, row-major, both triangles; or only its diagonal.
std::vector<double> moments_within(const Dataset& data, std::span<const double> h,
                                   Context& context);
std::vector<double> squares_within(const Dataset& data, std::span<const double> h,
                                   Context& context);

// One feature of every document, 0 if missing.
std::vector<double> feature_column(const Dataset& data, std::size_t feature, ThreadPool& pool);

}  // namespace podium
