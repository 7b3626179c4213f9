// Resuming in the folder of a comparison: whatever is in results.json, in the file of a finished
// cell or in resources.json, the comparison either refuses to continue (an Error), or ends with
// results that are JSON, and with tables. The first byte chooses the file.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/comparison/cell_resources.h"
#include "experiments/comparison/results_folder.h"
#include "experiments/comparison/results_json.h"
#include "experiments/report/result_tables.h"
#include "models/file/json_text.h"
#include "podium/error.h"
#include "podium/experiment.h"

namespace podium {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void require(bool holds) {
  if (!holds) std::abort();
}

void write(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A finished comparison, of which the bytes replace a file.
class Finished {
 public:
  Finished() : pool_(1), context_{1, pool_, *comm_, observer_} {
    std::string pattern = (fs::temp_directory_path() / "podium-fuzz-XXXXXX").string();
    require(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    std::string data;
    for (const char* qid : {"1", "2", "3", "4", "5", "6"})
      for (const char* row : {"2", "1", "0"})
        data += std::string(row) + " qid:" + qid + " 1:" + row + " 2:" + qid + "\n";
    write(folder_ / "data.txt", data);
    options_.data = (folder_ / "data.txt").string();
    options_.learners = "feature";
    options_.measures = "nDCG@5";
    options_.folds = 3;
    options_.permutations = 100;
    run_.folder = folder_ / "results";
    run_.version = "1";
    compare(options_, run_, context_);
    plan_ = plan_comparison(options_, run_, 1 << 20, context_);
    for (const char* name : kFiles) whole_.push_back(read(run_.folder / name));
  }
  ~Finished() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Finished(const Finished&) = delete;
  Finished& operator=(const Finished&) = delete;

  // Resumes with one file replaced.
  void go_on(std::size_t which, std::string_view bytes) {
    for (std::size_t f = 0; f < whole_.size(); ++f)
      write(run_.folder / kFiles[f], f == which ? bytes : std::string_view(whole_[f]));
    try {
      const ResultsFolder folder(run_.folder);
      folder.require_same_comparison(plan_);
      CellTable cells(plan_.systems.size(), plan_.folds(), plan_.seeds());
      folder.load_cells(plan_, cells);
      bool whole = true;
      for (std::size_t f = 0; f < plan_.folds(); ++f) whole = whole && cells.at(0, f, 0);
      const Json results = results_json(
          plan_, cells, whole ? ResultsState::complete : ResultsState::running, nullptr, context_);
      require(Json::accept(to_text(results)));
      require(Json::accept(CellResources(folder.resources(), 1).text()));
      if (!whole) return;
      render(measure_table(results), TableFormat::text);
      render(baseline_table(results), TableFormat::text);
    } catch (const Error&) {
    }
  }

  static constexpr const char* kFiles[] = {"results.json", "cells/feature.Fold1.json",
                                           "resources.json"};

 private:
  ThreadPool pool_;
  std::unique_ptr<Communicator> comm_ = make_local_communicator();
  Observer observer_;
  Context context_;
  fs::path folder_;
  ComparisonOptions options_;
  ComparisonRun run_;
  ComparisonPlan plan_;
  std::vector<std::string> whole_;
};

}  // namespace
}  // namespace podium

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static podium::Finished finished;
  if (size == 0) return 0;
  finished.go_on(bytes[0] % std::size(podium::Finished::kFiles),
                 {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
