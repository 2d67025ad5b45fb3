package io.plat.engine.plugin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.plugin.AuthorizerPlugin;
import io.plat.engine.plugin.PluginDecision;
import io.plat.engine.plugin.RequestAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PluginAuthorizerTest {
    private static final PluginCalls.Limits PATIENT = new PluginCalls.Limits(4, Duration.ofSeconds(30));
    private static final PluginCalls.Limits BRIEF = new PluginCalls.Limits(2, Duration.ofMillis(50));
    private static final Attributes REQUEST =
            new Attributes(new UserInfo("jane", List.of()), new NonResourceAttributes("/version", "get"));

    /** The single method of a plug-in, as a lambda. */
    @FunctionalInterface
    private interface Operation {
        PluginDecision authorize(RequestAttributes request) throws Exception;
    }

    private static PluginAuthorizer authorizer(PluginCalls.Limits limits, Operation operation) {
        AuthorizerPlugin plugin = new AuthorizerPlugin() {
            @Override
            public String name() {
                throw new AssertionError("called while it is loaded");
            }

            @Override
            public PluginDecision authorize(RequestAttributes request) throws Exception {
                return operation.authorize(request);
            }
        };
        return new PluginAuthorizer("House", "house.jar", plugin, limits);
    }

    static Stream<Arguments> decisions() {
        String longReason = "x".repeat(1023) + "\ud83d\ude00y";
        return Stream.of(
                Arguments.of(true, "", "allowed by plug-in \"House\""),
                Arguments.of(true, "because", "allowed by plug-in \"House\": because"),
                Arguments.of(false, "", "refused by plug-in \"House\""),
                Arguments.of(false, "two\nlines\u001b[31m", "refused by plug-in \"House\": two lines\\u001b[31m"),
                Arguments.of(false, "\ud83d half", "refused by plug-in \"House\": ? half"),
                Arguments.of(false, longReason, "refused by plug-in \"House\": " + "x".repeat(1023) + "?…"));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void aDecisionHasThePlugInAndItsReasonInOneLine(boolean allowed, String reason, String shown) {
        try (PluginAuthorizer house = authorizer(PATIENT, request -> new PluginDecision(allowed, reason))) {
            Decision decision = house.authorize(REQUEST);
            assertThat(decision).isInstanceOf(allowed ? Decision.Allow.class : Decision.Deny.class);
            assertThat(decision.reason()).isEqualTo(shown);
        }
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                failure("threw IllegalStateException", request -> {
                    throw new IllegalStateException("token abc");
                }),
                failure("threw IOException", request -> {
                    throw new IOException("token abc");
                }),
                failure("threw NoClassDefFoundError", request -> {
                    throw new NoClassDefFoundError("token abc");
                }),
                failure("threw StackOverflowError", request -> PluginDecision.allow("" + endless(1))),
                failure("threw AssertionError", request -> {
                    throw new AssertionError("token abc");
                }),
                failure("threw InterruptedException", request -> {
                    throw new InterruptedException("token abc");
                }),
                failure("threw Unreadable", request -> {
                    throw new Unreadable();
                }),
                failure("threw NullPointerException", request -> PluginDecision.allow(nothing())),
                failure("returned no decision", request -> nothing()));
    }

    /** An exception whose methods throw or never return. */
    private static class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException();
        }

        @Override
        public String toString() {
            throw new IllegalStateException();
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException();
        }
    }

    private static final class Endless extends Unreadable {
        private static final long serialVersionUID = 1L;

        @Override
        public StackTraceElement[] getStackTrace() {
            while (true) {
                Thread.onSpinWait();
                if (Thread.interrupted()) {
                    throw new IllegalStateException();
                }
            }
        }
    }

    @Test
    void exceptionsAreReadWithinTheDeadline() {
        try (PluginAuthorizer house = authorizer(BRIEF, request -> {
            throw new Endless();
        })) {
            assertThat(house.authorize(REQUEST))
                    .isEqualTo(new Undecided(Cause.FAILED, "the plug-in did not answer within 50 ms"));
        }
    }

    private static Arguments failure(String reason, Operation operation) {
        return Arguments.of(reason, operation);
    }

    @SuppressWarnings("InfiniteRecursion") // A bug in a plug-in.
    private static int endless(int depth) {
        return endless(depth + 1) + 1;
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // A plug-in that was compiled without null checks.
    private static <T> T nothing() {
        return null;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void invalidResultsAreFailures(String reason, Operation operation) {
        try (PluginAuthorizer house = authorizer(PATIENT, operation)) {
            assertThat(house.authorize(REQUEST)).isEqualTo(new Undecided(Cause.FAILED, "the plug-in " + reason));
        }
    }

    @Test
    void callsRunOnSeparateThreads() {
        AtomicReference<Thread> ran = new AtomicReference<>();
        try (PluginAuthorizer house = authorizer(PATIENT, request -> {
            ran.set(Thread.currentThread());
            return PluginDecision.refuse("");
        })) {
            house.authorize(REQUEST);
        }
        assertThat(ran.get()).satisfies(thread -> {
            assertThat(thread.isVirtual()).isFalse();
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).startsWith("plugin-House-");
            assertThat(thread).isNotSameAs(Thread.currentThread());
        });
    }

    @Test
    void aPlugInThatHangsFailsAtTheDeadlineAndIsInterrupted() {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (PluginAuthorizer house = authorizer(BRIEF, request -> {
            try {
                new CountDownLatch(1).await();
                return PluginDecision.allow("never");
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        })) {
            assertThat(house.authorize(REQUEST))
                    .isEqualTo(new Undecided(Cause.FAILED, "the plug-in did not answer within 50 ms"));
            await().until(() -> interrupted.getCount() == 0);
        }
    }

    @Test
    void callsFailAtOnceWhileOverdueCallsHoldAllPermits() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        try (PluginAuthorizer house = authorizer(BRIEF, request -> {
            calls.incrementAndGet();
            awaitHeedlessly(end);
            return PluginDecision.allow("at last");
        })) {
            house.authorize(REQUEST);
            house.authorize(REQUEST);
            for (int i = 0; i < 1000; i++) {
                assertThat(house.authorize(REQUEST).reason())
                        .isEqualTo("the plug-in was not called: 2 calls have not ended");
            }
            assertThat(calls).hasValue(2);
            end.countDown();
            await().until(() -> house.authorize(REQUEST) instanceof Decision.Allow);
        }
    }

    private static void awaitHeedlessly(CountDownLatch end) {
        boolean ended = false;
        while (!ended) {
            try {
                end.await();
                ended = true;
            } catch (InterruptedException e) {
                // A plug-in that swallows the interrupt.
                assertThat(e).isNotNull();
            }
        }
    }

    @Test
    void concurrentCallsAreLimited() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch full = new CountDownLatch(PATIENT.maxConcurrent());
        try (PluginAuthorizer house = authorizer(PATIENT, request -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    full.countDown();
                    full.await();
                    running.decrementAndGet();
                    return PluginDecision.allow("");
                });
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Decision>> decisions = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                decisions.add(CompletableFuture.supplyAsync(() -> house.authorize(REQUEST), callers));
            }
            assertThat(decisions).allSatisfy(one -> assertThat(one.join()).isInstanceOf(Decision.Allow.class));
        }
        assertThat(most).hasValue(PATIENT.maxConcurrent());
    }

    @Test
    void anInterruptedCallerIsUndecidedAndStaysInterrupted() throws InterruptedException {
        CountDownLatch calls = new CountDownLatch(1);
        try (PluginAuthorizer house = authorizer(PATIENT, request -> {
            calls.countDown();
            new CountDownLatch(1).await();
            return PluginDecision.allow("");
        })) {
            AtomicReference<Decision> decision = new AtomicReference<>();
            AtomicReference<Boolean> still = new AtomicReference<>(false);
            Thread caller = Thread.ofVirtual().start(() -> {
                decision.set(house.authorize(REQUEST));
                still.set(Thread.currentThread().isInterrupted());
            });
            calls.await();
            caller.interrupt();
            caller.join();
            assertThat(decision.get()).isEqualTo(new Undecided(Cause.FAILED, "the plug-in was interrupted"));
            assertThat(still.get()).isTrue();
        }
    }

    @Test
    void attributesHaveNoNullsAndCanonicalGroups() {
        Attributes resource = new Attributes(
                new UserInfo("jane", "u1", List.of("a", "b"), Map.of("k", List.of("v"))),
                new ResourceAttributes(
                        "team-a", "get", "rbac.authorization.plat.io", "v1alpha1", "roles", "status", "reader"));
        RequestAttributes shown = PluginRequestAttributes.of(resource);
        assertThat(List.of(shown.user(), shown.uid(), shown.groups(), shown.extra()))
                .isEqualTo(List.of("jane", "u1", List.of("a", "b"), Map.of("k", List.of("v"))));
        assertThat(shown.isResourceRequest()).isTrue();
        assertThat(List.of(
                        shown.verb(),
                        shown.namespace(),
                        shown.apiGroup(),
                        shown.apiVersion(),
                        shown.resource(),
                        shown.subresource(),
                        shown.name(),
                        shown.path()))
                .containsExactly(
                        "get", "team-a", "rbac.authorization.k8s.io", "v1alpha1", "roles", "status", "reader", "");
        RequestAttributes path = PluginRequestAttributes.of(REQUEST);
        assertThat(path.isResourceRequest()).isFalse();
        assertThat(List.of(
                        path.verb(),
                        path.path(),
                        path.namespace(),
                        path.apiGroup(),
                        path.apiVersion(),
                        path.resource(),
                        path.subresource(),
                        path.name()))
                .containsExactly("get", "/version", "", "", "", "", "", "");
    }
}
