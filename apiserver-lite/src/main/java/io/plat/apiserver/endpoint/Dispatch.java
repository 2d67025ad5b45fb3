package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.request.RequestInfo.PathRequest;
import io.plat.apiserver.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;

/** Sends an admitted request to its endpoint: by what it was authorized for, and nothing else. */
public final class Dispatch {
    private final ResourceEndpoints resources;
    private final PathEndpoints paths;

    /** The endpoints for resources, and those for other paths. */
    public Dispatch(ResourceEndpoints resources, PathEndpoints paths) {
        this.resources = resources;
        this.paths = paths;
    }

    /**
     * Serves a request; may wait unless it {@linkplain #answersFromMemory is answered from memory}.
     *
     * @throws StatusException if it fails
     */
    public Served serve(Call call) throws StatusException {
        return switch (call.info()) {
            case ResourceRequest request -> warned(call, resources.serve(call, request));
            case PathRequest _ -> paths.serve(call);
        };
    }

    private static Served warned(Call call, Served served) {
        if (!(served instanceof Answer answer) || call.warnings().isEmpty()) {
            return served;
        }
        return answer.with(WarningHeader.NAME, WarningHeader.values(call.warnings()));
    }

    /** Whether answering neither waits nor takes long, as with one object that is shown as it is stored in memory. */
    public boolean answersFromMemory(Call call) {
        return call.info() instanceof ResourceRequest request && resources.answersFromMemory(call, request);
    }
}
