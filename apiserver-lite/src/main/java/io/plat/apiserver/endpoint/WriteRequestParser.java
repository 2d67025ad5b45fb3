package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.permission.WritePermissions;
import io.plat.apiserver.roles.EscalationGuard;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.Optional;

/**
 * Parser of write requests: their options and bodies. Every requested write is checked against the permissions of its user.
 */
record WriteRequestParser(
        EscalationGuard escalation, WritePermissions permissions, RequestBodies bodies, ResourceOperations operations) {
    private static final String CUSTOM_PATCHES = String.join(
            ", ", PatchFormat.JSON.mediaType(), PatchFormat.MERGE.mediaType(), "application/apply-patch+yaml");

    /** Parses the options of a write. */
    WriteOptions options(Call call, String kind) throws StatusException {
        return of(call, RequestOptions.write(kind, call.info().query(), agent(call), false));
    }

    WriteOptions applying(Call call) throws StatusException {
        return of(call, RequestOptions.write("PatchOptions", call.info().query(), agent(call), true));
    }

    private WriteOptions of(Call call, WriteOptions options) {
        return options.checking(permissions.of(call.user(), call.info().access().verb(), escalation.of(call.user())))
                .of(new CallRequester(call));
    }

    /** User of a request; admission adds to its response and audit events. */
    record CallRequester(Call call) implements Requester {
        @Override
        public UserInfo user() {
            return call.user();
        }

        @Override
        public void requirePermission() throws StatusException {
            call.renew();
        }

        @Override
        public void warn(String text) {
            call.warn(text);
        }

        @Override
        public void annotate(String key, String value) {
            call.audit(record -> record.addAnnotation(key, value));
        }
    }

    private static String agent(Call call) {
        return call.incoming().header("User-Agent");
    }

    ParsedObject object(Call call, ResourceType type) throws StatusException {
        return ObjectBody.whole(type, bodies.json(call, type));
    }

    /**
     * Returns the virtual object in the body, whose fields are validated like those of stored objects.
     *
     * @throws StatusException 400 for another type, or for unknown fields under strict validation
     */
    OperationBody virtual(Call call, ResourceType type) throws StatusException {
        byte[] json = bodies.json(call, type);
        ResourceAttributes access = (ResourceAttributes) call.info().access();
        return operations.operation(
                new Target(type, type.namespaced() ? access.namespace() : "", ""),
                access.subresource(),
                json,
                options(call, "CreateOptions"));
    }

    ParsedObject applied(Call call, ResourceType type) throws StatusException {
        return ObjectBody.json(type, bodies.applied(call));
    }

    /**
     * Returns the format of a patch for objects of a type, or their subresources.
     *
     * @throws StatusException 415 for an unsupported format
     */
    static PatchFormat patchFormat(Call call, ResourceType type) throws StatusException {
        Optional<PatchFormat> format = RequestBodies.patchFormat(call);
        if (type.isCustom()
                && format.filter(one -> one != PatchFormat.STRATEGIC_MERGE).isEmpty()) {
            // Custom types have no merge keys known to clients.
            throw ApiErrors.unsupportedMediaType(CUSTOM_PATCHES);
        }
        return format.orElseThrow(ApiErrors::unknownPatchFormat);
    }
}
