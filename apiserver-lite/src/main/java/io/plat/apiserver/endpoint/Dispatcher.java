package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.request.RequestInfo.PathRequest;
import io.plat.apiserver.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;

/** Dispatches an admitted request to its endpoint, solely by the attributes for which it was authorized. */
public record Dispatcher(ResourceEndpoints resources, PathEndpoints paths) {
    /** Serves a request; may block unless it {@linkplain #answersFromMemory is answered from memory}. */
    public EndpointResult serve(Call call) throws StatusException {
        return switch (call.info()) {
            case ResourceRequest request -> warned(call, resources.serve(call, request));
            case PathRequest _ -> paths.serve(call);
        };
    }

    private static EndpointResult warned(Call call, EndpointResult served) {
        if (!(served instanceof ApiResponse response) || call.warnings().isEmpty()) {
            return served;
        }
        return response.with(WarningHeader.NAME, WarningHeader.values(call.warnings()));
    }

    /** Returns whether the response neither blocks nor takes long, as for a single object that is served as stored in memory. */
    public boolean answersFromMemory(Call call) {
        return call.info() instanceof ResourceRequest request && resources.answersFromMemory(call, request);
    }
}
