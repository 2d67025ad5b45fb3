package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audit;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Authentication whose refusals are recorded: with the kinds of credential that were tried, and none of the credentials. */
public final class AuditedAuthentication implements Filter {
    private final Filter authentication;
    private final Audit audit;
    private final ReceivedRequests received;

    /** Records the refusals of a filter. */
    public AuditedAuthentication(Filter authentication, Audit audit, InstantSource clock) {
        this.authentication = authentication;
        this.audit = audit;
        this.received = new ReceivedRequests(clock);
    }

    @Override
    public void admit(Call call) throws StatusException {
        try {
            authentication.admit(call);
        } catch (StatusException refused) {
            throw recorded(call, refused);
        }
    }

    @Override
    public boolean admitAtOnce(Call call) throws StatusException {
        try {
            return authentication.admitAtOnce(call);
        } catch (StatusException refused) {
            throw recorded(call, refused);
        }
    }

    private StatusException recorded(Call call, StatusException refused) {
        audit.unauthenticated(received.of(call, null), refused.status(), tried(call.incoming()));
        return refused;
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
        if (!incoming.credentials().certificates().isEmpty()) {
            kinds.add("x509");
        }
        return kinds.isEmpty() ? "none" : String.join(", ", kinds);
    }
}
