#include "data/shares/share_totals.h"

#include "distributed/gathered.h"

namespace podium {

ShareTotals totals_of(const Dataset& share, Context& context) {
  ShareTotals all;
  const ShareTotals mine{share.documents(), share.queries(), share.fingerprint(context.pool)};
  for (const ShareTotals& rank : gathered(mine, context.comm)) {
    all.documents += rank.documents;
    all.queries += rank.queries;
    all.fingerprint += rank.fingerprint;
  }
  return all;
}

}  // namespace podium
