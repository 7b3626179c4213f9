// podium learners, losses, measures: lists them, and the options of one.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/flags.h"
#include "models/file/json_text.h"
#include "podium/learner.h"
#include "podium/loss.h"
#include "podium/measure.h"

namespace podium::cli {
namespace {

Json field_json(const Field& field) {
  Json json = {{"name", field.name},
               {"help", with_flags(field.help)},
               {"default", value_json(field.initial)}};
  if (!field.range.text().empty()) json["range"] = field.range.text();
  if (!field.choices.empty()) json["choices"] = field.choices;
  if (field.search) json["search"] = field.search->text();
  return json;
}

template <class T>
void print_all(const Catalog<T>& catalog, const std::string& kind, bool json) {
  Json list = Json::array();
  for (const Entry<T>* entry : catalog.entries()) {
    if (json)
      list.push_back({{"name", entry->name}, {"summary", entry->summary}, {"paper", entry->paper}});
    else
      print(fmt::format("{:<22} {}{}\n", entry->name, entry->summary,
                        entry->paper.empty() ? "" : fmt::format(" [{}]", entry->paper)));
  }
  if (json) print_json(Json{{kind, list}});
}

template <class T>
void print_one(const Entry<T>& entry, bool json) {
  Json options = Json::array();
  std::string text = fmt::format("{}: {}\n", entry.name, entry.summary);
  if (!entry.paper.empty())
    text += fmt::format("paper: [{}] in docs/bibliography.md\n", entry.paper);
  for (const Field& field : entry.options()) {
    options.push_back(field_json(field));
    std::string limits = field.range.text();
    if (!field.choices.empty()) limits = fmt::format("{}", fmt::join(field.choices, " | "));
    text += fmt::format("  {:<18} {}\n  {:<18} default {}{}\n", field.name, with_flags(field.help),
                        "", to_text(field.initial).empty() ? "none" : to_text(field.initial),
                        limits.empty() ? "" : ", " + limits);
    if (field.search) text += fmt::format("  {:<18} tuned: {}\n", "", field.search->text());
  }
  if (json)
    print_json(Json{{"name", entry.name},
                    {"summary", entry.summary},
                    {"paper", entry.paper},
                    {"options", options}});
  else
    print(text);
}

template <class T>
std::function<void()> declare_list(CLI::App& command, Frame& frame, const Catalog<T>& catalog) {
  auto name = std::make_shared<std::string>();
  command.add_option("NAME", *name, "show the options of this one");
  return [name, kind = command.get_name(), &frame, &catalog] {
    if (name->empty())
      print_all(catalog, kind, frame.json());
    else
      print_one(catalog.at(*name), frame.json());
  };
}

}  // namespace

std::function<void()> declare_learners(CLI::App& command, Frame& frame) {
  return declare_list(command, frame, learners());
}
std::function<void()> declare_losses(CLI::App& command, Frame& frame) {
  return declare_list(command, frame, losses());
}
std::function<void()> declare_measures(CLI::App& command, Frame& frame) {
  return declare_list(command, frame, measures());
}

}  // namespace podium::cli
