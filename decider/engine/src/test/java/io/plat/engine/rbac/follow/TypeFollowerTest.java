package io.plat.engine.rbac.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.served.AsJson;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.process.Freshness;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Following of one type from a scripted server; the test controls clock, randomness and delays. */
final class TypeFollowerTest {
    private static final RbacKind KIND = RbacKind.CLUSTER_ROLE_BINDING;
    private static final String LIST = "clusterrolebindings?limit=500";
    private static final String JANE = event("ADDED", 11, "jane");
    private static final Limits SMALL = new Limits(500, 100_000, 2_000, 5, 10_000);

    private final ScriptedServer server = new ScriptedServer();
    private final CurrentRbac current = new CurrentRbac();
    private final AtomicInteger changes = new AtomicInteger();
    private final List<Duration> pauses = new ArrayList<>();
    private long now;
    private final Progress progress = new Progress(() -> now, new Freshness("roles", Freshness.BOUND));
    private final FollowedObjects objects = new FollowedObjects(
            current,
            changes::incrementAndGet,
            progress,
            new SourceLog("https://server", () -> now, SourceLog.Lines.LOGGED));
    private final TypeFollower follower = follower(Limits.DEFAULT);

    TypeFollowerTest() throws SourceException {
        for (RbacKind kind : RbacKind.values()) {
            if (kind != KIND) {
                objects.replace(kind, new ServedPage("1", "", List.of(), List.of()), SMALL);
            }
        }
    }

    private TypeFollower follower(Limits limits) {
        return new TypeFollower(
                KIND,
                new TypeFollower.Parts(
                        new RoleRequests(server, limits, Timing.DEFAULT, () -> now),
                        objects,
                        progress,
                        new SourceLog("https://server", () -> now, SourceLog.Lines.LOGGED),
                        limits,
                        Timing.DEFAULT,
                        new TypeFollower.Environment(() -> now, () -> 0.0, pauses::add)));
    }

    @Test
    void aListIsReadInChunksAndThenWatchedFromItsVersion() throws Exception {
        server.answers(page("10", "t/1+=", "ann"))
                .answers(page("10", "", "joe"))
                .watches(JANE);
        follower.runRound();
        assertThat(users()).containsExactlyInAnyOrder("ann", "joe");
        assertThat(progress.isLoaded()).isTrue();
        follower.runRound();
        assertThat(server.requests)
                .containsExactly(
                        LIST,
                        LIST + "&continue=t%2F1%2B%3D",
                        "clusterrolebindings?watch=1&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds=45");
        assertThat(server.silences.getLast()).isEqualTo(Duration.ofSeconds(55));
        assertThat(users()).containsExactlyInAnyOrder("ann", "joe", "jane");
        assertThat(server.open()).as("unclosed responses").isZero();
        assertThat(pauses).isEmpty();
    }

    @Test
    void theNextWatchContinuesFromTheLastEvent() throws Exception {
        listed("10");
        server.watches(JANE, event("DELETED", 12, "jane"), event("ADDED", 13, "joe"))
                .watches(AsJson.bookmark("ClusterRoleBinding", "20"))
                .watches(event("MODIFIED", 21, "joe"));
        follower.runRound();
        assertThat(users()).containsExactly("joe");
        follower.runRound();
        follower.runRound();
        assertThat(watched()).containsExactly("10", "13", "20");
        assertThat(pauses).isEmpty();
        assertThat(changes.get()).as("the list; jane and joe together").isEqualTo(2);
        assertThat(progress.changes()).isEqualTo(2);
        assertThat(progress.watches(KIND)).isEqualTo(3);
    }

    @Test
    void anExpiredVersionCausesANewList() throws Exception {
        listed("10", "ann");
        server.refuses(410, Duration.ZERO).answers(page("50", "", "joe"));
        follower.runRound();
        assertThat(users()).as("until the list is complete").containsExactly("ann");
        follower.runRound();
        assertThat(users()).containsExactly("joe");
        server.watches(AsJson.error(410, "Expired", "too old resource version")).answers(page("60", "", "bob"));
        follower.runRound();
        follower.runRound();
        assertThat(users()).containsExactly("bob");
        assertThat(progress.lists(KIND)).isEqualTo(3);
        assertThat(progress.failures(KIND)).isEqualTo(2);
    }

