// The content of RankLib's model file, checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace podium {

struct RankLibTree {
  double weight = 1;
  struct Node {
    std::uint32_t feature = 0;  // from 1; 0: a leaf
    float threshold = 0;
    std::int32_t left = -1, right = -1;  // later nodes
    double output = 0;
  };
  std::vector<Node> nodes;  // the root first, parents before children
};

struct RankLibFile {
  std::string ranker;                                     // from the first line
  std::vector<std::vector<RankLibTree>> ensembles;        // several: their mean (random forests)
  std::vector<std::pair<std::uint32_t, double>> weights;  // of linear models; feature 0: the bias
  struct Threshold {
    std::uint32_t feature;
    double threshold, weight;
  };
  std::vector<Threshold> thresholds;  // RankBoost: the weight applies if x > threshold
};

RankLibFile parse_ranklib(std::string_view content, const std::string& file);

}  // namespace podium
