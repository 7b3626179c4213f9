// The report: one self-contained HTML file that shows a results folder (docs/formats/results.md).
//
// The page is built from web/ and embedded in the binary; here the results are inserted, as JSON in
// two <script type="application/json"> elements. Every `<` in the JSON becomes \u003c, so no name,
// query id or message can end its element.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace podium {

// Writes a page with the folder's results.json, and resources.json if there is one. Throws an Error
// if results.json is missing or invalid, or if this build has no page.
void write_report(const std::filesystem::path& results_folder, const std::string& html_path);

// For use before hours of training: throws an Error unless this build has the page, the file can be
// written, and it is not the data.
void check_report(const std::string& html_path, const std::string& data_path);

std::string render_report(const std::filesystem::path& results_folder);

// The same from texts; resources_json may be empty. Both must be JSON.
std::string render_report(std::string_view results_json, std::string_view resources_json);

// The report of `auto`, from its summary.
void write_auto_report(std::string_view summary_json, const std::string& html_path);

// The page without results: it fetches results.json and resources.json from the same location,
// repeatedly until the results are complete.
std::string render_live_report();

// Like render_report, for any page with the two placeholders.
std::string fill_report(std::string_view page, std::string_view results_json,
                        std::string_view resources_json);

}  // namespace podium
