// For tests of readers and writers: a context that collects notes, reading from memory, comparing.
#pragma once

#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/text_source.h"
#include "data/formats/csv_reader.h"
#include "data/formats/letor_reader.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"
#include "podium/error.h"

namespace podium::testing {

struct Reading : Observer {
  explicit Reading(int threads = 1) : pool(threads) {}
  void note(std::string_view text) override { notes.emplace_back(text); }

  ThreadPool pool;
  std::unique_ptr<Communicator> comm = make_local_communicator();
  std::vector<std::string> notes;
  Context context{1, pool, *comm, *this};
};

struct FromMemory {
  ReadOptions options = {};
  std::size_t block_bytes = std::size_t{1} << 20;
  int threads = 1;
  std::vector<std::string>* notes = nullptr;

  Dataset letor(std::string_view text) const {
    return read(text, [](TextSource& source, const ReadOptions& options, RowContext around,
                         Context& context) {
      return read_letor(source, options, std::move(around), context);
    });
  }
  Dataset csv(std::string_view text, char separator = ',') const {
    return read(text, [separator](TextSource& source, const ReadOptions& options, RowContext around,
                                  Context& context) {
      return read_csv(source, separator, options, std::move(around), context);
    });
  }

 private:
  template <class Reader>
  Dataset read(std::string_view text, Reader&& reader) const {
    Reading reading(threads);
    RowContext around;
    around.file = "data";
    around.side_files.sizes = "data.query";
    const auto source =
        text_in_memory(text, {options.max_line_bytes, options.max_unpacked_bytes, block_bytes});
    Dataset data = reader(*source, options, std::move(around), reading.context);
    if (notes) *notes = reading.notes;
    return data;
  }
};

inline std::vector<float> row_of(const Dataset& data, std::size_t document) {
  std::vector<float> row(data.features());
  data.rows(document, document + 1).copy(0, row);
  return row;
}

// Equal as data: the same documents, in the same order, with the same bits; storage may differ.
inline void expect_same_data(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.documents(), b.documents());
  ASSERT_EQ(a.queries(), b.queries());
  ASSERT_EQ(a.features(), b.features());
  for (std::size_t q = 0; q < a.queries(); ++q) {
    EXPECT_EQ(a.qid(q), b.qid(q));
    ASSERT_EQ(a.end(q), b.end(q));
    EXPECT_EQ(a.query_weight(q), b.query_weight(q));
    const auto same = [&](auto x, auto y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end());
    };
    EXPECT_TRUE(same(a.labels(q), b.labels(q)));
    EXPECT_TRUE(same(a.document_weights(q), b.document_weights(q)));
    EXPECT_TRUE(same(a.positions(q), b.positions(q)));
  }
  ASSERT_EQ(a.has_docids(), b.has_docids());
  ASSERT_EQ(a.has_hosts(), b.has_hosts());
  for (std::size_t d = 0; d < a.documents(); ++d) {
    EXPECT_EQ(a.has_docids() ? a.docid(d) : "", b.has_docids() ? b.docid(d) : "");
    EXPECT_EQ(a.has_hosts() ? a.host(d) : "", b.has_hosts() ? b.host(d) : "");
    const auto x = row_of(a, d), y = row_of(b, d);
    for (std::size_t f = 0; f < x.size(); ++f) {
      const bool same = std::isnan(x[f]) ? std::isnan(y[f])
                                         : std::bit_cast<std::uint32_t>(x[f]) ==
                                               std::bit_cast<std::uint32_t>(y[f]);
      ASSERT_TRUE(same) << "document " << d << " feature " << f << ": " << x[f] << " and " << y[f];
    }
  }
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
}

// The text of an Error, with its location; "" if nothing is thrown.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// A file of the real data, or "" if there is none.
inline std::string real_data(const std::string& name) {
  const char* folder = std::getenv("PODIUM_DATA");
  return folder ? std::string(folder) + "/" + name : std::string();
}

}  // namespace podium::testing
