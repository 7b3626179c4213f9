#include "learners/checkpoint/checkpoint_file.h"

#include <algorithm>
#include <filesystem>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::checkpoint_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TrainingIdentity some_identity() {
  return {{{"the learner", "mart"}, {"‹trees›", "10"}, {"‹loss›", ""}},
          {{"the number of training documents", "12"}}};
}

std::vector<std::byte> some_file() {
  const auto state = bytes_of("the state");
  SealedCheckpoint sealed = seal("0.1", some_identity(), state);
  sealed.head.insert(sealed.head.end(), state.begin(), state.end());
  const auto sum = std::as_bytes(std::span(&sealed.checksum, 1));
  sealed.head.insert(sealed.head.end(), sum.begin(), sum.end());
  return sealed.head;
}

// The text of the expected Error.
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class Notes final : public Observer {
 public:
  void note(std::string_view text) override { texts.emplace_back(text); }
  std::vector<std::string> texts;
};

class CheckpointFileTest : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  std::string path = folder.file("m.json.checkpoint");
  ThreadPool pool{1};
  std::unique_ptr<Communicator> comm = make_local_communicator();
  Notes notes;
  std::stop_source stop;
  Context context{1, pool, *comm, notes, stop.get_token()};

  CheckpointFile open(double seconds = 1e-9, std::string version = "0.1") {
    return {{path, seconds, std::move(version)}, some_identity(), context};
  }
  void leave(std::string_view state) {
    CheckpointFile file = open();
    file.keep(bytes_of(state));
  }
};

TEST(CheckpointFormat, RoundTrips) {
  const Checkpoint back = checkpoint_from_bytes(some_file(), "c");
  EXPECT_EQ(back.version, "0.1");
  EXPECT_EQ(back.identity.options, some_identity().options);
  EXPECT_EQ(back.identity.data, some_identity().data);
  EXPECT_EQ(text_of(back.state), "the state");
}

TEST(CheckpointFormat, NoByteMayChange) {
  const auto file = some_file();
  for (std::size_t i = 0; i < file.size(); ++i)
    for (const int bit : {0, 7}) {
      auto damaged = file;
      damaged[i] ^= std::byte(1 << bit);
      EXPECT_THROW(checkpoint_from_bytes(damaged, "c"), Error) << i;
    }
  auto longer = file;
  longer.push_back({});
  EXPECT_THAT(error_of([&] { checkpoint_from_bytes(longer, "c"); }), HasSubstr("damaged"));
}

TEST(CheckpointFormat, ReportsTruncatedAndForeignFiles) {
  const auto file = some_file();
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THAT(error_of([&] { checkpoint_from_bytes(std::span(file).first(size), "c"); }),
                HasSubstr("truncated"));
  EXPECT_THAT(error_of([&] { checkpoint_from_bytes(bytes_of("{\"format\": 1}"), "c"); }),
              HasSubstr("c: not a checkpoint"));
}

TEST(TrainingIdentity, NamesTheFirstDifference) {
  const TrainingIdentity kept = some_identity();
  EXPECT_EQ(why_another(kept, kept), "");
  TrainingIdentity now = kept;
  now.data[0].second = "11";
  EXPECT_EQ(
      why_another(kept, now),
      "the checkpoint belongs to other data: the number of training documents was 12, now 11");
  now.options[2].second = "squared";
  EXPECT_EQ(why_another(kept, now),
            "the checkpoint belongs to another training run: ‹loss› was not given, now squared");
  now.options[1].second = "20";
  EXPECT_EQ(why_another(kept, now),
            "the checkpoint belongs to another training run: ‹trees› was 10, now 20");
  now.options.pop_back();
  EXPECT_NE(why_another(now, kept), "");
}

