package io.plat.apiserver.storage;

import io.plat.http.process.OpenResources;
import java.util.List;

/** Work for exactly one of the processes that share a store. */
@FunctionalInterface
public interface LeaderTask {
    /**
     * Starts the work, based on the contents of the store; must not block for long. The parts are closed when the work moves to another
     * process.
     */
    List<AutoCloseable> begin();

    default OpenResources start() {
        var parts = new OpenResources();
        begin().forEach(parts::with);
        return parts;
    }
}
