// Serialises forests in trainers' state (checkpointing.h).
#pragma once

#include <type_traits>

#include "core/archive.h"
#include "podium/model.h"

namespace podium {

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, Tree::Node>
void archive_fields(Archive& archive, T& node) {
  archive(node.feature, node.threshold, node.missing, node.left, node.right, node.gain,
          node.documents);
}
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, Tree>
void archive_fields(Archive& archive, T& tree) {
  archive(tree.nodes, tree.values, tree.leaf_documents, tree.categories);
}
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, Link>
void archive_fields(Archive& archive, T& link) {
  archive(link.kind, link.values);
}
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, Forest>
void archive_fields(Archive& archive, T& forest) {
  archive(forest.features, forest.base, forest.offset_feature, forest.link, forest.trees);
}

}  // namespace podium