class TrainingIdentityOfData : public ::testing::Test {
 protected:
  const Dataset train = testing::noisy_linear(20, 5, 3, 1),
                valid = testing::noisy_linear(9, 5, 3, 2);
  const Convention& convention = find_convention("podium");
  TrainingSpec spec() const {
    TrainingSpec spec{.learner = "linear", .convention = convention};
    spec.measures = {parse_measure("nDCG@10", convention)};
    return spec;
  }
  TrainingIdentity identity(const TrainingSpec& spec, const Dataset& data, const Dataset* other,
                            std::uint64_t seed = 1) const {
    testing::Bench bench;
    Context context{seed, bench.pool, *bench.comm, bench.observer};
    PreparedData prepared{data, {}, {}};
    if (other) prepared.valid = *other;
    return identity_of(spec, prepared, context);
  }
};

TEST_F(TrainingIdentityOfData, IncludesEverythingThatChangesAModel) {
  const TrainingIdentity plain = identity(spec(), train, &valid);
  EXPECT_EQ(why_another(plain, identity(spec(), train, &valid)), "");
  EXPECT_THAT(why_another(plain, identity(spec(), train, nullptr)),
              HasSubstr("the number of validation queries was 9, now 0"));
  EXPECT_THAT(why_another(plain, identity(spec(), valid, &valid)),
              HasSubstr("the number of training queries was 20, now 9"));
  EXPECT_THAT(why_another(plain, identity(spec(), train, &valid, 7)),
              HasSubstr("‹seed› was 1, now 7"));
  TrainingSpec other = spec();
  other.loss = parse_loss("listmle");
  EXPECT_THAT(why_another(plain, identity(other, train, &valid)),
              HasSubstr("‹loss› was squared, now listmle"));

  DatasetParts renamed = train.parts();
  renamed.qids = make_strings(std::vector<std::string>(train.queries(), "the same"));
  EXPECT_EQ(why_another(plain, identity(spec(), Dataset(std::move(renamed)), &valid)), "");

  DatasetParts parts = train.parts();
  parts.query_weights = std::vector<float>(train.queries(), 2.0F);
  const Dataset weighted{std::move(parts)};
  EXPECT_THAT(why_another(plain, identity(spec(), weighted, &valid)), HasSubstr("weights"));

  TrainingSpec started = spec();
  started.start = TrainingSpec::StartScores{std::vector<double>(train.documents(), 0.5),
                                            std::vector<double>(valid.documents(), 0.5)};
  EXPECT_THAT(why_another(plain, identity(started, train, &valid)), HasSubstr("scores"));
  SavedModel model;
  model.model = Linear{{1, 2, 3}, 0};
  TrainingSpec warm = spec();
  warm.start = std::make_shared<const SavedModel>(model);
  EXPECT_THAT(why_another(plain, identity(warm, train, &valid)),
              HasSubstr("the model to begin with"));
  TrainingSpec scaled = spec();
  scaled.preparation.normalize = Normalization::query_minmax;
  EXPECT_THAT(why_another(plain, identity(scaled, train, &valid)), HasSubstr("‹normalize›"));
}

TEST_F(CheckpointFileTest, ResumesFromTheSavedState) {
  leave("first");
  leave("second");
  EXPECT_EQ(folder.entries(), 1U);
  CheckpointFile file = open();
  EXPECT_THAT(file.resumed(), IsEmpty());
  file.resume();
  EXPECT_EQ(text_of(file.resumed()), "second");
  EXPECT_TRUE(file.on_disk());
  EXPECT_THAT(notes.texts, IsEmpty());
  file.remove();
  EXPECT_EQ(folder.entries(), 0U);
}

TEST_F(CheckpointFileTest, NotesThatItBeginsAtTheStart) {
  CheckpointFile file = open();
  file.resume();
  EXPECT_THAT(file.resumed(), IsEmpty());
  EXPECT_FALSE(file.on_disk());
  EXPECT_THAT(notes.texts, ElementsAre(HasSubstr("starts from the beginning")));
}

TEST_F(CheckpointFileTest, BeginsAnewIfThereIsAnOldOne) {
  leave("old");
  CheckpointFile file = open();
  file.begin_anew();
  EXPECT_THAT(file.resumed(), IsEmpty());
  EXPECT_THAT(notes.texts, ElementsAre(HasSubstr("‹resume› would continue from it")));
  file.remove();  // the run that replaces it has ended
  EXPECT_EQ(folder.entries(), 0U);
}

