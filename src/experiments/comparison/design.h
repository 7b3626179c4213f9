// How a comparison divides its data: named folds, each with queries for training, validation and
// testing. Three kinds:
//   folds    a folder as in LETOR, Fold1 … each with train, vali and test files
//   split    one file, cross-validated: parts assigned by query, balanced by grade
//   trials   one file, repeated random splits (balanced_trials.h)
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/formats/mapped_data.h"
#include "experiments/comparison/balanced_trials.h"
#include "experiments/report/data_summary.h"
#include "podium/data_io.h"

namespace podium {

struct FoldData {
  Dataset train, valid, test;

  std::size_t bytes() const noexcept { return train.bytes() + valid.bytes() + test.bytes(); }
};

struct FoldFiles {
  std::string train, valid, test;
};

// The size of a fold, known before it is loaded.
struct FoldSize {
  std::size_t bytes = 0, train_documents = 0;
};

class Design {
 public:
  virtual ~Design() = default;
  virtual std::string kind() const = 0;
  virtual FoldData load(std::size_t fold, Context& context) const = 0;
  virtual FoldSize size(std::size_t fold) const = 0;
  // The files of a fold; for a split those that write_folds() writes.
  virtual FoldFiles files(std::size_t fold) const = 0;

  const std::vector<std::string>& folds() const noexcept { return folds_; }
  const std::string& name() const noexcept { return name_; }
  const DataSummary& summary() const noexcept { return summary_; }
  // Throws a file Error if another process wrote to a `.podium` file since it was first read.
  void require_unchanged(Communicator& comm) const {
    for (const MappedData& files : mapped_) files.require_unchanged(comm);
  }

 protected:
  std::string name_;  // of the data
  std::vector<std::string> folds_;
  DataSummary summary_;
  std::vector<MappedData> mapped_;
};

struct Reading {
  ReadOptions options = {};
  std::string without = {};    // features to leave out, as parse_feature_list reads them
  double relevant_from = 1;    // for counting empty queries in the summary
  std::size_t keep_bytes = 0;  // folds beyond this are read again when needed
};

// One file, without the features to leave out.
Dataset read_part(const std::string& path, const Reading& reading, Context& context);

// Throws a data Error if a part is missing, if two parts of a fold share a query, or if a query is
// in the test parts of two folds.
std::unique_ptr<Design> fold_folder(const std::string& path, const Reading& reading,
                                    Context& context);
std::unique_ptr<Design> cross_validation(const std::string& path, int folds, const Reading& reading,
                                         Context& context);
std::unique_ptr<Design> random_trials(const std::string& path, const TrialSizes& sizes,
                                      const Reading& reading, Context& context);

// Writes FOLDER/Fold1/{train,vali,test}.txt and so on.
void write_folds(const Design& design, const std::filesystem::path& folder, Context& context);

}  // namespace podium
