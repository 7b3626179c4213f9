// The two inner loops of linear models over dense float rows, in the widest vectors that the
// machine supports. The order of additions is fixed (sixteen partial sums; row by row), so every
// machine computes the same bits. If a value is NaN, so is the result.
#pragma once

#include <cstddef>

namespace podium {

// products_r = Σ_f w_f x_rf for `rows` consecutive rows of n values.
void dense_products(const float* x, std::size_t rows, const double* w, double* products,
                    std::size_t n);

// sums_f += Σ_r c_r x_rf over `rows` consecutive rows of n values, in their order.
void add_rows(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n);

}  // namespace podium
