#include "registry/memory_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace squall::registry {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Key kTopic{Kind::kTopic, "t", ""};
const Key kSubscriber{Kind::kSubscriber, "t", "s"};
const Key kLink{Kind::kLink, "t", "l"};

/// Writes down what it is told.
class Recorder final : public Listener {
public:
    void apply(const Batch& batch) override { batches.push_back(batch); }
    void reset(const Snapshot& snapshot) override { snapshots.push_back(snapshot); }

    std::vector<Batch> batches;
    std::vector<Snapshot> snapshots;
};

class MemoryRegistryTest : public testing::Test {
protected:
    MemoryRegistryTest() { registry_.start(recorder_); }

    CommitResult commit(std::vector<Guard> guards, std::vector<Operation> operations) {
        CommitResult result{Outcome::kUnknown, 0};
        registry_.commit({std::move(guards), std::move(operations)},
                         [&result](CommitResult outcome) { result = outcome; });
        return result;
    }

    Outcome outcome_of(Guard guard) { return commit({std::move(guard)}, {}).outcome; }

    std::vector<Key> erased_last() const {
        std::vector<Key> keys;
        for (const Change& change : recorder_.batches.back().changes) {
            EXPECT_FALSE(change.entry);
            keys.push_back(change.key);
        }
        return keys;
    }

    Recorder recorder_;
    MemoryRegistry registry_;
};

TEST_F(MemoryRegistryTest, StartsWithAnEmptySnapshot) {
    ASSERT_EQ(recorder_.snapshots.size(), 1U);
    EXPECT_EQ(recorder_.snapshots[0].revision, 0U);
    EXPECT_THAT(recorder_.snapshots[0].entries, IsEmpty());
}

TEST_F(MemoryRegistryTest, RevisionsRiseWithoutGap) {
    EXPECT_EQ(commit({}, {Put{kTopic, {1}}}).revision, 1U);
    EXPECT_EQ(commit({Guard::absent(kTopic)}, {}).revision, 0U);
    EXPECT_EQ(commit({}, {Erase{kSubscriber}}).revision, 2U);
    EXPECT_EQ(commit({}, {Erase{kTopic}}).revision, 3U);
    ASSERT_EQ(recorder_.batches.size(), 3U);
    EXPECT_EQ(recorder_.batches[0].revision, 1U);
    EXPECT_EQ(recorder_.batches[1].revision, 2U);
    EXPECT_EQ(recorder_.batches[2].revision, 3U);
}

TEST_F(MemoryRegistryTest, PutKeepsTheRevisionOfCreation) {
    commit({}, {Put{kTopic, {1}}});
    commit({}, {Put{kTopic, {2, 3}}});
    ASSERT_EQ(recorder_.batches.size(), 2U);
    ASSERT_EQ(recorder_.batches[1].changes.size(), 1U);
    const Change& change = recorder_.batches[1].changes[0];
    EXPECT_EQ(change.key, kTopic);
    ASSERT_TRUE(change.entry);
    EXPECT_EQ(change.entry->key, kTopic);
    EXPECT_EQ(change.entry->value, (Value{2, 3}));
    EXPECT_EQ(change.entry->created, 1U);
    EXPECT_EQ(change.entry->modified, 2U);
}

TEST_F(MemoryRegistryTest, PutAfterEraseIsANewCreation) {
    commit({}, {Put{kTopic, {}}});
    commit({}, {Erase{kTopic}});
    commit({}, {Put{kTopic, {}}});
    EXPECT_EQ(outcome_of(Guard::created_at(kTopic, 1)), Outcome::kGuardFailed);
    EXPECT_EQ(outcome_of(Guard::created_at(kTopic, 3)), Outcome::kOk);
}

TEST_F(MemoryRegistryTest, GuardsOnAnAbsentKey) {
    EXPECT_EQ(outcome_of(Guard::absent(kTopic)), Outcome::kOk);
    EXPECT_EQ(outcome_of(Guard::exists(kTopic)), Outcome::kGuardFailed);
    EXPECT_EQ(outcome_of(Guard::created_at(kTopic, 0)), Outcome::kGuardFailed);
    EXPECT_EQ(outcome_of(Guard::modified_at(kTopic, 0)), Outcome::kGuardFailed);
}

