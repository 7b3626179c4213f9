// Labels computed from columns: "click*0.2+purchase". Sums, differences, products, quotients,
// parentheses, min(…), max(…), numbers, and names of columns; names with other characters than
// letters, digits, _ and . are written in backquotes. Usual precedence; computed in double.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

class LabelExpression {
 public:
  LabelExpression() = default;
  // Throws a usage Error that names ‹label› and the place of the mistake.
  explicit LabelExpression(std::string_view text);

  bool empty() const noexcept { return steps_.empty(); }
  const std::string& text() const noexcept { return text_; }
  // Each once, in the order in which they first occur.
  const std::vector<std::string>& columns() const noexcept { return columns_; }
  // `values`: of columns(). Not finite after a division by 0 and the like.
  double value(std::span<const double> values) const;

 private:
  friend class LabelExpressionParser;
  enum class Operation {
    number,
    column,
    add,
    subtract,
    multiply,
    divide,
    minimum,
    maximum,
    negate
  };
  struct Step {  // in postfix order
    Operation operation;
    double number = 0;
    std::size_t column = 0;
  };
  std::string text_;
  std::vector<std::string> columns_;
  std::vector<Step> steps_;
};

}  // namespace podium
