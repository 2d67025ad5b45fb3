package io.plat.apiserver.storage;

import java.util.List;

/** Work that one of the processes does which share a store. */
@FunctionalInterface
public interface Duty {
    /** Begins it, from what the store holds; must not wait for long. Each part is closed when the work goes to another process. */
    List<AutoCloseable> begin();
}
