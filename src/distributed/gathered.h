// Gathers every rank's value, in rank order, on every rank: any type that core/archive.h can write.
#pragma once

#include <vector>

#include "core/archive.h"
#include "podium/communicator.h"

namespace podium {

template <class T>
std::vector<T> gathered(const T& mine, Communicator& comm) {
  if (comm.size() == 1) return {mine};
  ArchiveWriter writer;
  writer(mine);
  std::vector<T> all;
  for (const auto& bytes : comm.all_gather(writer.take())) {
    ArchiveReader reader(bytes);
    reader(all.emplace_back());
  }
  return all;
}

}  // namespace podium
