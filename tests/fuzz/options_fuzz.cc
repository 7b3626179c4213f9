// Everything that users write: losses, measures, and learners with their options. Any text either
// parses to something whose name parses to the same again, or causes an Error of one line. The
// first byte chooses how the text is parsed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "podium/error.h"
#include "podium/evaluator.h"
#include "podium/learner.h"
#include "podium/loss.h"
#include "podium/measure.h"

namespace {

using namespace podium;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_loss_name(std::string_view text) {
  const std::string name = parse_loss(text)->name();
  require(parse_loss(name)->name() == name);
}

// A measure's name has everything that differs from the default convention; its label, everything
// that differs from its own convention.
void check_measure_name(std::string_view text, const Convention& convention) {
  for (const MeasurePtr& measure : parse_measures(text, convention)) {
    const std::string name = measure->name();
    require(parse_measure(name, find_convention("podium"))->name() == name);
    require(parse_measure(measure_label(*measure, convention), convention)->name() == name);
  }
}

// "NAME=VALUE" lines for a learner; its settings must parse back.
void check_options(std::string_view text, const Entry<Learner>& entry) {
  Assignments given;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = std::min(line.find('='), line.size());
    given.emplace_back(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
  }
  const Settings settings(entry.options(), given);
  Assignments again;
  for (const auto& [name, value] : settings.values()) again.emplace_back(name, to_text(value));
  const Settings same(entry.options(), again);
  for (const auto& [name, value] : settings.values())
    require(to_text(same[name]) == to_text(value));
  const auto learner = entry.make(settings);
  if (const auto loss = learner->loss()) check_loss_name((*loss)->name());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto entries = learners().entries();
  const auto& known = conventions();
  try {
    if (bytes[0] < 64)
      check_loss_name(text);
    else if (bytes[0] < 128)
      check_measure_name(text, known[bytes[0] % known.size()]);
    else
      check_options(text, *entries[bytes[0] % entries.size()]);
  } catch (const Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos ||
            text.find('\n') != std::string_view::npos);
  }
  return 0;
}
