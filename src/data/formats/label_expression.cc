// A recursive descent parser that writes postfix steps:
//   sum      = product { (+ | −) product }
//   product  = factor { (× | ÷) factor }
//   factor   = − factor | number | column | (sum) | min(sum, …) | max(sum, …)
// with * and / for × and ÷.
#include "data/formats/label_expression.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

constexpr int kDeepestExpression = 100;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '.';
}

}  // namespace

class LabelExpressionParser {
 public:
  LabelExpressionParser(std::string_view text, LabelExpression& out) : text_(text), out_(out) {}

  void parse() {
    sum();
    if (peek() != '\0') fail("an operator is expected");
  }

 private:
  using Operation = LabelExpression::Operation;

  // One operator may be written in several ways.
  bool take(std::initializer_list<std::string_view> spellings) {
    skip_blanks();
    for (const std::string_view spelling : spellings)
      if (text_.substr(at_).starts_with(spelling)) {
        at_ += spelling.size();
        return true;
      }
    return false;
  }
  bool take_minus() { return take({"-", "−"}); }

  void sum() {
    if (++depth_ > kDeepestExpression) fail("it nests too deep");
    product();
    for (;;) {
      if (take({"+"})) {
        product();
        add(Operation::add);
      } else if (take_minus()) {
        product();
        add(Operation::subtract);
      } else {
        --depth_;
        return;
      }
    }
  }

  void product() {
    factor();
    for (;;) {
      if (take({"*", "×"})) {
        factor();
        add(Operation::multiply);
      } else if (take({"/", "÷"})) {
        factor();
        add(Operation::divide);
      } else {
        return;
      }
    }
  }

  void factor() {
    if (++depth_ > kDeepestExpression) fail("it nests too deep");
    const char next = peek();
    if (take_minus()) {
      factor();
      add(Operation::negate);
    } else if (take({"("})) {
      sum();
      if (!take({")"})) fail("')' is expected");
    } else if (next == '`' || is_name_start(next)) {
      named();
    } else {
      number();
    }
    --depth_;
  }

  void number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number or a column is expected");
    at_ = static_cast<std::size_t>(end - text_.data());
    out_.steps_.push_back({Operation::number, value});
  }

  void named() {
    const bool quoted = take({"`"});
    const std::size_t begin = at_;
    if (quoted) {
      at_ = std::min(text_.find('`', at_), text_.size());
      if (at_ == text_.size()) fail("a backquote is not closed");
    } else {
      while (at_ < text_.size() && is_name_part(text_[at_]) && !at_operator()) ++at_;
    }
    const std::string name(text_.substr(begin, at_ - begin));
    if (quoted) ++at_;
    if (!quoted && (name == "min" || name == "max") && take({"("}))
      return extreme(name == "min" ? Operation::minimum : Operation::maximum);
    if (name.empty()) fail("a column without a name");
    auto& columns = out_.columns_;
    const auto known = std::find(columns.begin(), columns.end(), name);
    out_.steps_.push_back(
        {Operation::column, 0, static_cast<std::size_t>(known - columns.begin())});
    if (known == columns.end()) columns.push_back(name);
  }

  // Of a sign that is not ASCII, as letters are not.
  bool at_operator() const {
    for (const std::string_view sign : {"−", "×", "÷"})
      if (text_.substr(at_).starts_with(sign)) return true;
    return false;
  }

  void extreme(Operation operation) {
    sum();
    while (take({","})) {
      sum();
      add(operation);
    }
    if (!take({")"})) fail("')' is expected");
  }

  void add(Operation operation) { out_.steps_.push_back({operation}); }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  [[noreturn]] void fail(std::string_view why) const {
    throw Error(ErrorCode::usage,
                at_ < text_.size()
                    ? fmt::format("‹label›: in '{}', at '{}': {}", text_, text_.substr(at_), why)
                    : fmt::format("‹label›: at the end of '{}': {}", text_, why));
  }

  std::string_view text_;
  LabelExpression& out_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

LabelExpression::LabelExpression(std::string_view text) : text_(text) {
  LabelExpressionParser(text_, *this).parse();
  if (columns_.empty())
    throw Error(ErrorCode::usage, fmt::format("‹label›: '{}' names no column", text_));
}

double LabelExpression::value(std::span<const double> values) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.operation == Operation::number || step.operation == Operation::column) {
      stack.push_back(step.operation == Operation::number ? step.number : values[step.column]);
      continue;
    }
    if (step.operation == Operation::negate) {
      stack.back() = -stack.back();
      continue;
    }
    const double right = stack.back();
    stack.pop_back();
    double& left = stack.back();
    switch (step.operation) {
      case Operation::add:
        left += right;
        break;
      case Operation::subtract:
        left -= right;
        break;
      case Operation::multiply:
        left *= right;
        break;
      case Operation::divide:
        left /= right;
        break;
      case Operation::minimum:
        left = std::min(left, right);
        break;
      case Operation::maximum:
        left = std::max(left, right);
        break;
      case Operation::number:
      case Operation::column:
      case Operation::negate:
        break;  // handled above
    }
  }
  return stack.back();
}

}  // namespace podium
