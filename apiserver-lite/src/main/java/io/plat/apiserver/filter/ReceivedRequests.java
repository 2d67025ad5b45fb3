package io.plat.apiserver.filter;

import io.plat.apiserver.audit.AuditedRequest;
import io.plat.apiserver.audit.SourceAddresses;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Requests as audit events tell of them. */
final class ReceivedRequests {
    private final InstantSource clock;

    ReceivedRequests(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A request.
     *
     * @param user who asks; null where that is not known
     */
    AuditedRequest of(Call call, @Nullable UserInfo user) {
        return of(call, call.info().access(), user);
    }

    /** A request that could not be understood: its path as it was sent, under its method. */
    AuditedRequest malformed(Call call) {
        Incoming incoming = call.incoming();
        String verb = incoming.method().toLowerCase(Locale.ROOT);
        return of(call, new NonResourceAttributes(incoming.rawPath(), verb), null);
    }

    private AuditedRequest of(Call call, AccessAttributes access, @Nullable UserInfo user) {
        Incoming incoming = call.incoming();
        String query = incoming.rawQuery();
        return new AuditedRequest(
                call.id(),
                clock.instant().minusNanos(incoming.ageNanos()),
                query == null ? incoming.rawPath() : incoming.rawPath() + "?" + query,
                access,
                user,
                SourceAddresses.of(incoming.header("X-Forwarded-For"), incoming.header("X-Real-Ip"), incoming.peer()),
                incoming.header("User-Agent"));
    }
}
