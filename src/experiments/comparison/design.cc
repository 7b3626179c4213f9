#include "experiments/comparison/design.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/formats/column_options.h"
#include "data/formats/data_format.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

namespace fs = std::filesystem;

std::string name_of(const fs::path& path) {
  fs::path plain = fs::absolute(path).lexically_normal();
  if (!plain.has_filename()) plain = plain.parent_path();
  std::string name = plain.filename().string();
  std::vector<std::string_view> endings = {".gz", ".zst"};
  for (const DataFormat* format : data_formats()) endings.push_back(format->suffixes[0]);
  for (const std::string_view ending : endings)
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

// One file, and the queries of each fold.
class SplitData final : public Design {
 public:
  SplitData(std::string kind, const std::string& path, const Reading& reading, Context& context)
      : kind_(std::move(kind)) {
    mapped_.emplace_back(std::vector{path}, reading.options, context.comm);
    data_ = read_part(path, reading, context);
    name_ = name_of(path);
    DataSummaryBuilder builder(reading.relevant_from);
    builder.add(data_);
    summary_ = builder.finish();
  }

  const Dataset& data() const noexcept { return data_; }
  void cut(std::vector<Fold> parts, std::string_view label) {
    parts_ = std::move(parts);
    for (std::size_t f = 1; f <= parts_.size(); ++f)
      folds_.push_back(fmt::format("{}{}", label, f));
  }

  std::string kind() const override { return kind_; }
  FoldData load(std::size_t fold, Context&) const override {
    const Fold& part = parts_[fold];
    return {select_queries(data_, part.train), select_queries(data_, part.valid),
            select_queries(data_, part.test)};
  }
  FoldSize size(std::size_t fold) const override {
    FoldSize size{data_.bytes(), 0};
    for (const std::size_t q : parts_[fold].train) size.train_documents += data_.labels(q).size();
    return size;
  }
  FoldFiles files(std::size_t fold) const override {
    return {folds_[fold] + "/train.txt", folds_[fold] + "/vali.txt", folds_[fold] + "/test.txt"};
  }

 private:
  std::string kind_;
  Dataset data_;
  std::vector<Fold> parts_;
};

}  // namespace

Dataset read_part(const std::string& path, const Reading& reading, Context& context) {
  const Dataset data = read_dataset(path, reading.options, context);
  if (reading.without.empty()) return data;
  const auto gone = parse_feature_list(reading.without, data);
  Transform kept;
  for (const std::string& name : data.feature_names())
    if (std::find(gone.begin(), gone.end(), name) == gone.end()) kept.features.push_back(name);
  if (kept.features.empty()) throw Error(ErrorCode::usage, "‹without› leaves no features", {path});
  return apply(kept, data, context);
}

std::unique_ptr<Design> cross_validation(const std::string& path, int folds, const Reading& reading,
                                         Context& context) {
  require_columns_used(reading.options, {path});
  auto design = std::make_unique<SplitData>("split", path, reading, context);
  design->cut(make_folds(design->data(), folds, context.seed), "Fold");
  return design;
}

std::unique_ptr<Design> random_trials(const std::string& path, const TrialSizes& sizes,
                                      const Reading& reading, Context& context) {
  require_columns_used(reading.options, {path});
  auto design = std::make_unique<SplitData>("trials", path, reading, context);
  design->cut(balanced_trials(design->data().queries(), sizes, context.seed), "Trial");
  return design;
}

void write_folds(const Design& design, const fs::path& folder, Context& context) {
  for (std::size_t f = 0; f < design.folds().size(); ++f) {
    const fs::path target = folder / design.folds()[f];
    std::error_code error;
    fs::create_directories(target, error);
    if (error)
      throw Error(ErrorCode::file, "cannot be made: " + error.message(), {target.string()});
    const FoldData data = design.load(f, context);
    write_dataset(data.train, (target / "train.txt").string(), context);
    write_dataset(data.valid, (target / "vali.txt").string(), context);
    write_dataset(data.test, (target / "test.txt").string(), context);
  }
}

}  // namespace podium
