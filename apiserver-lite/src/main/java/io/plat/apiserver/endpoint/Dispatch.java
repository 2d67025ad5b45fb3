package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.request.RequestInfo.PathRequest;
import io.plat.apiserver.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;

/** Sends an admitted request to its endpoint: by what it was authorized for, and nothing else. */
public final class Dispatch implements Endpoint {
    private final ResourceEndpoints resources;
    private final PathEndpoints paths;

    /** The endpoints for resources, and those for other paths. */
    public Dispatch(ResourceEndpoints resources, PathEndpoints paths) {
        this.resources = resources;
        this.paths = paths;
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        return switch (call.info()) {
            case ResourceRequest request -> resources.answer(call, request);
            case PathRequest path -> paths.answer(call);
        };
    }
}
