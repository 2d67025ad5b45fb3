package io.plat.tests.bench;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Time of a decision in nanoseconds; base class of the benchmarks. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public abstract class DecisionBenchmark {
    /** Number of lines or bindings. */
    @Param({"10", "1000", "100000"})
    public int size;

    /** Compiled engine, or the scan. */
    @Param({"index", "scan"})
    public String engine = "index";

    /**
     * Number of distinct requests: few, so that their data stays in the CPU caches, or so many that nearly each decision accesses memory.
     */
    @Param("256")
    public int requested;

    private Authorizer authorizer = request -> Decision.NoOpinion.SILENT;
    private Attributes[] requests = new Attributes[0];
    private int next;

    /** Returns the engine or the scan, with a policy of {@link #size}. */
    abstract Authorizer authorizer();

    /** Returns the request that the line or binding with this number allows. */
    abstract Attributes request(int i);

    /** Creates the policy and the requests, and verifies that each is allowed. */
    @Setup
    public void prepare() {
        authorizer = authorizer();
        requests = Sizes.requests(requested, size, this::request);
        for (Attributes request : requests) {
            if (!(authorizer.authorize(request) instanceof Decision.Allow)) {
                throw new IllegalStateException("not allowed: " + request);
            }
        }
    }

    /** One decision, which allows. */
    @Benchmark
    public Decision decide() {
        next = (next + 1) & (requests.length - 1);
        return authorizer.authorize(requests[next]);
    }
}
