// Clicks are read first and sorted by the hashes of (query, document); then queries are streamed.
#include "podium/ubi.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "clicks/log_line.h"
#include "clicks/log_reader.h"
#include "core/output_file.h"
#include "core/random.h"
#include "data/formats/parse_error.h"
#include "podium/error.h"

namespace podium {
namespace {

using UbiJson = nlohmann::json;

constexpr std::size_t kUbiWrite = std::size_t{1} << 20;

struct UbiClick {
  std::uint64_t query = 0, document = 0;  // hashes
  std::uint64_t line = 0;                 // of the events
  bool shown = false;
};

bool by_ids(const UbiClick& a, const UbiClick& b) {
  return std::tie(a.query, a.document, a.line) < std::tie(b.query, b.document, b.line);
}

// visit(object, place) for each line.
template <class Visit>
void for_each_object(const std::string& path, Context& context, const Visit& visit) {
  context.observer.phase("reading " + path);
  const auto source = open_text(path, log_limits());
  Place place{path, 0};
  while (const auto block = source->next()) {
    std::string_view rest = block->text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(rest.size(), end + 1));
      place.line += 1;
      if (line.find_first_not_of(" \t\r") == line.npos) continue;
      const UbiJson json = UbiJson::parse(line, nullptr, false);
      const UbiJson* const object =
          json.is_object() && json.contains("_source") ? &json["_source"] : &json;
      if (!object->is_object())
        throw Error(ErrorCode::data, "the line is not a JSON object", place);
      visit(*object, place);
    }
  }
}

// A member as text, "" if it is missing; numbers as written.
std::string text_member(const UbiJson& object, const char* name, const Place& place) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number()) return found->dump();
  throw Error(ErrorCode::data, fmt::format("'{}' is not text", name), place);
}

std::string needed_member(const UbiJson& object, const char* name, const Place& place) {
  std::string text = text_member(object, name, place);
  if (text.empty()) throw Error(ErrorCode::data, fmt::format("no '{}'", name), place);
  return text;
}

// Fields of the log cannot have tabs, quotes or ends of lines.
std::string log_field(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '"') c = ' ';
  return text;
}

std::string clicked_document(const UbiJson& event, const Place& place) {
  const auto attributes = event.find("event_attributes");
  if (attributes != event.end() && attributes->is_object()) {
    const auto object = attributes->find("object");
    if (object != attributes->end() && object->is_object())
      return needed_member(*object, "object_id", place);
  }
  throw Error(ErrorCode::data, "the click has no event_attributes.object.object_id", place);
}

std::vector<UbiClick> read_ubi_clicks(const std::string& path, const UbiOptions& options,
                                      UbiSummary& summary, Context& context) {
  std::vector<UbiClick> clicks;
  for_each_object(path, context, [&](const UbiJson& event, const Place& place) {
    if (text_member(event, "action_name", place) != options.action) {
      summary.others += 1;
      return;
    }
    clicks.push_back({hash_text(needed_member(event, "query_id", place)),
                      hash_text(clicked_document(event, place)), place.line, false});
  });
  std::sort(clicks.begin(), clicks.end(), by_ids);
  const auto last =
      std::unique(clicks.begin(), clicks.end(), [](const UbiClick& a, const UbiClick& b) {
        return a.query == b.query && a.document == b.document;
      });
  summary.repeated = static_cast<std::uint64_t>(clicks.end() - last);
  clicks.erase(last, clicks.end());
  return clicks;
}

class UbiWriter {
 public:
  UbiWriter(std::vector<UbiClick>& clicks, const UbiOptions& options, const std::string& output,
            UbiSummary& summary)
      : clicks_(clicks), options_(options), file_(output), summary_(summary) {
    text_ = "session\tqid\tdocid\tposition\tclick\n";
  }