    @Test
    void anExpiredContinueTokenCausesAnUnchunkedList() throws Exception {
        server.answers(page("10", "t", "ann")).refuses(410, Duration.ZERO).answers(page("11", "", "joe"));
        follower.runRound();
        assertThat(current.get()).as("a partial list has no effect").isNull();
        follower.runRound();
        assertThat(server.requests).containsExactly(LIST, LIST + "&continue=t", "clusterrolebindings?limit=0");
        assertThat(users()).containsExactly("joe");
    }

    @Test
    void anInterruptedWatchIsResumed() throws Exception {
        listed("10");
        server.cut(JANE)
                .fails(new ConnectException("refused"))
                .fails(new ConnectException("refused"))
                .fails(new ConnectException("refused"))
                .fails(new ConnectException("refused"))
                .answers(page("12", "t"))
                .watches(event("DELETED", 12, "jane"));
        for (int i = 0; i < 5; i++) {
            follower.runRound();
            assertThat(users()).as("the last good policy").containsExactly("jane");
        }
        follower.runRound();
        assertThat(users()).isEmpty();
        assertThat(watched()).containsExactly("10", "11");
        assertThat(server.requests.get(server.requests.size() - 2)).isEqualTo("clusterrolebindings?limit=1");
        assertThat(pauses).containsExactly(millis(50), millis(100), millis(200), millis(400), millis(800));
    }

    @Test
    void delaysAreBoundedAndReset() throws Exception {
        listed("10");
        for (int i = 0; i < 12; i++) {
            server.fails(new ConnectException("refused"));
            follower.runRound();
        }
        assertThat(pauses.getLast()).isEqualTo(Duration.ofMillis(2500));
        server.answers(page("10", ""))
                .watches(AsJson.bookmark("ClusterRoleBinding", "10"))
                .fails(new ConnectException("refused"));
        follower.runRound();
        follower.runRound();
        assertThat(pauses.getLast()).as("the watch had no new events").isEqualTo(Duration.ofMillis(2500));
        server.answers(page("11", ""))
                .watches(AsJson.bookmark("ClusterRoleBinding", "11"))
                .fails(new ConnectException("refused"));
        follower.runRound();
        follower.runRound();
        assertThat(pauses.getLast()).isEqualTo(millis(50));
    }

