// The part of TOML that a file of options needs.
#include <algorithm>

#include <fmt/format.h>

#include "cli/config_file.h"
#include "core/text_source.h"

namespace podium::cli {
namespace {

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

class ConfigScanner {
 public:
  ConfigScanner(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::vector<ConfigSetting> settings() {
    std::vector<ConfigSetting> all;
    std::string section;
    for (skip_lines(); !rest_.empty(); skip_lines()) {
      const Place place = here();
      if (take('[')) {
        section = name("a section");
        if (!take(']')) fail(fmt::format("section '{}' needs a closing ]", section));
      } else {
        all.push_back(setting(section, place));
      }
      end_of_line();
    }
    return all;
  }

 private:
  Place here() const { return {file_, line_}; }
  [[noreturn]] void fail(std::string_view message) const {
    throw Error(ErrorCode::usage, message, here());
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (rest_.starts_with(' ') || rest_.starts_with('\t')) rest_.remove_prefix(1);
  }
  void skip_comment() {
    skip_blanks();
    if (rest_.starts_with('#')) rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
  }
  // Blanks, comments and line ends.
  void skip_lines() {
    for (skip_comment(); rest_.starts_with('\n') || rest_.starts_with("\r\n"); skip_comment()) {
      rest_.remove_prefix(rest_.find('\n') + 1);
      ++line_;
    }
  }
  void end_of_line() {
    skip_comment();
    if (!rest_.empty() && !rest_.starts_with('\n') && !rest_.starts_with("\r\n"))
      fail(fmt::format("'{}' after the end of the line's value", word()));
  }
  // What stands here, for a message.
  std::string_view word() const { return rest_.substr(0, rest_.find_first_of(" \t\r\n")); }

  std::string name(std::string_view what) {
    skip_blanks();
    std::string name;
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      name = quoted();
    } else {
      while (!rest_.empty() && (is_key_character(rest_[0]) || rest_[0] == '.')) {
        name += rest_[0];
        rest_.remove_prefix(1);
      }
    }
    skip_blanks();
    if (name.empty()) fail(fmt::format("'{}' is not the name of {}", word(), what));
    return name;
  }

  ConfigSetting setting(const std::string& section, const Place& place) {
    ConfigSetting setting{section, name("an option"), {}, place};
    if (const std::size_t dot = setting.key.find('.');
        section.empty() && dot != std::string::npos) {
      setting.section = setting.key.substr(0, dot);
      setting.key.erase(0, dot + 1);
    }
    if (!take('='))
      fail(fmt::format("'{0}' needs a value: {0} = 5, {0} = \"text\" or {0} = true", setting.key));
    skip_blanks();
    if (take('['))
      setting.values = list(setting.key);
    else
      setting.values = {value(setting.key)};
    return setting;
  }

  std::vector<std::string> list(const std::string& key) {
    std::vector<std::string> values;
    for (;;) {
      skip_lines();
      if (take(']')) break;
      values.push_back(value(key));
      skip_lines();
      if (take(',')) continue;
      if (!take(']')) fail(fmt::format("the list of '{}' needs a comma or a closing ]", key));
      break;
    }
    if (values.empty()) fail(fmt::format("the list of '{}' is empty: leave it out", key));
    return values;
  }

  std::string value(const std::string& key) {
    if (rest_.starts_with('"') || rest_.starts_with('\'')) return quoted();
    const std::string_view bare = rest_.substr(0, rest_.find_first_of(" \t\r\n,]#"));
    if (bare.empty()) fail(fmt::format("'{}' has no value", key));
    if (bare != "true" && bare != "false" && !is_number(bare))
      fail(
          fmt::format("'{0}' is neither a number nor true or false: write text in quotes, "
                      "{1} = \"{0}\"",
                      bare, key));
    rest_.remove_prefix(bare.size());
    std::string text(bare);
    std::erase(text, '_');  // 1_000
    return text;
  }

  static bool is_number(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text == "inf") &&
           (text == "inf" || text.find_first_not_of("0123456789_.eE+-") == text.npos);
  }

  // "…" with escapes, '…' without.
  std::string quoted() {
    const char quote = rest_[0];
    rest_.remove_prefix(1);
    std::string text;
    while (!rest_.starts_with(quote)) {
      if (rest_.empty() || rest_[0] == '\n') fail("text in quotes must end on its line");
      if (quote == '"' && rest_[0] == '\\')
        rest_.remove_prefix(1), text += escaped();
      else
        text += rest_[0];
      rest_.remove_prefix(1);
    }
    rest_.remove_prefix(1);
    return text;
  }
  char escaped() const {
    constexpr std::string_view kLetters = "\"\\nt", kMeanings = "\"\\\n\t";
    const std::size_t at = rest_.empty() ? kLetters.npos : kLetters.find(rest_[0]);
    if (at == kLetters.npos) fail("only \\\", \\\\, \\n and \\t can follow a \\ in \"text\"");
    return kMeanings[at];
  }

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 1;
};

}  // namespace

std::vector<ConfigSetting> parse_config(const std::string& text, const std::string& file) {
  if (text.find('\0') != std::string::npos)
    throw Error(ErrorCode::usage, "not a TOML file: it contains bytes that are not text", {file});
  return ConfigScanner(without_mark(text), file).settings();
}

}  // namespace podium::cli
