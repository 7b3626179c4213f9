// The value of "documents" in a request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/json_cursor.h"
#include "server/scoring_request.h"

namespace podium {

class DocumentReader {
 public:
  DocumentReader(JsonCursor& cursor, std::size_t max_documents)
      : cursor_(cursor), max_documents_(max_documents) {}

  void read();

  JsonDocuments take() { return std::move(documents_); }
  std::vector<std::string> take_ids() { return std::move(ids_); }

 private:
  void read_document();
  void read_members();
  void read_features();
  void read_array();
  void read_object();
  void read_id();
  void read_value();
  std::uint32_t column_of_next_key(std::size_t place);

  JsonCursor& cursor_;
  std::size_t max_documents_;
  JsonDocuments documents_;
  std::vector<std::string> ids_;

  // Columns by name, and the keys of previous documents in order: most documents have the same keys
  // in the same order.
  struct Key {
    std::string_view raw;
    std::uint32_t column;
  };
  std::vector<Key> expected_;
  std::unordered_map<std::string, std::uint32_t> column_of_;
  std::vector<std::size_t> seen_in_;  // the last document, counted from 1, with the column
};

}  // namespace podium
