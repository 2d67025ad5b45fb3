package io.plat.apiserver.endpoint;

import io.plat.apiserver.watch.WatchRequest;

/** Outcome of an admitted request, unless it fails: a response, or a stream to be opened. */
public sealed interface Served permits Answer, Served.Watching, Served.Decisions {
    /**
     * Watch.
     *
     * @param watch parameters of the watch
     */
    record Watching(WatchRequest watch) implements Served {}

    /** Stream of decisions. */
    record Decisions() implements Served {}
}