    @Test
    void delaysBeforeTheFirstLoadAreShort() throws Exception {
        for (int i = 0; i < 12; i++) {
            server.fails(new ConnectException("refused"));
            follower.runRound();
        }
        assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void immediatelyEndedWatchesAreDelayed() throws Exception {
        listed("10");
        server.watches().watches().watches();
        for (int i = 0; i < 3; i++) {
            follower.runRound();
        }
        assertThat(pauses).containsExactly(millis(50), millis(100), millis(200));
        assertThat(watched()).containsExactly("10", "10", "10");
    }

    @Test
    void retryAfterIsHonored() throws Exception {
        listed("10");
        server.refuses(429, Duration.ofSeconds(7));
        follower.runRound();
        assertThat(pauses).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void aRepeatedlyRefusedWatchIsReplacedByLists() throws Exception {
        listed("10", "ann");
        server.refuses(403, Duration.ZERO)
                .answers(page("10", "", "ann"))
                .refuses(403, Duration.ZERO)
                .answers(page("10", "", "ann"))
                .refuses(403, Duration.ZERO)
                .answers(page("20", "", "joe"));
        for (int i = 0; i < 4; i++) {
            follower.runRound();
        }
        assertThat(watched()).containsExactly("10", "10", "10");
        assertThat(users()).containsExactly("joe");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"ADDED\"}",
                "garbage",
                "<html>",
                "{\"type\":\"RENAMED\",\"object\":{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"12\"}}}",
                "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"resourceVersion\":\"12\"}}}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"x\"}}}"
            })
    void aMalformedEventCausesANewList(String bad) throws Exception {
        listed("10", "ann");
        server.watches(JANE, bad, event("ADDED", 13, "mallory")).answers(page("20", "", "ann"));
        follower.runRound();
        assertThat(users()).as("earlier events are applied").containsExactlyInAnyOrder("ann", "jane");
        follower.runRound();
        assertThat(users()).containsExactly("ann");
        assertThat(server.requests.getLast()).isEqualTo(LIST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "[]", "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}"})
    void aMalformedListLeavesThePolicy(String bad) throws Exception {
        listed("10", "ann");
        server.refuses(410, Duration.ZERO).answers(bad);
        follower.runRound();
        follower.runRound();
        assertThat(users()).containsExactly("ann");
        assertThat(progress.lists(KIND)).isEqualTo(1);
    }

    @Test
    void aResponseOfAnotherKindLeavesThePolicy() throws Exception {
        listed("10", "ann");
        server.answers(200, "text/html", "<html>")
                .answers(302, "", "")
                .answers(204, "", "")
                .answers(200, "application/vnd.kubernetes.protobuf", page("9", "", "mallory"))
                .answers(500, "application/vnd.kubernetes.protobuf", new byte[] {1, 2})
                .answers(-1, "", "");
        for (int i = 0; i < 6; i++) {
            follower.runRound();
            assertThat(users()).containsExactly("ann");
        }
        assertThat(progress.failures(KIND)).isEqualTo(6);
    }

    @Test
    void chunksHaveOneVersion() throws Exception {
        server.answers(page("10", "t", "ann")).answers(page("11", "", "joe")).answers(page("", "", "ann"));
        follower.runRound();
        follower.runRound();
        assertThat(current.get()).isNull();
        assertThat(progress.failures(KIND)).isEqualTo(2);
    }

    @Test
    void aServerWithAnEarlierVersionIsListedAgain() throws Exception {
        listed("1000", "ann");
        server.watches(event("ADDED", 30, "joe")).answers(page("30", "", "joe")).watches(event("ADDED", 31, "bob"));
        follower.runRound();
        assertThat(users()).containsExactly("ann");
        follower.runRound();
        follower.runRound();
        assertThat(users()).containsExactlyInAnyOrder("joe", "bob");
        assertThat(watched()).containsExactly("1000", "30");
    }

    @Test
    void aRestoredServerIsListedAgain() throws Exception {
        listed("1000", "ann");
        server.cut().answers(page("30", "t", "joe")).answers(page("30", "", "joe"));
        follower.runRound();
        follower.runRound();
        assertThat(users()).containsExactly("ann");
        follower.runRound();
        assertThat(users()).containsExactly("joe");
        assertThat(server.requests.subList(2, server.requests.size()))
                .containsExactly("clusterrolebindings?limit=1", LIST);
    }

    @Test
    void nonNumericVersionsAreOpaque() throws Exception {
        listed("b");
        server.watches(JANE.replace("\"11\"", "\"a&1\"")).watches();
        follower.runRound();
        follower.runRound();
        assertThat(watched()).containsExactly("b", "a%261");
    }

    @Test
    void anInvalidObjectGrantsNothingAndAffectsNoOther() throws Exception {
        listed("10", "ann", "joe");
        server.watches(event("MODIFIED", 11, "ann").replace("\"ClusterRole\"", "\"Role\""), event("ADDED", 12, "bob"));
        follower.runRound();
        assertThat(users()).containsExactlyInAnyOrder("joe", "bob");
        assertThat(progress.unusable(KIND)).isEqualTo(1);
        server.watches(event("MODIFIED", 13, "ann"));
        follower.runRound();
        assertThat(users()).containsExactlyInAnyOrder("joe", "bob", "ann");
        assertThat(progress.unusable(KIND)).isZero();
    }

    @Test
    void anEqualNewListIsNoChange() throws Exception {
        listed("10", "ann", "joe");
        RbacIndex before = current.get();
        server.refuses(410, Duration.ZERO).answers(page("20", "", "joe", "ann"));
        follower.runRound();
        follower.runRound();
        assertThat(current.get()).isSameAs(before);
        assertThat(changes.get()).isEqualTo(1);
    }

    @Test
    void sizesAreLimited() throws Exception {
        TypeFollower bounded = follower(SMALL);
        server.answers(page("1", "", "a", "b", "c", "d", "e", "f"));
        bounded.runRound();
        assertThat(current.get()).isNull();
        server.answers(page("1", "", "a".repeat(9_000)));
        bounded.runRound();
        assertThat(current.get()).isNull();
        server.answers(page("1", "", "a", "b", "c", "d"));
        bounded.runRound();
        assertThat(users()).hasSize(4);
        server.watches(event("ADDED", 2, "e")).watches(event("ADDED", 3, "f"));
        bounded.runRound();
        bounded.runRound();
        assertThat(users()).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
        server.answers(page("4", "", "a")).watches(event("ADDED", 5, "x".repeat(3_000)));
        bounded.runRound();
        bounded.runRound();
        assertThat(users()).containsExactly("a");
    }

    /** An object may have 1.5 MB, so a chunk may exceed the read buffer. */
    @Test
    void chunksShrinkForLargeObjects() throws Exception {
        TypeFollower bounded = follower(SMALL);
        String large = " ".repeat(100_000);
        server.answers(page("1", "", "a", "b") + large)
                .answers(page("1", "", "a", "b") + large)
                .answers(page("1", "t", "a"))
                .answers(page("1", "", "b"));
        bounded.runRound();
        assertThat(users()).containsExactlyInAnyOrder("a", "b");
        assertThat(server.requests)
                .containsExactly(
                        LIST,
                        "clusterrolebindings?limit=62",
                        "clusterrolebindings?limit=7",
                        "clusterrolebindings?limit=7&continue=t");
        server.refuses(410, Duration.ZERO);
        for (int i = 0; i < 5; i++) {
            server.answers(page("2", "", "a") + large);
        }
        bounded.runRound();
        bounded.runRound();
        assertThat(users()).as("until one fits").containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void anEndlessListIsAborted() throws Exception {
        TypeFollower bounded = follower(new Limits(500, 100_000, 2_000, 5, 1L << 40));
        for (int i = 0; i <= 1001; i++) {
            server.answers(page("1", "t" + i));
        }
        bounded.runRound();
        assertThat(progress.failures(KIND)).isEqualTo(1);
        assertThat(current.get()).isNull();
    }

    /** Names and versions are kept too, even those of objects that cannot be used. */
    @ParameterizedTest
    @ValueSource(
            strings = {"\"name\":\"%d%s\",\"resourceVersion\":\"1\"", "\"name\":\"%d\",\"resourceVersion\":\"1%s\""})
    void longIdentitiesCountTowardsTheMemory(String metadata) throws Exception {
        TypeFollower bounded = follower(new Limits(500, 100_000, 20_000, 100, 10_000));
        String item = "{\"metadata\":{" + metadata + "},\"bogus\":1}";
        server.answers(page("1", "t", "ann").replace("\"items\":[", "\"items\":[" + withLongText(item, 1) + ","))
                .answers(page("1", "", "joe").replace("\"items\":[", "\"items\":[" + withLongText(item, 2) + ","));
        bounded.runRound();
        assertThat(progress.failures(KIND)).isEqualTo(1);
        assertThat(current.get()).isNull();
    }

    private static String withLongText(String item, int number) {
        return item.formatted(number, "9".repeat(6_000));
    }

    @Test
    void watchedObjectsThatCannotBeUsedCountTowardsTheMemory() throws Exception {
        TypeFollower bounded = follower(new Limits(500, 100_000, 20_000, 100, 10_000));
        server.answers(page("1", "", "ann"));
        bounded.runRound();
        String event = "{\"type\":\"ADDED\",\"object\":"
                + "{\"metadata\":{\"name\":\"%d%s\",\"resourceVersion\":\"2\"},\"bogus\":1}}";
        server.watches(withLongText(event, 1)).watches(withLongText(event, 2));
        bounded.runRound();
        assertThat(progress.failures(KIND)).isZero();
        bounded.runRound();
        assertThat(progress.failures(KIND)).isEqualTo(1);
        assertThat(users()).containsExactly("ann");
    }

    /** Lists of several types are in memory at the same time. */
    @Test
    void incompleteListsOfAllTypesShareTheMemory() throws Exception {
        Limits limits = new Limits(500, 100_000, 2_000, 100, 1_500);
        List<Integer> results = new ArrayList<>();
        RoleRequests[] requests = new RoleRequests[1];
        Transport transport = (target, silence) -> {
            if (target.contains("continue")) {
                try {
                    results.add(requests[0].list(RbacKind.ROLE, true).items().size());
                } catch (SourceException full) {
                    results.add(-1);
                }
            }
            String kind = target.contains("/roles?") ? "Role" : "ClusterRole";
            return new ScriptedServer()
                    .answers(AsJson.page(
                            kind,
                            "1",
                            kind.equals("Role") || target.contains("continue") ? "" : "t",
                            List.of(role(kind))))
                    .get(target, silence);
        };
        requests[0] = new RoleRequests(transport, limits, Timing.DEFAULT, () -> now);
        assertThat(requests[0].list(RbacKind.ROLE, true).items()).hasSize(1);
        assertThatThrownBy(() -> requests[0].list(RbacKind.CLUSTER_ROLE, true)).isInstanceOf(SourceException.class);
        assertThat(results).containsExactly(-1);
        assertThat(requests[0].list(RbacKind.ROLE, true).items()).hasSize(1);
    }

    private static RbacRole role(String kind) {
        List<RbacRule> rules = List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of("x".repeat(300))));
        return kind.equals("Role") ? RbacRole.role("a", "r", rules) : RbacRole.clusterRole("r", rules);
    }

