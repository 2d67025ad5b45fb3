package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.operations.ScaleOperations;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;

/** Endpoint of the scale subresource of types with replicas. */
record ScaleEndpoint(ScaleOperations scales, WriteRequestParser parser) {
    /** Performs the verb of an admitted request, which the subresource supports. */
    ApiResponse answer(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        Representation form = Negotiation.objects(Preferences.of(call.incoming()), ScaleOperations.TYPE);
        Target target = new Target(type, access.namespace(), access.name());
        Result result = switch (access.verb()) {
            case "get" ->
                scales.get(target, call.info().query().first("resourceVersion").orElse(""));
            case "update" ->
                scales.update(target, parser.object(call, ScaleOperations.TYPE), parser.options(call, "UpdateOptions"));
            case "patch" -> RequestBodies.applies(call) ? apply(call, target) : patch(call, target);
            default -> throw ApiErrors.methodNotAllowed();
        };
        return ResultResponses.of(call, form, result);
    }

    private Result apply(Call call, Target target) throws StatusException {
        return scales.apply(target, parser.applied(call, ScaleOperations.TYPE), parser.applying(call));
    }

    private Result patch(Call call, Target target) throws StatusException {
        return scales.patch(
                target,
                WriteRequestParser.patchFormat(call, target.type()),
                parser.patch(call),
                parser.options(call, "PatchOptions"));
    }
}
