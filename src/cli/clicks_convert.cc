#include "cli/clicks_convert.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "core/output_file.h"
#include "podium/error.h"
#include "podium/ubi.h"

namespace podium::cli {

void ClicksConvert::add(CLI::App& command) {
  command
      .add_option("--queries", queries_,
                  "OpenSearch UBI queries as JSON lines: query_id, user_query, "
                  "query_response_hit_ids")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--events", events_,
                  "OpenSearch UBI events as JSON lines: action_name, query_id, "
                  "event_attributes.object.object_id")
      ->required()
      ->type_name("FILE");
  command.add_option("-o,--output", output_, "the log to write (.tsv, .tsv.gz, .tsv.zst)")
      ->required()
      ->type_name("FILE");
  fields_.add(command, ubi_option_table().fields(), "Conversion");
}

void ClicksConvert::run(Frame& frame) const {
  require_free_stdout(output_, frame);
  const auto& table = ubi_option_table();
  const UbiOptions options = table.read(Settings(table.fields(), fields_.given()));
  Context& context = frame.context();
  if (output_ != "-") require_writable(output_);
  const UbiSummary made = convert_ubi(queries_, events_, options, output_, context);
  if (made.unmatched > 0)
    context.observer.note(fmt::format("{} dropped: their queries do not show what was clicked",
                                      counted(made.unmatched, "click")));
  if (made.without > 0)
    context.observer.note(
        fmt::format("{} left out: they show nothing", counted(made.without, "query", "queries")));
  if (output_ == "-") return;
  if (frame.json())
    return print_json({{"file", output_},
                       {"sessions", made.sessions},
                       {"lines", made.lines},
                       {"clicks", made.clicks},
                       {"repeated", made.repeated},
                       {"unmatched", made.unmatched},
                       {"other_events", made.others},
                       {"without_documents", made.without}});
  print_written(fmt::format("{}: {}, {}, {}\n", output_, counted(made.sessions, "session"),
                            counted(made.lines, "line"), counted(made.clicks, "click")),
                frame);
}

}  // namespace podium::cli
