// How a measure is defined: a class with a name, an options aggregate and an OptionTable, turned
// into one catalogue Entry. The option `k` is written after the name ("nDCG@10"), the others in
// parentheses.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec.h"
#include "podium/measure.h"

namespace podium {

// A measure that was made from options.
class DefinedMeasure : public Measure {
 public:
  std::string name() const final { return name_; }

 protected:
  explicit DefinedMeasure(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

template <class M>
const std::vector<Field>& fields_of() {
  return M::table().fields();
}

template <class M>
std::unique_ptr<const Measure> make_defined(const Settings& settings) {
  return std::make_unique<M>(format_spec(M::kName, fields_of<M>(), settings),
                             M::table().read(settings));
}

template <class M>
constexpr Entry<Measure> define(std::string_view summary, std::string_view paper) {
  return {M::kName, summary, paper, fields_of<M>, make_defined<M>};
}

constexpr const char* kCutOffHelp = "only the first k ranks count; unset: the whole list";
constexpr const char* kRelevantHelp = "lowest grade that counts as relevant";

// k as an option: 0 means the whole list and cannot be given.
inline std::size_t cut_off(std::int64_t k) {
  return k > 0 ? static_cast<std::size_t>(k) : Measure::kWholeList;
}

}  // namespace podium
