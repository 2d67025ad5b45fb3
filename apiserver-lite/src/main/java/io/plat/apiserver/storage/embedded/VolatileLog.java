package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import java.util.List;
import java.util.function.LongFunction;

/** Log of a store that is not durable. */
final class VolatileLog implements ChangeLog {
    @Override
    public void read(LongFunction<Reader> begin) {
        var _ = begin.apply(0);
    }

    @Override
    public void write(List<Change> changes, long floor, List<Long> obsolete) {}

    @Override
    public void close() {}
}