  void add(const UbiJson& query, const Place& place) {
    const std::string id = needed_member(query, "query_id", place);
    const std::uint64_t hash = hash_text(id);
    if (!seen_.insert(hash).second)
      throw Error(ErrorCode::data, fmt::format("query_id '{}' occurs twice", shortened(id)), place);
    const auto hits = query.find("query_response_hit_ids");
    if (hits == query.end() || !hits->is_array() || hits->empty()) {
      summary_.without += 1;
      return;
    }
    if (hits->size() > kLastPosition && options_.max_position == 0)
      throw Error(ErrorCode::data,
                  fmt::format("{} documents, beyond {}; ‹max-position› leaves out later ones",
                              hits->size(), kLastPosition),
                  place);
    const std::string qid = log_field(needed_member(query, options_.qid.c_str(), place));
    write_session(log_field(id), qid, hash, *hits, place);
    summary_.sessions += 1;
  }

  void finish() {
    file_.write(text_);
    file_.commit();
  }

 private:
  void write_session(const std::string& id, const std::string& qid, std::uint64_t hash,
                     const UbiJson& hits, const Place& place) {
    std::size_t position = 0;
    for (const UbiJson& hit : hits) {
      ++position;
      if (!hit.is_string() && !hit.is_number())
        throw Error(ErrorCode::data, "'query_response_hit_ids' is not a list of ids", place);
      const std::string document = hit.is_string() ? hit.get<std::string>() : hit.dump();
      const bool clicked = take(hash, hash_text(document));
      if (options_.max_position > 0 && position > static_cast<std::size_t>(options_.max_position))
        continue;
      fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t{}\n", id, qid,
                     log_field(document), position, clicked ? 1 : 0);
      summary_.lines += 1;
      summary_.clicks += clicked;
    }
    if (text_.size() < kUbiWrite) return;
    file_.write(text_);
    text_.clear();
  }

  bool take(std::uint64_t query, std::uint64_t document) {
    const auto found = std::lower_bound(clicks_.begin(), clicks_.end(),
                                        UbiClick{query, document, 0, false}, by_ids);
    if (found == clicks_.end() || found->query != query || found->document != document)
      return false;
    found->shown = true;
    return true;
  }

  std::vector<UbiClick>& clicks_;
  const UbiOptions& options_;
  OutputFile file_;
  UbiSummary& summary_;
  std::unordered_set<std::uint64_t> seen_;
  std::string text_;
};

}  // namespace

const OptionTable<UbiOptions>& ubi_option_table() {
  static const auto options =
      OptionTable<UbiOptions>()
          .add("action", &UbiOptions::action, "action_name of the events that are clicks")
          .add("qid", &UbiOptions::qid, "member of a query that becomes its qid")
          .add("drop-unmatched", &UbiOptions::drop_unmatched,
               "drop clicks on what no query shows, instead of refusing them")
          .add("max-position", &UbiOptions::max_position, "leave out later positions; 0: none",
               at_least(0));
  return options;
}

UbiSummary convert_ubi(const std::string& queries, const std::string& events,
                       const UbiOptions& options, const std::string& output, Context& context) {
  UbiSummary summary;
  std::vector<UbiClick> clicks = read_ubi_clicks(events, options, summary, context);
  UbiWriter writer(clicks, options, output, summary);
  for_each_object(queries, context,
                  [&](const UbiJson& query, const Place& place) { writer.add(query, place); });
  if (summary.sessions == 0)
    throw Error(ErrorCode::data, "no query has 'query_response_hit_ids': nothing was shown",
                {queries});
  const UbiClick* first = nullptr;
  for (const UbiClick& click : clicks) {
    if (click.shown) continue;
    summary.unmatched += 1;
    if (!first || click.line < first->line) first = &click;
  }
  if (first && !options.drop_unmatched)
    throw Error(ErrorCode::data,
                "a click on what its query does not show; ‹drop-unmatched› drops such clicks",
                {events, first->line});
  writer.finish();
  return summary;
}

}  // namespace podium
