package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.audit.AuditRecord;
import io.plat.apiserver.audit.AuditedRequest;
import io.plat.apiserver.audit.SourceAddresses;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts the audit record of a request after authentication and before authorization, and records the refusal of requests that fail
 * before. The record is attached to the call if the policy requires one.
 */
public record AuditFilter(Audit audit, InstantSource clock) implements Filter {
    private static final Set<String> LONG_RUNNING_VERBS = Set.of("watch", "proxy");
    private static final Set<String> LONG_RUNNING_SUBRESOURCES =
            Set.of("attach", "exec", "log", "portforward", "proxy");

    @Override
    public void admit(Call call) throws StatusException {
        AuditRecord auditRecord = audit.begin(received(call, call.info().access(), call.authenticated()));
        if (auditRecord != null) {
            call.auditRecord(auditRecord);
            if (isLongRunning(call.info().access())) {
                auditRecord.markLongRunning();
            }
            call.incoming().onCompletion(auditRecord::end);
        }
    }

    /** Returns whether a request is long-running, by Kubernetes' rule, regardless of its response. */
    private static boolean isLongRunning(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes resource ->
                LONG_RUNNING_VERBS.contains(resource.verb())
                        || LONG_RUNNING_SUBRESOURCES.contains(resource.subresource());
            case NonResourceAttributes path -> path.path().startsWith("/debug/");
        };
    }

    @Override
    public boolean mayBlock(Call call) {
        return audit.waits();
    }

    /**
     * Records the refusal of a request before this filter: an ambiguous one with its method and path as sent, or a failed authentication
     * with the kinds of credential, but no credentials.
     */
    void refused(Call call, Status status) {
        @Nullable RequestInfo info = call.parsedInfo();
        IncomingRequest incoming = call.incoming();
        if (info == null) {
            String verb = incoming.method().toLowerCase(Locale.ROOT);
            audit.malformed(received(call, new NonResourceAttributes(incoming.rawPath(), verb), null), status);
        } else if (!call.isAuthenticated()) {
            audit.unauthenticated(received(call, info.access(), null), status, attemptedCredentials(incoming));
        }
    }

    private static String attemptedCredentials(IncomingRequest incoming) {
        List<String> kinds = new ArrayList<>();
        for (String value : incoming.headers("Authorization")) {
            String scheme = value.strip();
            if (scheme.regionMatches(true, 0, "Basic ", 0, 6)) {
                kinds.add("basic");
            } else if (scheme.regionMatches(true, 0, "Bearer ", 0, 7)) {
                kinds.add("bearer");
            }
        }
        String query = incoming.rawQuery();
        if (query != null && (query.startsWith("access_token=") || query.contains("&access_token="))) {
            kinds.add("access_token");
        }
        if (!incoming.certificates().isEmpty()) {
            kinds.add("x509");
        }
        return kinds.isEmpty() ? "none" : String.join(", ", kinds);
    }

    private AuditedRequest received(Call call, AccessAttributes access, @Nullable UserInfo user) {
        IncomingRequest incoming = call.incoming();
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
