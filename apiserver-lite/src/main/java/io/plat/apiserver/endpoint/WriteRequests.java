package io.plat.apiserver.endpoint;

import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.Sent;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.permission.WritePermissions;
import io.plat.apiserver.roles.escalation.EscalationGuard;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * What a request that writes says: how it is meant, and what it holds. Every write that a request asks for is checked against what its
 * user holds.
 *
 * @param escalation checks what role objects may be written
 * @param permissions checks what else takes a permission of its own
 * @param bodies reads bodies
 */
record WriteRequests(EscalationGuard escalation, WritePermissions permissions, Bodies bodies) {
    private static final String CUSTOM_PATCHES =
            String.join(", ", PatchFormat.JSON.mediaType(), PatchFormat.MERGE.mediaType());

    /**
     * The options of a write.
     *
     * @param kind what the field calls them, such as {@code CreateOptions}
     */
    WriteOptions options(Call call, String kind) throws StatusException {
        return of(call, RequestOptions.write(kind, call.info().query(), agent(call), false));
    }

    /** Those of an application. */
    WriteOptions applying(Call call) throws StatusException {
        return of(call, RequestOptions.write("PatchOptions", call.info().query(), agent(call), true));
    }

    private WriteOptions of(Call call, WriteOptions options) {
        return options.checking(permissions.of(call.user(), escalation.of(call.user())))
                .of(new CallRequester(call));
    }

    /**
     * The user of a request, whose answer and audit events admission adds to.
     *
     * @param call the request
     */
    record CallRequester(Call call) implements Requester {
        @Override
        public UserInfo user() {
            return call.user();
        }

        @Override
        public void warn(String text) {
            call.warn(text);
        }

        @Override
        public void annotate(String key, String value) {
            @Nullable Audited audited = call.audited();
            if (audited != null) {
                audited.note(key, value);
            }
        }
    }

    private static String agent(Call call) {
        return call.incoming().header("User-Agent");
    }

    /** The object in the body. */
    Sent object(Call call, ResourceType type) throws StatusException {
        return ObjectBody.json(type, bodies.json(call, type));
    }

    /** What is to be applied. */
    Sent applied(Call call, ResourceType type) throws StatusException {
        return ObjectBody.json(type, bodies.applied(call));
    }

    /** The patch in the body. */
    byte[] patch(Call call) throws StatusException {
        return bodies.whole(call);
    }

    /**
     * The format of a patch of a type's objects, or of parts of them.
     *
     * @throws StatusException 415 for one that is not read
     */
    static PatchFormat patchFormat(Call call, ResourceType type) throws StatusException {
        PatchFormat format = Bodies.patchFormat(call);
        if (format == PatchFormat.STRATEGIC_MERGE && shapesItself(type)) {
            // There are no merge keys that clients would know of.
            throw Failures.unsupportedMediaType(CUSTOM_PATCHES);
        }
        return format;
    }

    /** Whether a type was defined at run time: it has no binary form, and no strategic merge. */
    private static boolean shapesItself(ResourceType type) {
        return type.form() != null && type.form().shapes();
    }
}
