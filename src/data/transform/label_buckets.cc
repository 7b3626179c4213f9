// Labels as grades. Buckets are made of distinct labels: most labels of most data are 0, and
// quantiles of documents would put all others into the last bucket.
#include <algorithm>

#include "data/transform/label_grades.h"
#include "podium/transform.h"

namespace podium {

std::vector<float> label_grades(std::span<const float> labels, std::span<const float> edges) {
  std::vector<float> grades;
  grades.reserve(labels.size());
  for (const float label : labels)
    grades.push_back(
        static_cast<float>(std::upper_bound(edges.begin(), edges.end(), label) - edges.begin()));
  return grades;
}

std::vector<float> edges_of_labels(std::span<const float> labels, std::size_t buckets) {
  std::vector<float> distinct(labels.begin(), labels.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  buckets = std::min(buckets, distinct.size());
  std::vector<float> edges;
  for (std::size_t b = 1; b < buckets; ++b)
    edges.push_back(distinct[(b * distinct.size() + buckets - 1) / buckets]);
  return edges;
}

Dataset bucket_labels(const Dataset& data, const std::vector<float>& edges) {
  DatasetParts parts = data.parts();
  parts.labels = label_grades(data.labels(), edges);
  return Dataset(std::move(parts));
}

std::vector<float> fit_label_edges(const Dataset& data, std::size_t buckets) {
  return edges_of_labels(data.labels(), buckets);
}

}  // namespace podium
