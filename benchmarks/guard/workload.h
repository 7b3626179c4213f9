// The data of the kernels in kernels.h, generated from a seed on first use: data of MSLR-WEB's
// shape (about 120 documents per query, 136 features), lists of scores, derivatives, a forest, and
// text files in the temporary folder that are deleted with the workload.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"
#include "trees/binned_dataset.h"
#include "trees/quantized_derivatives.h"

namespace podium {

struct WorkloadSize {
  std::int64_t queries;  // of the data
  std::int64_t
      text_queries;    // of the LETOR text; also of the TREC files, with 1,000 documents each
  std::int64_t trees;  // of the forest
};

// One thread.
class Workload {
 public:
  explicit Workload(const WorkloadSize& size);
  ~Workload();
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  const WorkloadSize& size() const { return size_; }
  Context& context() { return context_; }
  ThreadPool& pool() { return pool_; }

  const Dataset& data();
  const BinnedDataset& binned();
  // One per document: correlated with the grades, with noise; all distinct.
  const std::vector<double>& scores();
  const std::vector<double>& direction();
  // First and second derivatives, heavy-tailed, the first correlated with the grades.
  struct Derivatives {
    std::vector<double> first, second;
  };
  const Derivatives& derivatives();
  const QuantizedDerivatives& quantized();
  // Randomly chosen documents, one in this many, ascending.
  std::vector<std::uint32_t> scattered(std::uint64_t one_in);
  // Trees of 31 leaves, grown on at most the first 40 queries.
  const Forest& forest();

  // Paths.
  std::string letor_text();
  std::string trec_run();
  std::string trec_qrels();

 private:
  std::filesystem::path file(std::string_view ending) const;

  WorkloadSize size_;
  ThreadPool pool_{1};
  std::unique_ptr<Communicator> comm_ = make_local_communicator();
  Observer observer_;
  Context context_{1, pool_, *comm_, observer_};
  std::filesystem::path folder_;
  std::optional<Dataset> data_;
  std::optional<BinnedDataset> binned_;
  std::vector<double> scores_, direction_;
  Derivatives derivatives_;
  std::optional<QuantizedDerivatives> quantized_;
  Forest forest_;
};

}  // namespace podium