TEST_F(MemoryRegistryTest, GuardsOnAKeyThatWasPutTwice) {
    commit({}, {Put{kTopic, {}}});
    commit({}, {Put{kTopic, {}}});
    EXPECT_EQ(outcome_of(Guard::absent(kTopic)), Outcome::kGuardFailed);
    EXPECT_EQ(outcome_of(Guard::exists(kTopic)), Outcome::kOk);
    EXPECT_EQ(outcome_of(Guard::created_at(kTopic, 1)), Outcome::kOk);
    EXPECT_EQ(outcome_of(Guard::created_at(kTopic, 2)), Outcome::kGuardFailed);
    EXPECT_EQ(outcome_of(Guard::modified_at(kTopic, 1)), Outcome::kGuardFailed);
    EXPECT_EQ(outcome_of(Guard::modified_at(kTopic, 2)), Outcome::kOk);
}

TEST_F(MemoryRegistryTest, OneFailedGuardStopsAllOperations) {
    const CommitResult result =
        commit({Guard::absent(kTopic), Guard::exists(kSubscriber)}, {Put{kTopic, {}}});
    EXPECT_EQ(result.outcome, Outcome::kGuardFailed);
    EXPECT_THAT(recorder_.batches, IsEmpty());
    EXPECT_EQ(outcome_of(Guard::absent(kTopic)), Outcome::kOk);
}

TEST_F(MemoryRegistryTest, ErasingAnAbsentKeyChangesNothing) {
    EXPECT_EQ(commit({}, {Erase{kTopic}}).outcome, Outcome::kOk);
    EXPECT_THAT(recorder_.batches.at(0).changes, IsEmpty());
}

TEST_F(MemoryRegistryTest, DestroyErasesTheTopicFirstThenItsMembers) {
    commit({}, {Put{kTopic, {}}, Put{kLink, {}}, Put{kSubscriber, {}}});
    commit({Guard::created_at(kTopic, 1)}, {Erase{kTopic}, EraseUnder{"t"}});
    EXPECT_THAT(erased_last(), ElementsAre(kTopic, kSubscriber, kLink));
}

TEST_F(MemoryRegistryTest, EraseUnderSparesOtherTopicsAndTheTopicItself) {
    const Key longer{Kind::kSubscriber, "t2", "s"};
    const Key shorter{Kind::kSubscriber, "", "s"};
    commit({}, {Put{kTopic, {}}, Put{kSubscriber, {}}, Put{longer, {}}, Put{shorter, {}}});
    commit({}, {EraseUnder{"t"}});
    EXPECT_THAT(erased_last(), ElementsAre(kSubscriber));
    EXPECT_EQ(outcome_of(Guard::exists(kTopic)), Outcome::kOk);
    EXPECT_EQ(outcome_of(Guard::exists(longer)), Outcome::kOk);
    EXPECT_EQ(outcome_of(Guard::exists(shorter)), Outcome::kOk);
}

TEST_F(MemoryRegistryTest, ChangeIsAppliedBeforeItsCompletion) {
    std::size_t applied = 0;
    registry_.commit({{}, {Put{kTopic, {}}}},
                     [&](CommitResult) { applied = recorder_.batches.size(); });
    EXPECT_EQ(applied, 1U);
}

TEST_F(MemoryRegistryTest, CompletionMayCommit) {
    CommitResult inner;
    registry_.commit({{}, {Put{kTopic, {}}}}, [&](CommitResult outer) {
        inner = commit({Guard::created_at(kTopic, outer.revision)}, {Erase{kTopic}});
    });
    EXPECT_EQ(inner.outcome, Outcome::kOk);
    EXPECT_EQ(inner.revision, 2U);
}

TEST_F(MemoryRegistryTest, ClosedRegistryRefusesCommits) {
    registry_.close();
    registry_.close();
    EXPECT_EQ(commit({}, {Put{kTopic, {}}}).outcome, Outcome::kClosed);
    EXPECT_THAT(recorder_.batches, IsEmpty());
}

TEST_F(MemoryRegistryTest, TakesKeysOfAnyLength) {
    const Key long_key{Kind::kTopic, std::string(65536, 'x'), ""};
    EXPECT_EQ(commit({}, {Put{long_key, {}}}).outcome, Outcome::kOk);
    EXPECT_EQ(outcome_of(Guard::exists(long_key)), Outcome::kOk);
}

}  // namespace
}  // namespace squall::registry
