// Reuses lists of jumps of earlier searches: their memory is large, and the system would clear it
// every time.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "line_search/jump_merge.h"

namespace podium {

class JumpStore {
 public:
  std::vector<Jump> take() {
    const std::lock_guard lock(mutex_);
    if (lists_.empty()) return {};
    std::vector<Jump> list = std::move(lists_.back());
    lists_.pop_back();
    return list;
  }
  void give_back(JumpLists lists) {
    const std::lock_guard lock(mutex_);
    for (std::vector<Jump>& list : lists) {
      list.clear();
      lists_.push_back(std::move(list));
    }
  }

 private:
  std::mutex mutex_;
  JumpLists lists_;
};

}  // namespace podium