    @Test
    void aSlowResponseHasADeadline() throws Exception {
        listed("10", "ann");
        server.streams(200, ScriptedServer.JSON, new Dripping());
        follower.runRound();
        assertThat(progress.failures(KIND)).isEqualTo(1);
        assertThat(users()).containsExactly("ann");
        server.refuses(410, Duration.ZERO).streams(200, ScriptedServer.JSON, new Dripping());
        follower.runRound();
        follower.runRound();
        assertThat(progress.failures(KIND)).isEqualTo(3);
    }

    /** A space every ten seconds. */
    private final class Dripping extends InputStream {
        @Override
        public int read() {
            now += Duration.ofSeconds(10).toNanos();
            return ' ';
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            bytes[offset] = (byte) read();
            return 1;
        }
    }

    @Test
    void theAgeIsThatOfTheOldestConfirmation() throws Exception {
        assertThat(progress.ageSeconds()).isNaN();
        listed("10");
        now += Duration.ofSeconds(20).toNanos();
        assertThat(progress.ageSeconds()).isEqualTo(20.0);
        for (RbacKind kind : RbacKind.values()) {
            progress.confirmed(kind);
        }
        now += Duration.ofSeconds(3).toNanos();
        server.watches(AsJson.bookmark("ClusterRoleBinding", "10"));
        follower.runRound();
        assertThat(progress.ageSeconds()).as("the others").isEqualTo(3.0);
        server.fails(new IOException("cut"));
        follower.runRound();
        now += Duration.ofSeconds(4).toNanos();
        assertThat(progress.ageSeconds()).isEqualTo(7.0);
    }

