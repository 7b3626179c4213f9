#include "data/formats/csv_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "data/formats/encode_categories.h"
#include "data/formats/note_categories.h"
#include "data/formats/write_rows.h"
#include "podium/error.h"

namespace podium {
namespace {

class CsvFormatter {
 public:
  CsvFormatter(const Dataset& data, char separator, const std::string& path)
      : data_(data), separator_(separator), path_(path) {
    if (data.schema().all_numbers()) return;
    for (std::size_t f = 0; f < data.features(); ++f) {
      categories_.push_back(data.schema().values(f));
      if (categories_.back()) check_categories(data.feature_names()[f], *categories_.back());
    }
  }

  void header(fmt::memory_buffer& out) const {
    append(out, "label");
    name("qid", out);
    if (data_.has_docids()) name("docid", out);
    if (data_.has_hosts()) name("host", out);
    if (!data_.parts().document_weights.empty()) name("weight", out);
    if (!data_.parts().positions.empty()) name("position", out);
    for (const std::string& feature : data_.feature_names()) {
      check_feature(feature);
      out.push_back(separator_);
      put_text(feature, out);
    }
    out.push_back('\n');
  }

  void format(std::size_t begin, std::size_t end, fmt::memory_buffer& out) const {
    const DatasetParts& parts = data_.parts();
    const auto begins = data_.query_begin();
    auto q = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), begin) -
                                      begins.begin()) -
             1;
    const Rows rows = data_.rows(begin, end);
    std::vector<float> values(data_.features());
    for (std::size_t d = begin; d < end; ++d) {
      while (d >= begins[q + 1]) ++q;
      fmt::format_to(std::back_inserter(out), "{}{}", parts.labels[d], separator_);
      if (data_.qid(q).empty())
        throw Error(ErrorCode::data, "CSV cannot hold an empty qid", {path_});
      put_text(data_.qid(q), out);
      if (data_.has_docids()) text(data_.docid(d), out);
      if (data_.has_hosts()) text(data_.host(d), out);
      if (!parts.document_weights.empty()) number(parts.document_weights[d], out);
      if (!parts.positions.empty()) number(parts.positions[d], out);
      rows.copy(d - begin, values);
      for (std::size_t f = 0; f < values.size(); ++f) {
        const Strings* const categories = categories_.empty() ? nullptr : categories_[f];
        categories ? category(values[f], *categories, out) : feature(values[f], out);
      }
      out.push_back('\n');
    }
  }

 private:
  void name(std::string_view column, fmt::memory_buffer& out) const {
    out.push_back(separator_);
    append(out, column);
  }
  void text(std::string_view value, fmt::memory_buffer& out) const {
    out.push_back(separator_);
    put_text(value, out);
  }
  template <class T>
  void number(T value, fmt::memory_buffer& out) const {
    fmt::format_to(std::back_inserter(out), "{}{}", separator_, value);
  }
  void feature(float value, fmt::memory_buffer& out) const {
    if (std::isnan(value))
      out.push_back(separator_);
    else
      number(value, out);
  }

  void category(float value, const Strings& categories, fmt::memory_buffer& out) const {
    const auto code = code_of(value, categories.size());
    text(code ? categories[*code] : std::string_view(), out);
  }
  void check_categories(const std::string& feature, const Strings& categories) const {
    for (std::size_t i = 0; i < categories.size(); ++i)
      if (means_missing(categories[i]))
        throw Error(ErrorCode::data,
                    fmt::format("the category '{}' of '{}' would be read from CSV as a missing "
                                "value: write .podium",
                                categories[i], feature),
                    {path_});
  }

  void put_text(std::string_view value, fmt::memory_buffer& out) const {
    if (value.find('\n') != std::string_view::npos)
      throw Error(
          ErrorCode::data,
          fmt::format("'{}' has a line break, which CSV cannot hold here: write .podium", value),
          {path_});
    const bool plain = value.find_first_of("\"\r ") == std::string_view::npos &&
                       value.find(separator_) == std::string_view::npos;
    if (plain) return append(out, value);
    out.push_back('"');
    for (const char c : value) {
      if (c == '"') out.push_back('"');
      out.push_back(c);
    }
    out.push_back('"');
  }

  void check_feature(const std::string& feature) const {
    static constexpr std::array<std::string_view, 9> kTaken = {
        "label", "grade", "relevance", "qid", "query", "docid", "weight", "position", "host"};
    if (std::find(kTaken.begin(), kTaken.end(), feature) != kTaken.end() || feature.empty())
      throw Error(
          ErrorCode::data,
          fmt::format("the feature '{}' cannot keep its name in CSV, where that column has a "
                      "meaning: write .podium",
                      feature),
          {path_});
  }

  const Dataset& data_;
  char separator_;
  const std::string& path_;
  std::vector<const Strings*> categories_;  // by feature, null for numbers; empty: no categories
};

}  // namespace

void write_csv(const Dataset& data, char separator, const std::string& path, Context& context) {
  if (!data.parts().query_weights.empty())
    context.observer.note(path +
                          ": CSV has no place for the queries' weights (.podium keeps them)");
  note_categories(data, path, context.observer);
  const CsvFormatter formatter(data, separator, path);
  OutputFile file(path);
  fmt::memory_buffer header;
  formatter.header(header);
  file.write({header.data(), header.size()});
  write_rows(
      file, data.documents(),
      [&](std::size_t begin, std::size_t end, fmt::memory_buffer& out) {
        formatter.format(begin, end, out);
      },
      context.pool);
  file.commit();
}

}  // namespace podium