TEST_F(CheckpointFileTest, LeavesAForeignFileAlone) {
  folder.write("m.json.checkpoint", "my notes");
  EXPECT_THAT(error_of([&] { open().begin_anew(); }), HasSubstr("move it away"));
  EXPECT_THAT(error_of([&] { open().resume(); }), HasSubstr("not a checkpoint"));
  open(0).begin_anew();
  EXPECT_EQ(testing::bytes_of_file(path), "my notes");
}

TEST_F(CheckpointFileTest, RefusesAnotherVersionAndAnotherTraining) {
  leave("state");
  EXPECT_THAT(error_of([&] { open(1, "0.2").resume(); }),
              HasSubstr("written by Podium 0.1, and this is 0.2"));
  TrainingIdentity other = some_identity();
  other.options[1].second = "11";
  CheckpointFile file({path, 1, "0.1"}, other, context);
  EXPECT_THAT(error_of([&] { file.resume(); }), HasSubstr("‹trees› was 10, now 11"));
}

TEST_F(CheckpointFileTest, IsDueAfterItsTimeAndOnceWhenStopped) {
  EXPECT_TRUE(open(1e-9).due());
  EXPECT_FALSE(open(0).due());
  CheckpointFile file = open(1e6);
  EXPECT_FALSE(file.due());
  stop.request_stop();
  EXPECT_TRUE(file.due());
  file.keep(bytes_of("last"));
  EXPECT_FALSE(file.due());
}

TEST_F(CheckpointFileTest, NotesOnceThatItCannotWrite) {
  path = folder.file("no/such/folder/m.checkpoint");
  CheckpointFile file = open();
  for (int i = 0; i < 3; ++i) file.keep(bytes_of("x"));
  EXPECT_THAT(notes.texts, ElementsAre(HasSubstr("training continues")));
  std::filesystem::create_directories(folder.file("no/such/folder"));
  for (int i = 0; i < 3; ++i) file.keep(bytes_of("x"));
  EXPECT_THAT(notes.texts, ElementsAre(HasSubstr("continues"), HasSubstr("works again")));
}

TEST_F(CheckpointFileTest, RemovesLeftoversOfKilledProcesses) {
  folder.write("m.json.checkpoint.999999999-0.tmp", "half");
  folder.write("m.json.checkpoint.x-0.tmp", "mine");
  folder.write("m.json.checkpoint.1-0.tmp", "of a process that is alive");
  folder.write("n.json.checkpoint.999999999-0.tmp", "another model's");
  open().resume();
  EXPECT_EQ(folder.entries(), 3U);
  EXPECT_FALSE(std::filesystem::exists(folder.file("m.json.checkpoint.999999999-0.tmp")));
}

TEST_F(CheckpointFileTest, TheFirstRanksFileIsEnough) {
  leave("state");
  run_in_threads(3, [&](Communicator& group) {
    Notes own;
    Context here{1, pool, group, own};
    const std::string mine = group.rank() == 0 ? path : folder.file("not here");
    CheckpointFile file({mine, 1e-9, "0.1"}, some_identity(), here);
    file.resume();
    EXPECT_EQ(text_of(file.resumed()), "state");
    EXPECT_EQ(file.due(), group.rank() == 0);
    file.keep(bytes_of("next"));
  });
  EXPECT_EQ(folder.entries(), 1U);
  CheckpointFile file = open();
  file.resume();
  EXPECT_EQ(text_of(file.resumed()), "next");
}

TEST_F(CheckpointFileTest, EveryRankGetsTheReasonOfARefusal) {
  folder.write("m.json.checkpoint", "something else");
  std::atomic<int> refused = 0;
  run_in_threads(3, [&](Communicator& group) {
    Context here{1, pool, group, notes};
    CheckpointFile file({path, 1, "0.1"}, some_identity(), here);
    refused += error_of([&] { file.resume(); }).find("not a checkpoint") != std::string::npos;
  });
  EXPECT_EQ(refused, 3);
}

}  // namespace
}  // namespace podium::checkpoint_file_test
