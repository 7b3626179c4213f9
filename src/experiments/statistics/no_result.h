// Why a test has no p-value: the reasons that all tests share.
#pragma once

#include <string>
#include <string_view>

#include "podium/significance.h"

namespace podium {

// A result of the test without a p-value yet.
TestResult unfinished_test(std::string_view test, const PairedDifferences& differences);

// "", or why there are fewer than `needed` usable differences.
std::string too_few(const PairedDifferences& differences, std::size_t needed);

}  // namespace podium
