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

/** Nanoseconds of a decision by one engine; what the engines have in common here. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public abstract class DecisionBenchmark {
    /** The number of lines or bindings. */
    @Param({"10", "1000", "100000"})
    public int size;

    /** The compiled engine, or the scan that it replaces. */
    @Param({"index", "scan"})
    public String engine = "index";

    /**
     * The number of requests that are asked in turn: few enough that they and what they touch stay in the processor's caches, or so
     * many that nearly each decision waits for memory.
     */
    @Param("256")
    public int asked;

    private Authorizer authorizer = request -> Decision.NoOpinion.SILENT;
    private Attributes[] requests = new Attributes[0];
    private int next;

    /** The engine or the scan, with a policy of {@link #size}. */
    abstract Authorizer authorizer();

    /** The request that the line or binding with this number allows. */
    abstract Attributes request(int i);

    /** Makes the policy and the requests, and sees to it that each of them is allowed. */
    @Setup
    public void prepare() {
        authorizer = authorizer();
        requests = Sizes.requests(asked, size, this::request);
        for (Attributes request : requests) {
            if (!(authorizer.authorize(request) instanceof Decision.Allow)) {
                throw new IllegalStateException("not allowed: " + request);
            }
        }
    }

    /** One decision; each allows. */
    @Benchmark
    public Decision decide() {
        next = (next + 1) & (requests.length - 1);
        return authorizer.authorize(requests[next]);
    }
}
