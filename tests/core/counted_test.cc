#include "core/counted.h"

#include <gtest/gtest.h>

namespace podium::counted_test {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(1, "query"), "1 query");
  EXPECT_EQ(counted(1, "leaf", "leaves"), "1 leaf");
}

TEST(Counted, ManyAndNoneArePlural) {
  EXPECT_EQ(counted(0, "query"), "0 queries");
  EXPECT_EQ(counted(2, "document"), "2 documents");
  EXPECT_EQ(counted(3, "training query"), "3 training queries");
  EXPECT_EQ(counted(31, "leaf", "leaves"), "31 leaves");
}

}  // namespace
}  // namespace podium::counted_test
