package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.audit.Audited;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Begins to record a request: by whom it was sent and for what, before anything is decided about it. The call carries what its further
 * events are made of, where the policy wants any.
 */
public final class AuditFilter implements Filter {
    private static final Set<String> LASTING_VERBS = Set.of("watch", "proxy");
    private static final Set<String> LASTING_PARTS = Set.of("attach", "exec", "log", "portforward", "proxy");

    private final Audit audit;
    private final ReceivedRequests received;

    /** A filter that records here. */
    public AuditFilter(Audit audit, InstantSource clock) {
        this.audit = audit;
        this.received = new ReceivedRequests(clock);
    }

    @Override
    public void admit(Call call) throws StatusException {
        @Nullable Audited audited = audit.begin(received.of(call, call.authenticated()));
        if (audited != null) {
            call.audited(audited);
            if (lasts(call.info().access())) {
                audited.lasts();
            }
            call.incoming().onCompletion(audited::ended);
        }
    }

    /** Whether an answer lasts by the nature of what is asked: the field's rule, whatever the answer is in the end. */
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
}
