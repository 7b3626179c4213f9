// The atoms of a list (documents, or groups of documents that tie everywhere) and their order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line_search/inversion_terms.h"
#include "line_search/line_query.h"

namespace podium {

class AtomList {
 public:
  // Identical lines form one atom if they tie; otherwise they keep the convention's order, as
  // separate documents.
  void make(const LineQuery& query, const LineSpans& lines);
  // Sorts by the order just after `low`, which may be −∞.
  void sort(double low);

  std::span<const Atom> atoms() const { return atoms_; }
  // Best first.
  std::span<const std::uint32_t> order() const { return order_; }
  bool all_single() const { return atoms_.size() == members_.size(); }

 private:
  std::span<const std::uint32_t> tie_order_;
  std::vector<Atom> atoms_;
  std::vector<std::uint32_t> members_;  // documents, atom by atom
  std::vector<std::uint32_t> order_;
  Twins twins_;
};

}  // namespace podium
