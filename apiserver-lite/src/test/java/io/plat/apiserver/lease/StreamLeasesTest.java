package io.plat.apiserver.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.apiserver.filter.AuthenticationFilter;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Filter;
import io.plat.apiserver.filter.FilterChain;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.http.authentication.Authentication;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamLeasesTest {
    private static final Duration LONG = Duration.ofDays(1);

    /** State of authentication and authorization for streams. */
    private volatile String user = "alice";

    private volatile List<String> groups = List.of();

    private volatile @Nullable StatusReason refusal;
    private final AtomicInteger authorizations = new AtomicInteger();
    private final AtomicInteger authentications = new AtomicInteger();
    private final AtomicLong revision = new AtomicLong();
    private final AtomicBoolean failsOnce = new AtomicBoolean();
    private volatile boolean waits;
    private StreamLeases leases = leases(LONG, LONG);

    private StreamLeases leases(Duration authorization, Duration undecided) {
        var authentication = new AuthenticationFilter(
                credentials -> {
                    authentications.incrementAndGet();
                    List<String> given = credentials.headers("User");
                    return new Authentication.Authenticated(
                            new UserInfo(given.isEmpty() ? user : given.getFirst(), groups));
                },
                name -> false);
        Filter permission = new Filter() {
            @Override
            public void admit(Call call) throws StatusException {
                authorizations.incrementAndGet();
                if (call.user().name().equals("slow")) {
                    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                    return;
                }
                if (failsOnce.getAndSet(false)) {
                    throw new StatusException(StatusReason.INTERNAL_ERROR, "once");
                }
                StatusReason reason = refusal;
                if (reason != null) {
                    throw new StatusException(reason, "because");
                }
            }

            @Override
            public boolean admitWithoutBlocking(Call call) throws StatusException {
                if (waits) {
                    return false;
                }
                admit(call);
                return true;
            }
        };
        return new StreamLeases(
                new StreamLeases.LeaseChecks(
                        new FilterChain(List.of(authentication)),
                        new FilterChain(List.of(authentication, permission)),
                        name -> true,
                        revision::get),
                new StreamLeases.Timing(Duration.ofMillis(5), authorization, undecided));
    }

    private void use(StreamLeases other) {
        leases.close();
        leases = other;
    }

    @AfterEach
    void close() {
        leases.close();
    }

    /** A stream that records its end, and may not react to it. */
    private static final class Stream implements LeasedStream {
        final AtomicInteger ends = new AtomicInteger();
        final AtomicInteger cuts = new AtomicInteger();

        @Override
        public void end() {
            ends.incrementAndGet();
        }

        @Override
        public void abort() {
            cuts.incrementAndGet();
        }
    }

    private StreamLease lease(Stream stream) {
        return lease(stream, "alice", TestingIncoming.of("GET", "/api/v1/secrets?watch=1"));
    }

    private StreamLease lease(Stream stream, String name, TestingIncoming request) {
        try {
            StreamLease lease = leases.of(request.by(new UserInfo(name, List.of())));
            lease.begin(stream);
            return lease;
        } catch (StatusException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void rounds(int number) {
        int from = authentications.get();
        await().until(() -> authentications.get() >= from + number);
    }

    @Test
    void streamIsAuthenticatedEachRoundAndAuthorizedAtEachChange() {
        Stream stream = new Stream();
        lease(stream);
        rounds(10);
        assertThat(authorizations).hasValue(1);
        revision.incrementAndGet();
        rounds(10);
        assertThat(authorizations).hasValue(2);
        assertThat(stream.ends).hasValue(0);
    }

    @Test
    void streamIsReauthorizedPeriodically() {
        use(leases(Duration.ofMillis(20), LONG));
        Stream stream = new Stream();
        lease(stream);
        await().until(() -> authorizations.get() > 3);
        refusal = StatusReason.FORBIDDEN;
        await().until(() -> stream.ends.get() == 1);
    }

    @ParameterizedTest
    @CsvSource({"FORBIDDEN,false", "FORBIDDEN,true", "UNAUTHORIZED,false", "UNAUTHORIZED,true"})
    void deniedStreamEndsOrIsAborted(StatusReason reason, boolean waiting) {
        waits = waiting;
        Stream stream = new Stream();
        StreamLease lease = lease(stream);
        rounds(2);
        refusal = reason;
        revision.incrementAndGet();
        await().until(() -> stream.ends.get() == 1 && stream.cuts.get() > 0);
        lease.release();
        int cuts = stream.cuts.get();
        Stream other = new Stream();
        refusal = null;
        lease(other);
        rounds(3);
        assertThat(stream.cuts.get()).isBetween(cuts, cuts + 1);
        assertThat(other.ends).hasValue(0);
    }

    @Test
    void credentialOfAnotherUserEndsTheStream() {
        Stream stream = new Stream();
        lease(stream);
        rounds(2);
        user = "mallory";
        await().until(() -> stream.ends.get() == 1);
    }

    @Test
    void changedGroupsCauseOneReauthorization() {
        Stream stream = new Stream();
        lease(stream);
        rounds(10);
        assertThat(authorizations).hasValue(1);
        groups = List.of("other");
        rounds(10);
        assertThat(authorizations).hasValue(2);
        refusal = StatusReason.FORBIDDEN;
        groups = List.of();
        await().until(() -> stream.ends.get() == 1);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void singleFailureIsRetriedAndRepeatedFailuresEndTheStream(boolean waiting) {
        waits = waiting;
        use(leases(LONG, Duration.ofMillis(100)));
        Stream stream = new Stream();
        lease(stream);
        rounds(2);
        int before = authorizations.get();
        failsOnce.set(true);
        revision.incrementAndGet();
        await().until(() -> authorizations.get() >= before + 2);
        rounds(20);
        assertThat(stream.ends).hasValue(0);
        refusal = StatusReason.INTERNAL_ERROR;
        revision.incrementAndGet();
        await().until(() -> stream.ends.get() == 1);
    }

    /** Checks of another client's streams take 5 s each. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void clientsAreCheckedIndependently(boolean waiting) {
        waits = waiting;
        for (int i = 0; i < (waiting ? 32_000 : 1000); i++) {
            lease(
                    new Stream(),
                    "slow",
                    TestingIncoming.of("GET", "/api/v1/pods?watch=1").header("User", "slow"));
        }
        Stream stream = new Stream();
        lease(stream);
        for (int i = 0; i < 3; i++) {
            int before = authorizations.get();
            revision.incrementAndGet();
            await().until(() -> authorizations.get() > before + 20);
        }
        refusal = StatusReason.FORBIDDEN;
        revision.incrementAndGet();
        await().atMost(Duration.ofSeconds(1)).until(() -> stream.ends.get() == 1);
    }

    @Test
    void streamTargetIsParsedOnce() throws StatusException {
        TestingIncoming request = TestingIncoming.of("GET", "/api/v1/secrets?watch=1&labelSelector=a");
        Call call = request.by(new UserInfo("alice", List.of()));
        assertThat(RequestCopy.of(request, call.info(), name -> true).info()).isSameAs(call.info());
    }
}
