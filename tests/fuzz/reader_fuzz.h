// Shared by the fuzzers of the text readers: the same text, cut into blocks of different sizes and
// parsed by different numbers of threads, must give the same data or the same error.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "core/text_source.h"
#include "data/formats/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"
#include "podium/error.h"

namespace podium::fuzzing {

struct Outcome {
  std::string error;
  std::uint64_t fingerprint = 0;
  std::string words;  // ids, weights and ignored columns, which the fingerprint leaves out

  bool operator==(const Outcome&) const = default;
};

inline std::string words_of(const Dataset& data) {
  std::string words;
  for (const std::string& name : data.schema().ignored()) words.append(name) += '\n';
  for (std::size_t q = 0; q < data.queries(); ++q) {
    words.append(data.qid(q)) += '\n';
    for (const float weight : data.document_weights(q)) words += std::to_string(weight) + ' ';
    for (const int position : data.positions(q)) words += std::to_string(position) + ' ';
  }
  for (std::size_t d = 0; d < data.documents(); ++d) {
    if (data.has_docids()) words.append(data.docid(d)) += '\n';
    if (data.has_hosts()) words.append(data.host(d)) += '\n';
    words += std::to_string(data.input_row(d));
  }
  return words;
}

template <class Reader>
Outcome outcome_of(std::string_view text, const ReadOptions& options, std::size_t block_bytes,
                   int threads, Reader&& reader) {
  static ThreadPool one(1), three(3);
  static const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, threads == 1 ? one : three, *comm, observer};
  RowContext around;
  around.file = "data";
  const auto source =
      text_in_memory(text, {options.max_line_bytes, options.max_unpacked_bytes, block_bytes});
  Outcome outcome;
  try {
    const Dataset data = reader(*source, options, std::move(around), context);
    outcome.fingerprint = data.fingerprint();
    outcome.words = words_of(data);
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  return outcome;
}

template <class Reader>
void check_blocks_agree(std::string_view text, const ReadOptions& options, Reader&& reader) {
  const Outcome whole = outcome_of(text, options, std::size_t{1} << 20, 1, reader);
  for (const std::size_t block_bytes : {1, 17, 64})
    if (outcome_of(text, options, block_bytes, 3, reader) != whole) std::abort();
}

}  // namespace podium::fuzzing
