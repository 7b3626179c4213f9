// Reading and binning.
#include <filesystem>

#include "guard/kernels.h"
#include "podium/data_io.h"
#include "podium/trec.h"

namespace podium {
namespace {

double bytes_of(const std::string& path) {
  return static_cast<double>(std::filesystem::file_size(path));
}

}  // namespace

// Memory: the text, and the data read from it.
Kernel read_letor(Workload& workload) {
  const std::string path = workload.letor_text();
  const auto run = [&workload, path] { read_dataset(path, {}, workload.context()); };
  const double text = bytes_of(path);
  const auto made = static_cast<double>(read_dataset(path, {}, workload.context()).bytes());
  return {run, {.items = text, .memory_bytes = text + made}};
}

Kernel read_trec(Workload& workload) {
  const std::string run_path = workload.trec_run(), qrels_path = workload.trec_qrels();
  const auto run = [&workload, run_path, qrels_path] {
    read_run(run_path, workload.context());
    read_qrels(qrels_path, workload.context());
  };
  const double text = bytes_of(run_path) + bytes_of(qrels_path);
  return {run, {.items = text, .memory_bytes = text}};
}

// Memory: the values twice (for the bin edges and for the bins), and the bins.
Kernel bin_values(Workload& workload) {
  const Dataset& data = workload.data();
  const auto run = [&workload, &data] { BinnedDataset::bin(data, {}, workload.context()); };
  const auto values = static_cast<double>(data.documents() * data.features());
  return {run, {.items = values, .memory_bytes = 9 * values}};
}

}  // namespace podium
