package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.audit.AuditedRequest;
import io.plat.apiserver.audit.SourceAddresses;
import io.plat.apiserver.request.RequestInfo;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records requests: begins the record of one whose user is known, before anything is decided about it, and records the refusal of one
 * that does not get that far. The call carries what its further events are made of, where the policy wants any.
 */
public final class AuditFilter implements Filter {
    private static final Set<String> LASTING_VERBS = Set.of("watch", "proxy");
    private static final Set<String> LASTING_PARTS = Set.of("attach", "exec", "log", "portforward", "proxy");

    private final Audit audit;
    private final InstantSource clock;

    /** A filter that records here. */
    public AuditFilter(Audit audit, InstantSource clock) {
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public void admit(Call call) throws StatusException {
        @Nullable Audited audited = audit.begin(received(call, call.info().access(), call.authenticated()));
        if (audited != null) {
            call.audited(audited);
            if (lasts(call.info().access())) {
                audited.lasts();
            }
            call.incoming().onCompletion(audited::ended);
        }
    }

    /** Whether an answer lasts by the nature of the request: the rule of Kubernetes, whatever the answer is in the end. */
    private static boolean lasts(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes resource ->
                LASTING_VERBS.contains(resource.verb()) || LASTING_PARTS.contains(resource.subresource());
            case NonResourceAttributes path -> path.path().startsWith("/debug/");
        };
    }

    @Override
    public boolean admitAtOnce(Call call) throws StatusException {
        if (audit.waits()) {
            return false;
        }
        admit(call);
        return true;
    }

    /**
     * Records the refusal of a request that this filter did not see: one that could be read in two ways, under its method and its path as
     * sent, or one that failed authentication, with the kinds of credential that were tried and none of the credentials.
     */
    void refused(Call call, Status status) {
        @Nullable RequestInfo info = call.understood();
        Incoming incoming = call.incoming();
        if (info == null) {
            String verb = incoming.method().toLowerCase(Locale.ROOT);
            audit.malformed(received(call, new NonResourceAttributes(incoming.rawPath(), verb), null), status);
        } else if (!call.isAuthenticated()) {
            audit.unauthenticated(received(call, info.access(), null), status, tried(incoming));
        }
    }

    private static String tried(Incoming incoming) {
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