    @Test
    void aBugIsAFailureAndDoesNotEndTheFollower() throws Exception {
        listed("10");
        server.streams(200, ScriptedServer.JSON, new InputStream() {
            @Override
            public int read() {
                throw new IllegalStateException("a bug");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                throw new IllegalStateException("a bug");
            }
        });
        server.answers(page("20", "", "ann"));
        follower.runRound();
        follower.runRound();
        assertThat(users()).containsExactly("ann");
    }

    @Test
    void anInterruptedFollowerEnds() {
        server.fails(new IOException("closed"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(follower::runRound).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(progress.failures(KIND)).isZero();
    }

    private void listed(String version, String... users) throws InterruptedException {
        server.answers(page(version, "", users));
        follower.runRound();
    }

    private List<String> watched() {
        return server.requests.stream()
                .filter(target -> target.contains("watch=1"))
                .map(target -> target.replaceFirst(".*resourceVersion=([^&]*).*", "$1"))
                .toList();
    }

    private List<String> users() {
        RbacIndex index = current.get();
        assertThat(index).isNotNull();
        return index.policy().bindings().stream()
                .map(RbacBinding::key)
                .map(ObjectKey::name)
                .toList();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static String page(String version, String next, String... users) {
        return AsJson.page(
                "ClusterRoleBinding",
                version,
                next,
                List.of(users).stream().map(TypeFollowerTest::binding).toList());
    }

    private static String event(String type, int version, String user) {
        return AsJson.event(type, "" + version, binding(user));
    }

    private static RbacBinding binding(String user) {
        return RbacBinding.clusterRoleBinding(
                user,
                new RoleRef("rbac.authorization.k8s.io", "ClusterRole", "", "r"),
                List.of(RbacSubject.user(user)));
    }
}
