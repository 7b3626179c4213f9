#include "server/document_reader.h"

#include <limits>

#include <fmt/format.h>

#include "core/counted.h"

namespace podium {

void DocumentReader::read() {
  cursor_.expect('[');
  while (cursor_.next_item(']', documents_.size())) {
    if (documents_.size() == max_documents_)
      cursor_.fail(
          fmt::format("more than {}: send several requests", counted(max_documents_, "document")));
    read_document();
    documents_.row_begin.push_back(documents_.values.size());
  }
}

void DocumentReader::read_document() {
  if (cursor_.peek() == '[') {
    read_features();
    return;
  }
  if (cursor_.peek() != '{')
    cursor_.fail(R"(a document is {"features": …} or an array of numbers)");
  read_members();
}

void DocumentReader::read_members() {
  cursor_.expect('{');
  bool has_features = false, has_id = false;
  for (std::size_t members = 0; cursor_.next_item('}', members); ++members) {
    const std::string_view key = cursor_.key();
    const bool is_features = key == "features";
    if (!is_features && key != "id")
      cursor_.fail(fmt::format(
          R"(unknown key "{}" in a document: it has "features" and optionally "id")", key));
    if (is_features ? has_features : has_id)
      cursor_.fail(fmt::format("\"{}\" is given twice in one document", key));
    if (is_features)
      read_features();
    else
      read_id();
    (is_features ? has_features : has_id) = true;
  }
  if (!has_features) cursor_.fail(R"(a document without "features")");
}

void DocumentReader::read_id() {
  ids_.resize(documents_.size());
  ids_.push_back(cursor_.peek() == '"' ? cursor_.string() : std::string(cursor_.number_text()));
}

void DocumentReader::read_features() {
  using Shape = JsonDocuments::Shape;
  const Shape shape = cursor_.peek() == '[' ? Shape::arrays : Shape::objects;
  if (documents_.shape != Shape::unknown && shape != documents_.shape)
    cursor_.fail("features must be arrays in all documents of a request, or objects in all");
  documents_.shape = shape;
  if (shape == Shape::arrays)
    read_array();
  else
    read_object();
}

void DocumentReader::read_array() {
  cursor_.expect('[');
  for (std::size_t place = 0; cursor_.next_item(']', place); ++place) read_value();
}

void DocumentReader::read_object() {
  cursor_.expect('{');
  const std::size_t document = documents_.size() + 1;
  for (std::size_t place = 0; cursor_.next_item('}', place); ++place) {
    const std::uint32_t column = column_of_next_key(place);
    if (seen_in_[column] == document)
      cursor_.fail(
          fmt::format("feature \"{}\" is given twice in one document", documents_.names[column]));
    seen_in_[column] = document;
    documents_.columns.push_back(column);
    read_value();
  }
}

void DocumentReader::read_value() {
  constexpr std::size_t kExactDigits = 7;  // of a float; 2²⁴ has eight
  const std::size_t place = documents_.values.size();
  if (cursor_.peek() == '"') {
    documents_.texts.push_back({place, cursor_.string(), true});
    documents_.values.push_back(std::numeric_limits<float>::quiet_NaN());
    return;
  }
  if (const auto truth = cursor_.take_truth()) {
    documents_.texts.push_back({place, *truth ? "true" : "false", false});
    documents_.values.push_back(*truth ? 1 : 0);
    return;
  }
  const char* const begin = cursor_.place();
  documents_.values.push_back(cursor_.number_or_null());
  const std::string_view written(begin, static_cast<std::size_t>(cursor_.place() - begin));
  if (written.size() > kExactDigits && written.find_first_not_of("0123456789") == written.npos)
    documents_.texts.push_back({place, std::string(written), false});
}

std::uint32_t DocumentReader::column_of_next_key(std::size_t place) {
  if (place < expected_.size() && cursor_.take_key(expected_[place].raw))
    return expected_[place].column;
  const std::string name(cursor_.key());
  const auto [found, is_new] =
      column_of_.try_emplace(name, static_cast<std::uint32_t>(documents_.names.size()));
  if (is_new) {
    documents_.names.push_back(name);
    seen_in_.push_back(0);
  }
  if (place == expected_.size()) expected_.push_back({cursor_.raw_key(), found->second});
  return found->second;
}

}  // namespace podium
