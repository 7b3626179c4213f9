// `podium prepare --via python`: Parquet, Feather and Arrow IPC files, which pyarrow reads. Python
// writes the table as CSV into a pipe, piece by piece, so that memory does not grow with the file,
// and the CSV reader does the rest: all its options apply, and there is one meaning of a column.
#pragma once

#include <string>

#include "podium/data_io.h"

namespace podium::cli {

// Columns that are dictionaries in the file are categories, unless options specify something else.
// Runs python3, or the interpreter that the variable PODIUM_PYTHON names. Throws an Error if that
// cannot be started, has no pyarrow, or cannot read the file.
Dataset read_via_python(const std::string& path, ReadOptions options, Context& context);

}  // namespace podium::cli
