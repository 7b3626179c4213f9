// OpenSearch's User Behavior Insights as a click log (click_log.h).
//
// Two files of JSON lines (also `.gz`, `.zst`), as the indexes `ubi_queries` and `ubi_events` are
// exported; a line may be the document itself or have it below `_source`:
//   queries  query_id, user_query, query_response_hit_ids: the documents shown, first to last
//   events   action_name, query_id, event_attributes.object.object_id: the document clicked
// A query becomes a session of its id, with the text of the query as qid, positions from 1, and a
// click where an event with the action `click` names the document. Other events are counted. Only
// the clicks are in memory, queries are read and written one at a time.
#pragma once

#include <cstdint>
#include <string>

#include "podium/context.h"
#include "podium/options.h"

namespace podium {

struct UbiOptions {
  std::string action = "click";    // the events that are clicks
  bool drop_unmatched = false;     // clicks whose query or document was not shown
  std::int64_t max_position = 0;   // later ones are left out; 0: none
  std::string qid = "user_query";  // the member that identifies a query
};
const OptionTable<UbiOptions>& ubi_option_table();

struct UbiSummary {
  std::uint64_t sessions = 0, lines = 0, clicks = 0;
  std::uint64_t repeated = 0;   // clicks on a document that was clicked before
  std::uint64_t unmatched = 0;  // clicks dropped
  std::uint64_t others = 0;     // events that are no clicks
  std::uint64_t without = 0;    // queries that show nothing
};
// Throws an Error with file and line for anything malformed, and for a click on what was not shown.
UbiSummary convert_ubi(const std::string& queries, const std::string& events,
                       const UbiOptions& options, const std::string& output, Context& context);

}  // namespace podium
