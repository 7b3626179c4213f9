#include "models/importers/ranklib_xml.h"

#include <fmt/format.h>

namespace podium {
namespace {

constexpr int kDeepestElement = 1000;

// A tag (without '<' and '>'), or the text between two tags.
struct Token {
  enum class Kind { tag, text, end } kind;
  std::string_view text;
};

class Tokens {
 public:
  Tokens(std::string_view line, TextLines& lines) : line_(trimmed(line)), lines_(lines) {}

  Token next() {
    while (line_.empty()) {
      if (!lines_.next(line_)) return {Token::Kind::end, {}};
      line_ = trimmed(line_);
    }
    const bool is_tag = line_[0] == '<';
    const std::size_t end = line_.find(is_tag ? '>' : '<');
    if (is_tag && end == std::string_view::npos) lines_.fail("a tag does not end on its line");
    const std::string_view text = line_.substr(is_tag ? 1 : 0, is_tag ? end - 1 : end);
    line_ = trimmed(end == std::string_view::npos ? std::string_view()
                                                  : line_.substr(is_tag ? end + 1 : end));
    return {is_tag ? Token::Kind::tag : Token::Kind::text, trimmed(text)};
  }

  // The next tag, which must begin with this name.
  std::string_view tag(std::string_view name) {
    const Token token = next();
    if (token.kind != Token::Kind::tag || words(token.text).empty() || words(token.text)[0] != name)
      fail_expected(name, token);
    return token.text;
  }
  // <name> text </name>, after its first tag.
  std::string_view content(std::string_view closing) {
    const Token token = next();
    if (token.kind != Token::Kind::text) fail_expected("a number", token);
    tag(closing);
    return token.text;
  }
  [[noreturn]] void fail_expected(std::string_view what, const Token& token) const {
    lines_.fail(fmt::format(
        "expected {}{}{}, but there is '{}'", what == "a number" ? "" : "<", what,
        what == "a number" ? "" : ">",
        token.kind == Token::Kind::end ? "the end of the file" : TextLines::shown(token.text)));
  }
  const TextLines& lines() const noexcept { return lines_; }

 private:
  std::string_view line_;
  TextLines& lines_;
};

// The content between <split> and </split>.
std::int32_t read_split(Tokens& tokens, int depth, RankLibTree& tree) {
  if (depth > kDeepestElement)
    tokens.lines().fail(fmt::format("the tree is deeper than {} splits", kDeepestElement));
  const std::size_t at = tree.nodes.size();
  tree.nodes.emplace_back();
  const Token first = tokens.next();
  if (first.kind != Token::Kind::tag || (first.text != "feature" && first.text != "output"))
    tokens.fail_expected("feature", first);
  if (first.text == "output") {
    const double output = tokens.lines().real(tokens.content("/output"));
    if (!std::isfinite(output)) tokens.lines().fail("an output is not finite");
    tree.nodes[at].output = output;
  } else {
    const auto feature = tokens.lines().whole<std::uint32_t>(tokens.content("/feature"));
    if (feature == 0) tokens.lines().fail("features are numbered from 1");
    tokens.tag("threshold");
    const auto threshold = static_cast<float>(tokens.lines().real(tokens.content("/threshold")));
    if (!std::isfinite(threshold)) tokens.lines().fail("a threshold is not finite");
    tokens.tag("split");
    const std::int32_t left = read_split(tokens, depth + 1, tree);
    tokens.tag("split");
    const std::int32_t right = read_split(tokens, depth + 1, tree);
    tree.nodes[at] = {feature, threshold, left, right, 0};
  }
  tokens.tag("/split");
  return static_cast<std::int32_t>(at);
}

// The attribute weight="…" of a <tree>.
double weight_of(std::string_view tag, const TextLines& lines) {
  const std::size_t begin = tag.find("weight=\"");
  if (begin == std::string_view::npos) lines.fail("a tree has no weight");
  const std::string_view value = tag.substr(begin + 8);
  const double weight = lines.real(value.substr(0, value.find('"')));
  if (!std::isfinite(weight)) lines.fail("a tree's weight is not finite");
  return weight;
}

}  // namespace

std::vector<std::vector<RankLibTree>> parse_ensembles(std::string_view line, TextLines& lines) {
  Tokens tokens(line, lines);
  std::vector<std::vector<RankLibTree>> ensembles;
  for (Token token = tokens.next(); token.kind != Token::Kind::end; token = tokens.next()) {
    if (token.kind != Token::Kind::tag || token.text != "ensemble")
      tokens.fail_expected("ensemble", token);
    ensembles.emplace_back();
    for (token = tokens.next(); token.text != "/ensemble"; token = tokens.next()) {
      if (token.kind != Token::Kind::tag || !token.text.starts_with("tree"))
        tokens.fail_expected("tree", token);
      RankLibTree tree;
      tree.weight = weight_of(token.text, lines);
      tokens.tag("split");
      read_split(tokens, 1, tree);
      tokens.tag("/tree");
      ensembles.back().push_back(std::move(tree));
    }
  }
  return ensembles;
}

}  // namespace podium
