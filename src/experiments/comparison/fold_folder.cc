// A folder as in LETOR: Fold1, Fold2, … each with train, vali and test in any format, or the three
// files of a single fold in the folder itself.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "data/formats/column_options.h"
#include "experiments/comparison/design.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {".podium", ".txt", ".csv", ".tsv",
                                         ".letor",  ".svm", ".dat"};
constexpr std::string_view kPackings[] = {"", ".gz", ".zst"};

// The file of one part, whose name is one of `stems` with a suffix of a format.
std::optional<fs::path> find_part(const fs::path& folder, std::span<const std::string_view> stems) {
  for (const std::string_view stem : stems)
    for (const std::string_view ending : kEndings)
      for (const std::string_view packing : kPackings) {
        const fs::path file = folder / fmt::format("{}{}{}", stem, ending, packing);
        if (fs::is_regular_file(file)) return file;
      }
  return {};
}

std::string require_part(const fs::path& folder, std::span<const std::string_view> stems) {
  if (const auto file = find_part(folder, stems)) return file->string();
  throw Error(ErrorCode::data,
              fmt::format("there is no {} file: a fold has train.txt, vali.txt and test.txt (or "
                          ".csv, .tsv, .podium, .gz, .zst)",
                          stems[0]),
              {folder.string()});
}

FoldFiles find_files(const fs::path& folder) {
  static constexpr std::string_view kTrain[] = {"train"}, kTest[] = {"test"};
  static constexpr std::string_view kValid[] = {"vali", "valid", "validation"};
  return {require_part(folder, kTrain), require_part(folder, kValid), require_part(folder, kTest)};
}

// Fold2 before Fold10: by number, then by name.
std::vector<fs::path> fold_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && (name.starts_with("Fold") || name.starts_with("fold")))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  if (found.empty()) found.push_back(folder);
  return found;
}

void require_disjoint(const Dataset& a, const std::string& file_a, const Dataset& b,
                      const std::string& file_b) {
  std::set<std::string_view> queries;
  for (std::size_t q = 0; q < a.queries(); ++q) queries.insert(a.qid(q));
  for (std::size_t q = 0; q < b.queries(); ++q)
    if (queries.contains(b.qid(q)))
      throw Error(ErrorCode::data,
                  fmt::format("query {} is in {} too: parts of a fold must not share queries",
                              b.qid(q), file_a),
                  {file_b});
}

// Each query is tested once: the values of a qid tested in two folds would be averaged, but if
// folds number their queries from 1 they belong to different queries.
class TestedQueries {
 public:
  void add(const Dataset& test, const std::string& file) {
    for (std::size_t q = 0; q < test.queries(); ++q) {
      const auto [known, is_new] = files_.emplace(test.qid(q), file);
      if (!is_new)
        throw Error(ErrorCode::data,
                    fmt::format("query {} is in {} too: a query is tested in one fold only",
                                test.qid(q), known->second),
                    {file});
    }
  }

 private:
  std::map<std::string, std::string> files_;
};

class FoldFolder final : public Design {
 public:
  FoldFolder(const fs::path& path, const Reading& reading, Context& context) : reading_(reading) {
    std::error_code ignored;
    const fs::path absolute = fs::weakly_canonical(path, ignored);
    name_ = (absolute.empty() ? path : absolute).filename().string();
    DataSummaryBuilder builder(reading.relevant_from);
    TestedQueries tested;
    std::size_t kept = 0;
    for (const fs::path& folder : fold_folders(path)) {
      const FoldFiles files = find_files(folder);
      require_columns_used(reading.options, {files.train, files.valid, files.test});
      files_.push_back(files);
      folds_.push_back(folder == path ? "Fold" : folder.filename().string());
      mapped_.emplace_back(std::vector{files.train, files.valid, files.test}, reading.options,
                           context.comm);
      FoldData data = read(files, context);
      require_disjoint(data.train, files.train, data.test, files.test);
      require_disjoint(data.train, files.train, data.valid, files.valid);
      require_disjoint(data.valid, files.valid, data.test, files.test);
      tested.add(data.test, files.test);
      sizes_.push_back({data.bytes(), data.train.documents()});
      for (const Dataset* part : {&data.train, &data.valid, &data.test}) builder.add(*part);
      kept += data.bytes();
      data_.emplace_back();
      if (kept <= reading.keep_bytes) data_.back() = std::move(data);
    }
    summary_ = builder.finish();
  }

  std::string kind() const override { return "folds"; }
  FoldData load(std::size_t fold, Context& context) const override {
    return data_[fold] ? *data_[fold] : read(files_[fold], context);
  }
  FoldSize size(std::size_t fold) const override { return sizes_[fold]; }
  FoldFiles files(std::size_t fold) const override { return files_[fold]; }

 private:
  FoldData read(const FoldFiles& files, Context& context) const {
    return {read_part(files.train, reading_, context), read_part(files.valid, reading_, context),
            read_part(files.test, reading_, context)};
  }

  Reading reading_;
  std::vector<FoldFiles> files_;
  std::vector<FoldSize> sizes_;
  std::vector<std::optional<FoldData>> data_;
};

}  // namespace

std::unique_ptr<Design> fold_folder(const std::string& path, const Reading& reading,
                                    Context& context) {
  return std::make_unique<FoldFolder>(path, reading, context);
}

}  // namespace podium
