package io.plat.apiserver.endpoint;

import io.plat.apiserver.watch.WatchRequest;

/** The outcome of an admitted request, unless it fails: an answer, or a stream that the front has to open. */
public sealed interface Served permits Answer, Served.Watching, Served.Decisions {
    /**
     * A watch.
     *
     * @param watch what is requested
     */
    record Watching(WatchRequest watch) implements Served {}

    /** The stream of decisions. */
    record Decisions() implements Served {}
}
