package io.plat.process;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Injector of faults into background loops of this process. Loops of other tests are not affected. */
public final class FaultInjector {
    private final Random random;
    private final Set<BackgroundLoop> others = Set.copyOf(BackgroundLoop.RUNNING);

    /** Injects faults of random kinds at random times into loops that are started from now on. */
    public FaultInjector(long seed) {
        this.random = new Random(seed);
    }

    private Stream<BackgroundLoop> loops() {
        return BackgroundLoop.RUNNING.stream().filter(loop -> !others.contains(loop));
    }

    /** Returns the names of the running loops. */
    public Set<String> running() {
        return loops().map(BackgroundLoop::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the number of restarts of loops of a name. */
    public static long restarts(String name) {
        return BackgroundLoop.restarts(name);
    }

    /** Makes the loops of a name fail once. */
    public void injectFault(String name) {
        BackgroundLoop.FaultPoint[] moments = BackgroundLoop.FaultPoint.values();
        injectFault(name, moments[random.nextInt(moments.length)]);
    }

    /** Makes the loops of a name fail repeatedly, for two seconds. */
    public void plantLasting(String name) {
        for (int i = 0; i < 8; i++) {
            injectFault(name, BackgroundLoop.FaultPoint.AFTER_ROUND);
        }
    }

    private void injectFault(String name, BackgroundLoop.FaultPoint moment) {
        List<Throwable> kinds = List.of(
                new OutOfMemoryError("planted"),
                new StackOverflowError("planted"),
                new LinkageError("planted"),
                new IllegalStateException("planted"),
                new IOException("planted"));
        Throwable thrown = kinds.get(random.nextInt(kinds.size()));
        loops().filter(loop -> loop.name().equals(name)).forEach(loop -> loop.injectFault(moment, thrown));
    }
}
