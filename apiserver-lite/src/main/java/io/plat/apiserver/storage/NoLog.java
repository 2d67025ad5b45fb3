package io.plat.apiserver.storage;

import java.util.List;

/** Keeps nothing: the log of a store that lives in memory only. */
final class NoLog implements ChangeLog {
    @Override
    public long read(Reader reader) {
        return 0;
    }

    @Override
    public void write(List<Change> changes, long floor, List<Long> obsolete) {}

    @Override
    public void close() {}
}
