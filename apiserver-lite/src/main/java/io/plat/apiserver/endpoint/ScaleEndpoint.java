package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.operations.Scales;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;

/**
 * The {@code scale} subresource of types with replicas.
 *
 * @param scales operations on scales
 * @param requests parser of write requests
 */
record ScaleEndpoint(Scales scales, WriteRequests requests) {
    /** Performs the verb of an admitted request, which the subresource supports. */
    Answer answer(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        Representation form = Negotiation.objects(Preferences.of(call.incoming()), Scales.TYPE);
        Target target = new Target(type, access.namespace(), access.name());
        Result result = switch (access.verb()) {
            case "get" ->
                scales.get(target, call.info().query().first("resourceVersion").orElse(""));
            case "update" ->
                scales.update(target, requests.object(call, Scales.TYPE), requests.options(call, "UpdateOptions"));
            case "patch" -> Bodies.applies(call) ? apply(call, target) : patch(call, target);
            default -> throw Refusals.methodNotAllowed();
        };
        return ResultAnswers.of(call, form, result);
    }

    private Result apply(Call call, Target target) throws StatusException {
        return scales.apply(target, requests.applied(call, Scales.TYPE), requests.applying(call));
    }

    private Result patch(Call call, Target target) throws StatusException {
        return scales.patch(
                target,
                WriteRequests.patchFormat(call, target.type()),
                requests.patch(call),
                requests.options(call, "PatchOptions"));
    }
}
