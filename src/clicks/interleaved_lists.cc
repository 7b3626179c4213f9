// The lists of two runs, as TSV.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "clicks/log_line.h"
#include "core/mapped_file.h"
#include "core/output_file.h"
#include "data/formats/parse_error.h"
#include "podium/error.h"
#include "podium/interleaving.h"

namespace podium {
namespace {

constexpr std::size_t kListsPerTask = 256, kListTasks = 16;

}  // namespace

Rankings rankings_of(const TrecFile& run) {
  Rankings rankings;
  for (std::size_t t = 0; t < run.topics(); ++t) {
    std::vector<TrecFile::Line> lines = run.lines(t);
    std::sort(lines.begin(), lines.end(), [](const TrecFile::Line& x, const TrecFile::Line& y) {
      return x.value != y.value ? x.value > y.value : x.document > y.document;
    });
    std::vector<std::string>& ranking = rankings[std::string(run.topic(t))];
    for (const TrecFile::Line& line : lines) ranking.emplace_back(line.document);
  }
  return rankings;
}

std::vector<SessionOfQuery> read_session_list(const std::string& path, Context& context) {
  context.observer.phase("reading " + path);
  const MappedFile file(path);
  std::string_view rest = file.bytes();
  std::vector<SessionOfQuery> sessions;
  LogHeader header;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (number == 1) {
      try {
        header = parse_log_header(line, LogKind::sessions);
      } catch (const Error& error) {
        throw Error(error.code(), error.message(), {path, 1});
      }
    } else if (!line.empty()) {
      LogLine parsed;
      if (const std::string problem = parse_log_line(line, header, parsed); !problem.empty())
        throw Error(ErrorCode::data, problem, {path, number});
      sessions.push_back({std::string(parsed.session), std::string(parsed.qid)});
    }
  }
  if (sessions.empty()) throw Error(ErrorCode::data, "the list of sessions is empty", {path});
  return sessions;
}

std::uint64_t write_interleaved(const InterleavedRankers& rankers,
                                std::span<const SessionOfQuery> sessions, std::size_t depth,
                                const std::string& path, Context& context) {
  for (const SessionOfQuery& one : sessions)
    if (!rankers.has(one.query))
      throw Error(ErrorCode::data, fmt::format("query '{}' of session '{}' is not in both runs",
                                               shortened(one.query), shortened(one.session)));
  context.observer.phase("interleaving");
  OutputFile file(path);
  file.write("session\tqid\tdocid\tposition\towner\n");
  std::uint64_t lines = 0;
  for (std::size_t begin = 0; begin < sessions.size(); begin += kListTasks * kListsPerTask) {
    std::vector<std::string> texts(kListTasks);
    std::vector<std::uint64_t> counts(kListTasks);
    context.pool.run(kListTasks, [&](std::size_t task) {
      const std::size_t first = begin + task * kListsPerTask;
      for (std::size_t s = first; s < std::min(sessions.size(), first + kListsPerTask); ++s) {
        const auto& [session, query] = sessions[s];
        const auto list = rankers.list(session, query, depth);
        for (std::size_t r = 0; r < list.size(); ++r)
          fmt::format_to(std::back_inserter(texts[task]), "{}\t{}\t{}\t{}\t{}\n", session, query,
                         list[r].document, r + 1, list[r].owner == Owner::a ? 'a' : 'b');
        counts[task] += list.size();
      }
    });
    for (std::size_t task = 0; task < kListTasks; ++task) {
      file.write(texts[task]);
      lines += counts[task];
    }
  }
  file.commit();
  return lines;
}

}  // namespace podium
