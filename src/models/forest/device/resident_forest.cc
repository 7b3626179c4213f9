#include "models/forest/device/resident_forest.h"

#include <algorithm>

#include "models/forest/device/forest_batches.h"

namespace podium {
namespace {

constexpr std::size_t kValuesOfPiece = std::size_t{1} << 21;

BlockColumns columns_of(const Forest& forest) {
  BlockColumns columns;
  columns.features = features_in_use(forest.trees, forest.features);
  columns.of.assign(forest.features, BlockColumns::kNone);
  for (std::uint32_t c = 0; c < columns.features.size(); ++c) columns.of[columns.features[c]] = c;
  return columns;
}

}  // namespace

ResidentForest::ResidentForest(const Forest& forest, std::unique_ptr<DeviceQueue> queue)
    : queue_(std::move(queue)),
      outputs_(forest.base.size()),
      columns_(columns_of(forest)),
      piece_(
          std::max<std::size_t>(
              1, kValuesOfPiece / (std::max<std::size_t>(1, columns_.features.size()) * kBlock)) *
          kBlock),
      staged_(staged_documents(forest.trees.size(), columns_.features.size())),
      stage_(*queue_, std::max<std::size_t>(1, columns_.features.size()) * piece_) {
  std::vector<std::uint32_t> used(columns_.features.size());
  for (std::uint32_t c = 0; c < used.size(); ++c) used[c] = c;
  trees_.upload(forest.trees, columns_.of, used, *queue_);
}

void ResidentForest::add_to(std::span<double> sums, const Dataset& data) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t begin = 0; begin < data.documents(); begin += piece_) {
    const std::size_t count = std::min(piece_, data.documents() - begin);
    add_piece(sums.subspan(begin * outputs_, count * outputs_), data, begin);
  }
}

void ResidentForest::add_piece(std::span<double> sums, const Dataset& data, std::size_t begin) {
  const std::size_t count = sums.size() / outputs_, columns = columns_.features.size();
  ThreadPool alone(1);
  const std::span<float> values = stage_.fill().first(columns * count);
  fill_columns(data, begin, count, columns_, values, alone);
  values_.resize(*queue_, columns * piece_);
  stage_.send(values_.data(), values);
  sums_.resize(*queue_, outputs_ * piece_);
  sums_.upload(sums);
  add_trees(*queue_,
            {.trees = trees_.view(),
             .columns = values_.data(),
             .stride = count,
             .used = trees_.used(),
             .used_count = static_cast<std::uint32_t>(columns),
             .documents_per_block = 0,
             .documents = count,
             .outputs = static_cast<std::uint32_t>(outputs_),
             .sums = sums_.data()},
            staged_);
  sums_.download(sums);
}

}  // namespace podium
