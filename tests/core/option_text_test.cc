#include "podium/option_text.h"

#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::option_text_test {
namespace {

std::string as_flag(std::string_view name, std::string_view value) {
  return "--" + bare_option(name, value);
}
std::string flags(std::string_view text) {
  return spell_options(text, as_flag);
}

TEST(OptionText, SpellsNamesAndValues) {
  EXPECT_EQ(flags("try a smaller ‹learning-rate› or a larger ‹l2›"),
            "try a smaller --learning-rate or a larger --l2");
  EXPECT_EQ(flags("‹map po›, ‹k 0› with it"), "--map po, --k 0 with it");
  EXPECT_EQ(flags("‹learners ridge(l2=1), mart›: twice"), "--learners ridge(l2=1), mart: twice");
  EXPECT_EQ(flags("no option here"), "no option here");
  EXPECT_EQ(flags(""), "");
}

TEST(OptionText, OptionsFromHelpersAreSpelled) {
  EXPECT_EQ(flags(option("C") + " and " + option("trees", "10")), "--C and --trees 10");
  EXPECT_EQ(spell_options(option("trees", "10"), bare_option), "trees 10");
}

TEST(OptionText, LeavesOtherQuotesAlone) {
  for (const char* const text : {"‹", "a ‹ b", "‹›", "‹3›", "‹a", "a›", "‹naïve›", "‹ a›"})
    EXPECT_EQ(flags(text), text);
  EXPECT_EQ(flags("a ‹ file: ‹bins›"), "a ‹ file: --bins");
}

TEST(OptionText, AnErrorKnowsItsOption) {
  EXPECT_EQ(Error(ErrorCode::usage, "‹min-docs›: must not be negative").option(), "min-docs");
  EXPECT_EQ(Error(ErrorCode::usage, "‹bound ramp› needs an oracle").option(), "bound");
  EXPECT_EQ(Error(ErrorCode::training, "not finite: a smaller ‹l2›?", {"a.txt", 3}).option(), "");
}

}  // namespace
}  // namespace podium::option_text_test
