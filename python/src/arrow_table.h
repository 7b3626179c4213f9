// A table from any Arrow producer (pyarrow, polars, DuckDB, …), read in place. Numbers of any type
// become float32 features, row by row; a null is a missing value. A column of fixed-size lists of
// float32, in one piece and without nulls, is already such a matrix: it is used without copying.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow_abi.h"
#include "podium/dataset.h"
#include "podium/thread_pool.h"

namespace podium::python {

class ArrowTable {
 public:
  // Takes ownership of the stream's content; throws an Error if it is not a table.
  explicit ArrowTable(ArrowArrayStream& stream);

  std::size_t rows() const noexcept { return rows_; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  bool is_text(const std::string& name) const;
  // Whether features() can read it: numbers, or lists of them.
  bool is_number(const std::string& name) const;

  struct Features {
    std::vector<std::string> names;  // a list column of width N gives N names
    Buffer<float> values;            // rows × names
  };
  Features features(const std::vector<std::string>& columns, ThreadPool& pool) const;
  // One column; nulls are NaN.
  std::vector<double> numbers(const std::string& name) const;
  // The names that features() gives a column.
  std::vector<std::string> feature_names(const std::string& name) const;
  bool is_dictionary(const std::string& name) const;
  // The different values of a column of text, in the order of their first rows, and each row's
  // index among them; −1 for a null.
  struct Categories {
    std::vector<std::int64_t> rows;
    std::vector<std::string> values;
  };
  Categories categories(const std::string& name) const;
  // One column of text; throws an Error for a null.
  std::vector<std::string> texts(const std::string& name) const;

 private:
  struct Pieces;

  std::size_t column(const std::string& name) const;

  std::shared_ptr<const Pieces> pieces_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0;
};

}  // namespace podium::python
