// A file of preferences: rows of qid, better, worse and, optionally, weight, separated by tabs or
// commas. A first row of these names is a header, and gives their order. Documents are named by
// their docid if the data has docids, otherwise by their number within the query in the data file,
// counted from 1.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The data with the file's preferences; those of one query stay in the order of the file. All ranks
// must call it, each with its part of the data: every rank keeps the preferences of its queries. An
// Error with file and line for unknown queries and documents, documents of other queries, a
// document that is preferred to itself, and weights below 0. Contradicting pairs and cycles are
// allowed: each pair counts.
Dataset with_preferences(const Dataset& data, const std::string& path, Context& context);

}  // namespace podium
