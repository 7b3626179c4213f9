// Training data by content: each query has a key that follows from its rows (content_hashes.h), and
// its rows have an order. Random choices go by the key and the place in that order, and sums over a
// query's rows are added in that order, so that models depend neither on the names of queries nor
// on the order of queries and rows.
//
// Equal rows of a query are interchangeable, and so are equal queries: the n-th of them, over all
// ranks, has a key of its own, so that a sample may contain some of them, and which ones makes no
// difference.
#pragma once

#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The same data, with its content, and without weights that are all equal (equal_weights.h).
// `offset`: initial scores, one per document, or empty. Collective: all ranks must call it.
Dataset with_content(const Dataset& input, std::span<const double> offset, Context& context);

// The data with its rows stored in the order of their content; the same arrays if they are already.
// Its input_row() still is the row of the input.
Dataset in_content_order(const Dataset& data, ThreadPool& pool);
// The same without features: what a loss sees.
Dataset labels_in_content_order(const Dataset& data);
// One number per document, in that order; none if there are none.
std::vector<double> in_content_order(const Dataset& data, std::span<const double> values);

}  // namespace podium
