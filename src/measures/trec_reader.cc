#include "measures/trec_reader.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/parse_blocks.h"
#include "data/formats/parse_error.h"
#include "measures/document_table.h"
#include "measures/trec_content.h"

namespace podium {
namespace {

void group(TrecContent& content) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<TrecContent::Topic>& topics = content.topics;
  for (std::size_t p = 0; p < content.pieces.size(); ++p)
    for (const TrecPiece::Stretch& stretch : content.pieces[p].stretches) {
      const auto [place, is_new] = places.try_emplace(stretch.topic, topics.size());
      if (is_new) topics.push_back({stretch.topic, {}});
      topics[place->second].stretches.push_back(
          {static_cast<std::uint32_t>(p), stretch.begin, stretch.end});
    }
  std::sort(topics.begin(), topics.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
}

[[noreturn]] void reject_twice(const TrecContent& content, std::string_view topic,
                               const TrecDocument& first, const TrecDocument& second) {
  throw Error(
      ErrorCode::data,
      fmt::format("document '{}' of topic '{}' already appeared in line {}",
                  shortened(second.id.text()), shortened(topic), content.line_of(first.id.begin)),
      {content.path, content.line_of(second.id.begin)});
}

// Finds documents that occur twice in a topic.
class DuplicateSearch {
 public:
  explicit DuplicateSearch(const TrecContent& content) : content_(content) {}

  // Throws an Error that names the smallest such document.
  void refuse_in(const TrecContent::Topic& topic) {
    content_.gather(topic, documents_);
    table_.reset(documents_.size());
    const TrecDocument *first = nullptr, *second = nullptr;
    for (std::uint32_t i = 0; i < documents_.size(); ++i) {
      const TrecDocument& document = documents_[i];
      const std::uint32_t before = table_.find_or_insert(
          document.hash, i,
          [&](std::uint32_t other) { return documents_[other].id.text() == document.id.text(); });
      if (before == DocumentTable::kNone) continue;
      if (second && second->id.text() <= document.id.text()) continue;
      first = &documents_[before];
      second = &document;
    }
    if (second) reject_twice(content_, topic.id, *first, *second);
  }

 private:
  const TrecContent& content_;
  DocumentTable table_;
  std::vector<TrecDocument> documents_;
};

// Reports the smallest topic with duplicates.
void refuse_duplicates(const TrecContent& content, ThreadPool& pool) {
  parallel_for(pool, content.topics.size(), TrecContent::kTopicsPerChunk,
               [&](std::size_t begin, std::size_t end) {
                 DuplicateSearch search(content);
                 for (std::size_t t = begin; t < end; ++t) search.refuse_in(content.topics[t]);
               });
}

std::shared_ptr<TrecContent> read_content(TextSource& source, const std::string& path,
                                          const TrecFormat& format, Context& context) {
  auto content = std::make_shared<TrecContent>();
  content->path = path;
  content->pieces = parse_blocks<TrecPiece>(
      source, path, [&](TextBlock block) { return parse_trec_block(std::move(block), format); },
      [] { return std::size_t{0}; }, context.pool);
  group(*content);
  if (content->topics.empty())
    throw Error(ErrorCode::data, fmt::format("no {} in the file", format.kind), {path, 0});
  refuse_duplicates(*content, context.pool);
  return content;
}

TrecFile read_trec_file(const std::string& path, const TrecFormat& format, Context& context) {
  const FileStamp stamp(path);
  auto content = read_unchanged(
      path, [&] { return read_content(*open_text(path, TextLimits{}), path, format, context); });
  content->stamp = stamp;
  return TrecFile(std::move(content));
}

}  // namespace

TrecFile read_trec(TextSource& source, const std::string& path, const TrecFormat& format,
                   Context& context) {
  return TrecFile(read_content(source, path, format, context));
}

TrecFile read_qrels(const std::string& path, Context& context) {
  return read_trec_file(path, kQrelsFormat, context);
}
TrecFile read_run(const std::string& path, Context& context) {
  return read_trec_file(path, kRunFormat, context);
}

std::size_t TrecFile::topics() const noexcept {
  return content_->topics.size();
}
std::string_view TrecFile::topic(std::size_t t) const {
  return content_->topics[t].id;
}
std::vector<TrecFile::Line> TrecFile::lines(std::size_t t) const {
  std::vector<TrecDocument> documents;
  content_->gather(content_->topics[t], documents);
  std::vector<Line> lines;
  for (const TrecDocument& document : documents)
    lines.push_back({document.id.text(), document.value});
  return lines;
}
const std::string& TrecFile::path() const noexcept {
  return content_->path;
}
std::string_view TrecFile::run_id() const noexcept {
  for (std::size_t p = content_->pieces.size(); p-- > 0;)
    if (!content_->pieces[p].run_id.empty()) return content_->pieces[p].run_id;
  return {};
}

}  // namespace podium
