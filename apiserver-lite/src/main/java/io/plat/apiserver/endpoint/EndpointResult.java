package io.plat.apiserver.endpoint;

import io.plat.apiserver.watch.WatchRequest;

/** Outcome of an admitted request, unless it fails: a response, or a stream to be opened. */
public sealed interface EndpointResult permits ApiResponse, EndpointResult.OpenWatch, EndpointResult.Decisions {
    record OpenWatch(WatchRequest watch) implements EndpointResult {}

    record Decisions() implements EndpointResult {}
}
