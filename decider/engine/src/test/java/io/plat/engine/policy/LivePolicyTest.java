package io.plat.engine.policy;

import static io.plat.engine.policy.PolicyLoaderTest.line;
import static io.plat.engine.policy.PolicyLoaderTest.loader;
import static io.plat.engine.policy.PolicyLoaderTest.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.engine.Decision;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LivePolicyTest {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Path file;

    LivePolicyTest(@TempDir Path directory) throws IOException {
        file = Files.writeString(directory.resolve("abac"), line("jane"));
    }

    @Test
    void aChangedPolicyIsSwappedIn() throws Exception {
        LivePolicy policy = start();
        PolicySet before = policy.current();
        Files.writeString(file, line("joe"));
        assertThat(allows(policy, "jane"))
                .as("nothing is read without a reload")
                .isTrue();
        policy.reload();
        assertThat(allows(policy, "jane")).isFalse();
        assertThat(allows(policy, "joe")).isTrue();
        assertThat(before.authorizer().authorize(request("jane"))).isInstanceOf(Decision.Allow.class);
        assertThat(events)
                .containsExactly(
                        "swapped " + before.revision() + " " + policy.current().revision());
    }

    @Test
    void anUnchangedPolicyKeepsItsRevision() throws Exception {
        LivePolicy policy = start();
        PolicySet before = policy.current();
        Files.writeString(file, line("jane"));
        policy.reload();
        assertThat(policy.current()).isSameAs(before);
        assertThat(events).isEmpty();
    }

    @Test
    void anInvalidPolicyLeavesTheLastGoodOneInEffect() throws Exception {
        LivePolicy policy = start();
        PolicySet good = policy.current();
        Files.writeString(file, line("joe") + "\n{\"user\":");
        policy.reload();
        assertThat(policy.current()).isSameAs(good);
        assertThat(allows(policy, "joe")).isFalse();
        Files.delete(file);
        policy.reload();
        assertThat(allows(policy, "jane")).isTrue();
        Files.writeString(file, line("jane"));
        policy.reload();
        policy.reload();
        assertThat(policy.current()).isSameAs(good);
        assertThat(events)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("kept " + file + ":2: "),
                        second -> assertThat(second).startsWith("kept " + file + ": cannot read"),
                        third -> assertThat(third).isEqualTo("restored " + good.revision()));
    }

    @Test
    void anInvalidFirstPolicyIsRefused() throws IOException {
        Files.writeString(file, "{}");
        assertThatThrownBy(this::start).isInstanceOf(ProblemsException.class);
    }

    @Test
    void aWatchedPolicyFollowsItsFile() throws Exception {
        LivePolicy policy = start();
        FileWatch.Settings settings = new FileWatch.Settings(Duration.ofMillis(5), Duration.ofMillis(20), true);
        try (FileWatch watch = policy.watch(settings)) {
            assertThat(watch).isNotNull();
            Files.writeString(file, line("joe"));
            await().atMost(Duration.ofSeconds(20)).until(() -> allows(policy, "joe"));
        }
        assertThat(allows(policy, "jane")).isFalse();
    }

    @Test
    void aChangeBeforeTheWatchBeginsIsNotMissed() throws Exception {
        LivePolicy policy = start();
        Files.writeString(file, line("joe"));
        FileWatch.Settings never = new FileWatch.Settings(Duration.ZERO, Duration.ofHours(1), false);
        try (FileWatch watch = policy.watch(never)) {
            assertThat(watch).isNotNull();
            await().atMost(Duration.ofSeconds(20)).until(() -> allows(policy, "joe"));
        }
    }

    @Test
    void revisionsAreReportedInOrderOnceInEffect() throws Exception {
        LivePolicy policy = start();
        List<String> revisions = new ArrayList<>();
        try (LivePolicy.Subscription subscription = policy.subscribe(now -> {
            assertThat(policy.current()).as("the reported policy is in effect").isSameAs(now);
            revisions.add(now.revision());
        })) {
            assertThat(subscription).isNotNull();
            policy.reload();
            assertThat(revisions).as("nothing has changed").isEmpty();
            Files.writeString(file, line("joe"));
            policy.reload();
            String second = policy.current().revision();
            Files.writeString(file, "{");
            policy.reload();
            Files.writeString(file, line("ann"));
            policy.reload();
            assertThat(revisions).containsExactly(second, policy.current().revision());
        }
        Files.writeString(file, line("jane"));
        policy.reload();
        assertThat(revisions).as("unsubscribed").hasSize(2);
    }

    @Test
    void decidesFromMemoryIfThePolicyDoes() throws Exception {
        assertThat(start().decideFromMemory(request("joe"))).isEqualTo(start().authorize(request("joe")));
    }

    private LivePolicy start() throws ProblemsException {
        return LivePolicy.start(loader(file), new PolicyReloadListener() {
            @Override
            public void reloaded(PolicySet before, PolicySet after) {
                events.add("swapped " + before.revision() + " " + after.revision());
            }

            @Override
            public void rejected(PolicySet current, List<Problem> problems) {
                events.add("kept " + problems.getFirst());
            }

            @Override
            public void restored(PolicySet current) {
                events.add("restored " + current.revision());
            }
        });
    }

    private static boolean allows(LivePolicy policy, String user) {
        return policy.authorize(request(user)) instanceof Decision.Allow;
    }
}
