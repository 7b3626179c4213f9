// Grows trees with the threads of the context, in host memory.
#pragma once

#include <vector>

#include "trees/derivative_scale.h"
#include "trees/tree_builder.h"
#include "trees/tree_grower.h"

namespace podium {

class CpuTreeGrower final : public TreeGrower {
 public:
  CpuTreeGrower(const Setup& setup, Context& context);

  std::span<const double> scores() override { return scores_; }
  void set_scores(std::span<const double> scores) override;
  DerivativeBuffers derivatives() override { return {first_, second_}; }
  Tree grow(const TreeRequest& request) override;
  void add(std::size_t output, std::span<const double> values) override;
  void look_up(std::size_t output, std::span<const double> values,
               std::span<double> out) const override;

 private:
  std::size_t documents() const noexcept { return scores_.size() / outputs_; }
  DerivativeScale scale_of(std::size_t output) const;
  TreeTarget target_of(const TreeRequest& request, const DerivativeScale& scale);

  Context& context_;
  TreeOptions::LeafValue leaf_value_;
  std::size_t outputs_;
  double counted_documents_;
  TreeBuilder builder_;
  std::vector<double> scores_, first_, second_;       // outputs_ per document
  std::vector<double> column_first_, column_second_;  // of one output, if there are several
  std::vector<std::vector<std::uint32_t>> leaf_of_;   // one list per output
};

}  // namespace podium
