// A TREC file in memory: its text, and 16 bytes per line with the position of the document's id in
// it, a hash of the id, and the value. The lines stay where they were parsed; a topic stores the
// stretches of consecutive lines that belong to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_stamp.h"
#include "core/text_scan.h"
#include "core/text_source.h"
#include "podium/error.h"

namespace podium {

struct TrecPiece {
  struct Line {
    std::uint32_t document;  // where its id begins in the text
    std::uint32_t hash;      // of the id
    double value;            // grade, or score
  };
  // Consecutive lines of one topic.
  struct Stretch {
    std::string_view topic;
    std::uint32_t begin, end;
  };

  TextBlock block;
  std::size_t lines = 0;       // of text, including blank ones and comments
  std::optional<Error> error;  // its line is counted within the piece
  std::vector<Line> documents;
  std::vector<Stretch> stretches;
  std::string_view run_id;  // of the last line that has one
};

// Where a document's id begins; it extends to the next blank.
struct TrecId {
  const char* begin;
  const char* text_end;

  std::string_view text() const { return {begin, word_end(begin, text_end)}; }
};

struct TrecDocument {
  TrecId id;
  std::uint32_t hash;
  double value;
};

struct TrecContent {
  struct Stretch {
    std::uint32_t piece, begin, end;
  };
  struct Topic {
    std::string_view id;
    std::vector<Stretch> stretches;  // in the order of the file
  };

  static constexpr std::size_t kTopicsPerChunk = 16;  // of work in parallel

  std::string path;
  std::optional<FileStamp> stamp;  // taken before reading; ids are read from the file on demand
  std::vector<TrecPiece> pieces;
  std::vector<Topic> topics;  // ascending by id

  // The topic's documents in file order; replaces the content of `documents`.
  void gather(const Topic& topic, std::vector<TrecDocument>& documents) const;
  // Throws an Error if another process wrote to the file since it was opened.
  void refuse_changes() const;
  // The line number, from 1, of this position in the text.
  std::size_t line_of(const char* place) const;
};

}  // namespace podium
