#include "measures/document_table.h"

#include <gtest/gtest.h>

namespace podium::document_table_test {
namespace {

constexpr auto kNothing = [](std::uint32_t) { return false; };

TEST(DocumentTable, DistinguishesDocumentsWithTheSameHash) {
  DocumentTable table;
  table.reset(3);
  const auto is = [](std::uint32_t wanted) {
    return [wanted](std::uint32_t document) { return document == wanted; };
  };
  for (std::uint32_t document = 0; document < 3; ++document)
    EXPECT_EQ(table.find_or_insert(7, document, is(document)), DocumentTable::kNone);
  for (std::uint32_t document = 0; document < 3; ++document) {
    EXPECT_EQ(table.find(7, is(document)), document);
    EXPECT_EQ(table.find_or_insert(7, 9, is(document)), document);
  }
  EXPECT_EQ(table.find(7, kNothing), DocumentTable::kNone);
  EXPECT_EQ(table.find(8, is(0)), DocumentTable::kNone);
}

TEST(DocumentTable, WrapsAround) {
  DocumentTable table;
  table.reset(3);  // eight slots: all hash to the last one
  for (std::uint32_t document = 0; document < 3; ++document)
    table.find_or_insert(0xFFFFFFFF, document, kNothing);
  EXPECT_EQ(table.find(0xFFFFFFFF, [](std::uint32_t document) { return document == 2; }), 2U);
}

TEST(DocumentTable, IsEmptyAfterReset) {
  DocumentTable table;
  const auto any = [](std::uint32_t) { return true; };
  table.reset(100);
  for (std::uint32_t document = 0; document < 100; ++document)
    table.find_or_insert(document * 0x9E3779B9, document, kNothing);
  table.reset(2);
  for (std::uint32_t document = 0; document < 100; ++document)
    EXPECT_EQ(table.find(document * 0x9E3779B9, any), DocumentTable::kNone);
  table.reset(0);
  EXPECT_EQ(table.find(0, any), DocumentTable::kNone);
}

}  // namespace
}  // namespace podium::document_table_test
