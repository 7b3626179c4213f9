#include "experiments/report/report.h"

#include <nlohmann/json.hpp>

#include "core/output_file.h"
#include "core/unpack.h"
#include "experiments/report/report_page.h"
#include "podium/error.h"

namespace podium {
namespace {

// Placeholders for the texts in web/index.html.
constexpr std::string_view kResultsMark = "@podium-results@";
constexpr std::string_view kResourcesMark = "@podium-resources@";
constexpr std::string_view kNoData = "null";

// Per-query values of 30 systems on 10,000 queries take about 30 MB.
constexpr std::int64_t kMaxResultsBytes = std::int64_t{1} << 30;

std::string_view page_or_error() {
  const std::string_view page = report_page();
  if (page.empty())
    throw Error(ErrorCode::usage,
                "this build has no report: install npm, then configure with -DPODIUM_WEB=ON and "
                "build again");
  return page;
}

// In JSON, `<` occurs only inside strings, where the escape means the same.
void append_escaped(std::string& out, std::string_view json) {
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
}

void require_json(std::string_view text, const char* name) {
  if (!nlohmann::json::accept(text))
    throw Error(ErrorCode::data, "is not JSON: recreate it with podium compare", {name});
}

}  // namespace

std::string fill_report(std::string_view page, std::string_view results_json,
                        std::string_view resources_json) {
  const std::size_t results_at = page.find(kResultsMark);
  const std::size_t resources_at = page.find(kResourcesMark);
  if (results_at == page.npos || resources_at == page.npos || resources_at < results_at)
    throw Error(ErrorCode::file, "the report page has no placeholder for the results");
  const std::size_t between = results_at + kResultsMark.size();
  std::string out;
  out.reserve(page.size() + results_json.size() + results_json.size() / 64 + resources_json.size());
  out += page.substr(0, results_at);
  append_escaped(out, results_json);
  out += page.substr(between, resources_at - between);
  append_escaped(out, resources_json);
  out += page.substr(resources_at + kResourcesMark.size());
  return out;
}

std::string render_report(std::string_view results_json, std::string_view resources_json) {
  const std::string_view page = page_or_error();
  if (resources_json.empty()) resources_json = kNoData;
  require_json(results_json, "results.json");
  require_json(resources_json, "resources.json");
  return fill_report(page, results_json, resources_json);
}

std::string render_live_report() {
  return fill_report(page_or_error(), kNoData, kNoData);
}

void check_report(const std::string& html_path, const std::string& data_path) {
  std::error_code ignored;
  if (std::filesystem::equivalent(html_path, data_path, ignored))
    throw Error(ErrorCode::usage, "the report would overwrite the data");
  page_or_error();
  const OutputFile probe(html_path);  // not committed: leaves nothing behind
}

std::string render_report(const std::filesystem::path& results_folder) {
  page_or_error();  // before reading anything
  const std::string results = read_file(results_folder / "results.json", kMaxResultsBytes);
  const std::filesystem::path resources_path = results_folder / "resources.json";
  std::string resources;
  if (std::filesystem::exists(resources_path))
    resources = read_file(resources_path, kMaxResultsBytes);
  return render_report(results, resources);
}

void write_auto_report(std::string_view summary_json, const std::string& html_path) {
  write_file(html_path, render_report(summary_json, {}));
}

void write_report(const std::filesystem::path& results_folder, const std::string& html_path) {
  write_file(html_path, render_report(results_folder));
}

}  // namespace podium
