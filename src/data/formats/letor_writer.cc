#include "data/formats/letor_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "core/text_scan.h"
#include "data/formats/letor_codes.h"
#include "data/formats/side_files.h"
#include "data/formats/write_rows.h"
#include "podium/error.h"

namespace podium {
namespace {

// The names as ids, or an empty vector when they are not ascending whole numbers.
std::vector<std::uint32_t> ids_of(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> ids;
  for (const std::string& name : names) {
    std::uint32_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc() || end != name.data() + name.size() || name != std::to_string(id) ||
        (!ids.empty() && id <= ids.back()))
      return {};
    ids.push_back(id);
  }
  return ids;
}

std::vector<std::uint32_t> choose_ids(const Dataset& data, const std::string& path,
                                      Observer& observer) {
  std::vector<std::uint32_t> ids = ids_of(data.feature_names());
  if (ids.size() != data.features()) {
    ids.clear();
    for (std::uint32_t id = 1; id <= data.features(); ++id) ids.push_back(id);
    observer.note(path +
                  ": LETOR text has no feature names; they are numbered from 1 (CSV keeps them)");
  } else if (!ids.empty() && ids.front() == 0) {
    observer.note(path + ": features count from 0; read it with ‹first-feature 0›");
  }
  return ids;
}

void check_word(std::string_view text, std::string_view what, const std::string& path) {
  const auto bad = [](char c) { return is_blank(c) || c == '\n'; };
  if (!text.empty() && std::none_of(text.begin(), text.end(), bad)) return;
  throw Error(
      ErrorCode::data,
      fmt::format("the {} '{}' is empty or has white space, which LETOR text cannot hold: write "
                  "CSV or .podium",
                  what, text),
      {path});
}

class LetorFormatter {
 public:
  LetorFormatter(const Dataset& data, const std::string& path, Observer& observer)
      : data_(data), path_(path), ids_(choose_ids(data, path, observer)), codes_(data) {
    codes_.note(path, ids_, observer);
    for (std::size_t q = 0; q < data.queries(); ++q) check_word(data.qid(q), "qid", path);
  }

  void format(std::size_t begin, std::size_t end, fmt::memory_buffer& out) const {
    const auto begins = data_.query_begin();
    auto q = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), begin) -
                                      begins.begin()) -
             1;
    const Rows rows = data_.rows(begin, end);
    for (std::size_t d = begin; d < end; ++d) {
      while (d >= begins[q + 1]) ++q;
      fmt::format_to(std::back_inserter(out), "{} qid:{}", data_.parts().labels[d], data_.qid(q));
      if (rows.is_dense())
        put_dense(rows.dense(d - begin), out);
      else
        put_sparse(rows.sparse(d - begin), d == 0, rows.absent(), out);
      put_comment(d, out);
      out.push_back('\n');
    }
  }

 private:
  void put(std::size_t column, float value, fmt::memory_buffer& out) const {
    value = codes_.written(column, value);
    if (std::isnan(value))
      fmt::format_to(std::back_inserter(out), " {}:nan", ids_[column]);
    else
      fmt::format_to(std::back_inserter(out), " {}:{}", ids_[column], value);
  }
  void put_dense(std::span<const float> values, fmt::memory_buffer& out) const {
    for (std::size_t f = 0; f < values.size(); ++f) put(f, values[f], out);
  }
  // The first row always mentions the last feature, so that the number of features is kept.
  void put_sparse(const Rows::Sparse& row, bool first, float absent,
                  fmt::memory_buffer& out) const {
    std::size_t i = 0;
    for (const std::uint32_t column : codes_.never_absent()) {
      for (; i < row.columns.size() && row.columns[i] < column; ++i)
        put(row.columns[i], row.values[i], out);
      if (i == row.columns.size() || row.columns[i] != column) put(column, absent, out);
    }
    for (; i < row.columns.size(); ++i) put(row.columns[i], row.values[i], out);
    const std::size_t last = data_.features() - 1;
    const bool is_named = (!row.columns.empty() && row.columns.back() == last) ||
                          (!codes_.never_absent().empty() && codes_.never_absent().back() == last);
    if (first && !is_named) put(last, absent, out);
  }
  void put_comment(std::size_t d, fmt::memory_buffer& out) const {
    const std::string_view docid = data_.has_docids() ? data_.docid(d) : "";
    const std::string_view host = data_.has_hosts() ? data_.host(d) : "";
    if (docid.empty() && host.empty()) return;
    append(out, " #");
    if (!docid.empty()) {
      check_word(docid, "document id", path_);
      fmt::format_to(std::back_inserter(out), " docid = {}", docid);
    }
    if (!host.empty()) {
      check_word(host, "host", path_);
      fmt::format_to(std::back_inserter(out), " host = {}", host);
    }
  }

  const Dataset& data_;
  const std::string& path_;
  std::vector<std::uint32_t> ids_;
  LetorCodes codes_;
};

template <class T>
void write_numbers(std::span<const T> numbers, const std::string& path, Observer& observer) {
  OutputFile file(path);
  fmt::memory_buffer line;
  for (const T number : numbers) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{}\n", number);
    file.write({line.data(), line.size()});
  }
  file.commit();
  observer.note("also written: " + path);
}

void note_stale(const std::string& path, Observer& observer) {
  if (std::error_code ignored; std::filesystem::exists(path, ignored))
    observer.note(path + " is from earlier and will be read with the new file: remove it");
}

void write_side_files(const Dataset& data, const std::string& path, Observer& observer) {
  const DatasetParts& parts = data.parts();
  const bool both = !parts.document_weights.empty() && !parts.query_weights.empty();
  if (path == "-" || both) {
    if (!parts.query_weights.empty())
      observer.note(path + ": the queries' weights are not written (.podium keeps them)");
    if (path == "-" && !(parts.document_weights.empty() && parts.positions.empty()))
      observer.note(path + ": weights and positions are not written to standard output");
    if (path == "-") return;
  }
  const std::string weights = side_file(path, "weight"), positions = side_file(path, "position");
  if (!parts.document_weights.empty())
    write_numbers(parts.document_weights.view(), weights, observer);
  else if (!parts.query_weights.empty())
    write_numbers(parts.query_weights.view(), weights, observer);
  else
    note_stale(weights, observer);
  if (!parts.positions.empty())
    write_numbers(parts.positions.view(), positions, observer);
  else
    note_stale(positions, observer);
}

}  // namespace

void write_letor(const Dataset& data, const std::string& path, Context& context) {
  const LetorFormatter formatter(data, path, context.observer);
  if (!data.is_dense() && std::isnan(data.parts().absent))
    context.observer.note(path +
                          ": features that a row does not name are missing, not 0; read it with "
                          "‹absent missing›");
  OutputFile file(path);
  write_rows(
      file, data.documents(),
      [&](std::size_t begin, std::size_t end, fmt::memory_buffer& out) {
        formatter.format(begin, end, out);
      },
      context.pool);
  file.commit();
  write_side_files(data, path, context.observer);
}

}  // namespace podium
