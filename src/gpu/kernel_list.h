// All kernels: X(name in the GPU's code, type). The name is the type's kName.
#pragma once

#include "losses/device/grade_pair_kernels.h"
#include "losses/device/lambda_kernels.h"
#include "losses/device/no_derivatives_kernel.h"
#include "losses/device/smooth_kernels.h"
#include "losses/device/sum_kernels.h"
#include "models/forest/device/forest_kernels.h"
#include "trees/device/derivative_kernels.h"
#include "trees/device/fold_search_kernel.h"
#include "trees/device/histogram_kernels.h"
#include "trees/device/leaf_kernels.h"
#include "trees/device/partition_kernels.h"

#define PODIUM_KERNELS(X)                 \
  X(tree_total, TotalKernel)              \
  X(tree_extent, ExtentKernel)            \
  X(tree_round, RoundKernel)              \
  X(tree_mark, MarkKernel)                \
  X(tree_move, MoveKernel)                \
  X(tree_sum_leaf, SumLeafKernel)         \
  X(tree_count_up, CountUpKernel)         \
  X(tree_add_rows, AddRowsKernel)         \
  X(tree_add_sparse, AddSparseKernel)     \
  X(tree_fold_search, FoldSearchKernel)   \
  X(tree_subtract, SubtractKernel)        \
  X(tree_leaf_sums, LeafSumsKernel)       \
  X(tree_walk, WalkKernel)                \
  X(tree_add_values, AddValuesKernel)     \
  X(tree_look_up, LookUpKernel)           \
  X(forest_add_staged, AddTreesStaged)    \
  X(forest_add_in_place, AddTreesInPlace) \
  PODIUM_LOSS_KERNELS(X)

#define PODIUM_LOSS_KERNELS(X)                    \
  X(lambda_short, LambdaShortKernel)              \
  X(lambda_long, LambdaLongKernel)                \
  X(loss_no_derivatives, NoDerivativesKernel)     \
  X(loss_squared, SquaredKernel)                  \
  X(loss_query_squared, QuerySquaredKernel)       \
  X(loss_cross_entropy, CrossEntropyKernel)       \
  X(loss_multinomial, MultinomialKernel)          \
  X(loss_ordinal, OrdinalKernel)                  \
  X(loss_add_part, AddPartKernel)                 \
  X(loss_finish_sum, FinishSumKernel)             \
  X(pairs_logistic, LogisticPairsKernel)          \
  X(pairs_exponential, ExponentialPairsKernel)    \
  X(pairs_fidelity, FidelityPairsKernel)          \
  X(pairs_hinge, HingePairsKernel)                \
  X(pairs_squared_hinge, SquaredHingePairsKernel) \
  X(pairs_margin, MarginPairsKernel)              \
  X(pairs_literal_margin, LiteralMarginPairsKernel)
