package io.plat.tests.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.client.Access;
import io.plat.client.Answer;
import io.plat.client.cache.Revised;
import io.plat.client.cache.RevisedCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Time of a cached check of the client library in nanoseconds, compared with a look-up in Caffeine with the same keys and expiry. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ClientBenchmark {
    /** Number of cached answers, which are requested in turn; a power of two. */
    @Param({"256", "16384"})
    public int size;

    private Access[] requests = new Access[0];
    private final RevisedCache<Access, Answer> client =
            new RevisedCache<>(request -> Revised.of(new Answer(true, "", "")), new Rules(), System::nanoTime);
    private final Cache<Access, Answer> caffeine = Caffeine.newBuilder()
            .expireAfterWrite(Duration.ofMinutes(5))
            .maximumWeight(64 << 20)
            .weigher((Access request, Answer answer) -> 512)
            .executor(Runnable::run)
            .build();

    private int next;

    private static final class Rules implements RevisedCache.Rules<Access, Answer> {
        @Override
        public Duration lifetime(Answer answer) {
            return Duration.ofMinutes(5);
        }

        @Override
        public int bytes(Access request, Revised<Answer> answer) {
            return 512;
        }

        @Override
        public long maxBytes() {
            return 64 << 20;
        }

        @Override
        public boolean shares() {
            return true;
        }

        /** Like a client without a revision stream, whose look-ups are slower. */
        @Override
        public boolean isStale(Answer answer, Duration since) {
            return since.compareTo(Duration.ofMinutes(1)) > 0;
        }
    }

    /** Fills both caches. */
    @Setup
    public void prepare() {
        requests = new Access[size];
        for (int i = 0; i < size; i++) {
            requests[i] = request(i);
            client.get(requests[i]);
            caffeine.put(requests[i], new Answer(true, "", ""));
        }
        client.received(Set.of(""));
        client.get(requests[0]);
    }

    private static Access request(int i) {
        return Access.resource("get", "apps", "deployments")
                .in("team-" + i % 100)
                .named("web-" + i)
                .by("user-" + i, "", List.of("system:authenticated"), Map.of());
    }

    /** Cached check of the client. The attributes are new objects, so that their hash is computed each time, as in a program. */
    @Benchmark
    public Answer client() {
        next = (next + 1) & (size - 1);
        return client.get(requests[next]);
    }

    /** Look-up in Caffeine. */
    @Benchmark
    public @Nullable Answer caffeine() {
        next = (next + 1) & (size - 1);
        return caffeine.getIfPresent(requests[next]);
    }

    /** Cost of the attributes that each check creates. */
    @Benchmark
    public Access attributes() {
        next = (next + 1) & (size - 1);
        return request(next);
    }
}
