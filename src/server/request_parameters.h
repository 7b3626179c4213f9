// The parameters of a request's URL.
#pragma once

#include "server/scoring_request.h"

namespace podium {

// A request with the URL's parameters, still without documents. Throws an Error that names an
// unknown parameter.
ScoringRequest with_parameters(const RequestParameters& parameters);
// "zero" or "missing" as a number.
float parse_absent(std::string_view text);

}  // namespace podium
