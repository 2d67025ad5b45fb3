package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.request.RequestInfo.PathRequest;
import io.plat.apiserver.request.RequestInfo.ResourceRequest;
import io.plat.apiserver.watch.WatchRequest;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
            case ResourceRequest request -> warned(call, resources.answer(call, request));
            case PathRequest path -> paths.answer(call);
        };
    }

    private static Answer warned(Call call, Answer answer) {
        if (call.warnings().isEmpty()) {
            return answer;
        }
        List<String> all = new ArrayList<>(answer.headers().getOrDefault(WarningHeader.NAME, List.of()));
        all.addAll(WarningHeader.values(call.warnings()));
        return answer.with(WarningHeader.NAME, all);
    }

    /** Whether answering neither waits nor takes long, as with one object that is shown as it is stored in memory. */
    public boolean answersFromMemory(Call call) {
        return call.info() instanceof ResourceRequest request && resources.answersFromMemory(call, request);
    }

    /**
     * Whether an admitted request asks for the stream of decisions, which an answer is not.
     *
     * @throws StatusException if it can't be had
     */
    public boolean showsDecisions(Call call) throws StatusException {
        return call.info() instanceof PathRequest && paths.showsDecisions(call);
    }

    /**
     * The watch that an admitted request asks for: a stream, which an answer is not. Empty where it asks for something else.
     *
     * @throws StatusException if it can't be had
     */
    public Optional<WatchRequest> watch(Call call) throws StatusException {
        return call.info() instanceof ResourceRequest request ? resources.watch(call, request) : Optional.empty();
    }
}
