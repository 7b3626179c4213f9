#include "trees/cpu_tree_grower.h"

#include <algorithm>

namespace podium {
namespace {

constexpr std::size_t kGrowerChunk = 16384;  // documents

}  // namespace

CpuTreeGrower::CpuTreeGrower(const Setup& setup, Context& context)
    : context_(context),
      leaf_value_(setup.options.leaf_value),
      outputs_(setup.outputs),
      counted_documents_(setup.counted_documents),
      builder_(setup.data, setup.options, context),
      scores_(setup.data.documents() * outputs_),
      first_(scores_.size()),
      second_(scores_.size()),
      leaf_of_(outputs_, std::vector<std::uint32_t>(setup.data.documents())) {}

void CpuTreeGrower::set_scores(std::span<const double> scores) {
  std::copy(scores.begin(), scores.end(), scores_.begin());
}

DerivativeScale CpuTreeGrower::scale_of(std::size_t output) const {
  if (leaf_value_ == TreeOptions::LeafValue::gradient) return {};
  return DerivativeScale::of(output_total(second_, outputs_, output, context_), counted_documents_);
}

// The output's derivatives, scaled; in place if there is only one output.
TreeTarget CpuTreeGrower::target_of(const TreeRequest& request, const DerivativeScale& scale) {
  std::vector<double>& first = outputs_ == 1 ? first_ : column_first_;
  std::vector<double>& second = outputs_ == 1 ? second_ : column_second_;
  first.resize(documents());
  second.resize(documents());
  parallel_for(context_.pool, documents(), kGrowerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      first[i] = scale.first(first_[i * outputs_ + request.output]);
      second[i] = scale.second(second_[i * outputs_ + request.output]);
    }
  });
  return {first, second, request.sample, request.number};
}

Tree CpuTreeGrower::grow(const TreeRequest& request) {
  const DerivativeScale scale = scale_of(request.output);
  Tree tree = builder_.build(target_of(request, scale), leaf_of_[request.output]);
  for (Tree::Node& node : tree.nodes) node.gain *= scale.unit;
  return tree;
}

void CpuTreeGrower::add(std::size_t output, std::span<const double> values) {
  const std::vector<std::uint32_t>& leaf_of = leaf_of_[output];
  parallel_for(context_.pool, documents(), kGrowerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scores_[i * outputs_ + output] += values[leaf_of[i]];
  });
}

void CpuTreeGrower::look_up(std::size_t output, std::span<const double> values,
                            std::span<double> out) const {
  const std::vector<std::uint32_t>& leaf_of = leaf_of_[output];
  parallel_for(context_.pool, documents(), kGrowerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = values[leaf_of[i]];
  });
}

}  // namespace podium
